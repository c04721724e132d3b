/* Telling twins, and when they are none: symmetry.h. */
#include "runtime/symmetry.h"

#include "runtime/harness.h"
#include "runtime/model.h"
#include "runtime/renamed.h"
#include "runtime/station.h"

static bool on;      /* until somebody could tell twins apart, here */
static bool proving; /* the run is one that renames them (renamed.c) */
static uint64_t completed;

/* Of the execution under way. */
static struct {
    uint64_t twins;           /* bit per thread that is one */
    uint64_t touched;         /* accesses of main to memory not its stack */
    uint64_t start, argument; /* of the last thread that main has created */
    uint64_t create_touched;  /* what was touched then */
    unsigned create_made;     /* and how many events main had made; 0: none was */
    uint32_t created;
    uint32_t class_of[PL_GRAPH_THREADS];  /* the first of them */
    unsigned join_made[PL_GRAPH_THREADS]; /* of each class: the same, at its last join */
    uint64_t join_touched[PL_GRAPH_THREADS];
} now;

void pl_symmetry_init(void)
{
    const struct pl_wire_options *o = rt.options;
    on = o->symmetry && !pl_fact(&pl_facts.twins_not) && !o->strategy && !o->preemptions &&
         !o->replaying && rt.races == PL_RACES_REPORT && !rt.learns_races &&
         (!pl_checking() || o->check.mode == PL_CHECK_ON);
}

void pl_symmetry_begin(void)
{
    if (proving)
        return;
    now.twins = now.touched = 0;
    now.create_made = 0;
}

void pl_symmetry_keep(void)
{
    if (on)
        pl_keep(&now, sizeof now);
}

static void give_up(void)
{
    if (!on || proving)
        return;
    on = false;
    rt.wire->renamed = 0;
    pl_fact_add(&pl_facts.twins_not, 1);
    if (now.twins || pl_fact(&pl_facts.twins))
        pl_model_restart();
}

/* There are twins. False: elsewhere somebody could tell them apart; all will begin again. */
static bool has_twins(void)
{
    pl_fact_add(&pl_facts.twins, 1);
    return !pl_fact(&pl_facts.twins_not);
}

static bool is_twin(uint32_t thread)
{
    return on && !proving && (now.twins >> thread & 1);
}

/* Main's events so far are the same in every execution: it has read nothing, but for what it wrote
 * itself while it was alone. */
static bool has_read_nothing(unsigned made)
{
    const struct pl_graph *g = pl_model_graph();
    bool alone = true;
    for (unsigned k = 0; k < made; k++) {
        const struct pl_node *n = &g->thread[0].node[k];
        bool plain = n->kind == PL_GRAPH_BEGIN || n->kind == PL_GRAPH_CREATE ||
                     n->kind == PL_GRAPH_FENCE || n->kind == PL_GRAPH_WRITE;
        alone = alone && n->kind != PL_GRAPH_CREATE;
        if (alone ? n->kind == PL_GRAPH_CHOICE : !plain || (n->flags & PL_GRAPH_F_RMW))
            return false;
    }
    return true;
}

/* Which threads do the same: by their argument; of a check, by what the tool says of their columns.
 */
static bool is_like(uint64_t argument)
{
    const uint8_t *like = rt.options->check.like;
    if (!pl_checking())
        return argument == now.argument;
    return !pl_harness.serial && argument < PL_CHECK_COLUMNS && like[argument] &&
           like[argument] == like[now.argument % PL_CHECK_COLUMNS];
}

void pl_symmetry_create(uint32_t created, uint64_t start, uint64_t argument, bool plain)
{
    if (!on || proving || created >= PL_GRAPH_THREADS)
        return;
    if (rt.self->id != 0) {
        if (is_twin(rt.self->id))
            give_up();
        return;
    }
    unsigned made = pl_model_made();
    bool same = plain && now.create_made && made == now.create_made + 1 &&
                now.touched == now.create_touched && start == now.start && is_like(argument) &&
                has_read_nothing(made);
    now.class_of[created] = same ? now.class_of[now.created] : created;
    if (same && !has_twins()) {
        give_up();
    } else if (same) {
        pl_model_twin(created, now.created);
        rt.wire->renamed = 1;
        now.twins |= (uint64_t)1 << created | (uint64_t)1 << now.created;
    }
    now.join_made[created] = 0;
    now.create_made = plain ? made : 0;
    now.create_touched = now.touched;
    now.created = created;
    now.start = start;
    now.argument = argument;
}

void pl_symmetry_join(uint32_t joined, bool plain)
{
    if (!is_twin(joined))
        return;
    unsigned made = pl_model_made(), *last = &now.join_made[now.class_of[joined]];
    uint64_t *touched = &now.join_touched[now.class_of[joined]];
    if (!plain || rt.self->id != 0 || (*last && (made != *last + 1 || now.touched != *touched)))
        give_up();
    *last = made;
    *touched = now.touched;
}

void pl_symmetry_access(uint64_t address)
{
    uint64_t top = PL_STACKS + (uint64_t)PL_STACK_STRIDE;
    if (on && !proving && rt.self->id == 0 && (address < PL_STACKS || address >= top))
        now.touched++;
}

void pl_symmetry_stop(void)
{
    on = false;
}

void pl_symmetry_astray(void)
{
    give_up();
}

void pl_symmetry_name(void)
{
    if (rt.active && rt.exploring)
        give_up();
}

void pl_symmetry_effect(void)
{
    if (rt.active && is_twin(rt.self->id))
        give_up();
}

void pl_symmetry_allocates(void)
{
    if (!pl_checking())
        pl_symmetry_effect();
}

void pl_symmetry_value(uint64_t value)
{
    if (is_twin(rt.self->id) && value >= PL_STACKS && value < PL_TLS_END)
        give_up();
}

/* ---- proofs ---- */

bool pl_symmetry_begin_proof(void)
{
    enum { ALL = 1000, EVERY = 8 };
    if (!on || !now.twins)
        return false;
    if (!pl_checking() && pl_model_has_slept())
        return false; /* sleepers are roused in the order of their numbers: it would be another */
    if (++completed > ALL && completed % EVERY != 0)
        return false;
    proving = pl_renamed_begin(now.twins, now.class_of);
    return proving;
}

bool pl_symmetry_end_proof(bool complete)
{
    bool same = pl_renamed_end(complete);
    proving = false;
    on = on && same;
    pl_fact_add(&pl_facts.twins_not, !same);
    rt.wire->renamed = on;
    return same;
}
