/* Events that the program makes: those the graph has, and new ones, in every way they can be. */
#include "explore/trust_internal.h"

bool pl_trust_is_fresh(const struct pl_trust *x, unsigned thread)
{
    return thread >= x->g->threads || x->made[thread] >= x->g->thread[thread].count;
}

const struct pl_node *pl_trust_next_is_last(const struct pl_trust *x, unsigned thread)
{
    const struct pl_node *n = &x->g->thread[thread].node[x->made[thread]];
    bool last = !pl_trust_is_fresh(x, thread) && x->made[thread] + 1 == x->g->thread[thread].count;
    return last && n->kind == PL_GRAPH_READ && !(n->flags & PL_GRAPH_F_LOCK) ? n : NULL;
}

/* The event of this thread that the graph already has, or NULL when it is a new one. */
struct pl_node *pl_trust_known(struct pl_trust *x, unsigned thread, enum pl_graph_kind kind,
                               uint64_t key)
{
    struct pl_graph *g = x->g;
    if (pl_trust_is_fresh(x, thread)) {
        if (g->events == PL_GRAPH_EVENTS || thread >= PL_GRAPH_THREADS ||
            (thread < g->threads && g->thread[thread].count == PL_GRAPH_LENGTH))
            pl_trust_fail(x, x->marked
                                 ? "an execution is longer than there is room for; --unroll N "
                                   "bounds the rounds of loops"
                                 : "an execution is longer than there is room for; rounds of "
                                   "loops are known only of what plumb's own front end compiles");
        x->astray = x->astray || pl_trust_must_wait(x, (uint64_t)1 << (thread & 63));
        return NULL;
    }
    struct pl_node *n = &g->thread[thread].node[x->made[thread]++];
    x->at++;
    if (x->facts->pairs)
        pl_pairs_made(x, n, false);
    if (n->kind != kind || (n->location ? g->location[n->location - 1].key : 0) != key)
        pl_trust_fail(x, "the program does not repeat itself: an event differs from before");
    return n;
}

const struct pl_node *pl_trust_repeat(struct pl_trust *x, unsigned thread, enum pl_graph_kind kind,
                                      uint64_t address, uint64_t value)
{
    const struct pl_graph *g = x->g;
    uint64_t written;
    if (pl_trust_is_fresh(x, thread))
        return NULL;
    const struct pl_node *n = &g->thread[thread].node[x->made[thread]];
    if (n->kind != kind || g->location[n->location - 1].key << 16 != address << 16)
        return NULL;
    if (kind == PL_GRAPH_WRITE && n->value != value)
        return NULL;
    bool update = (n->flags & PL_GRAPH_F_RMW) != 0;
    if (n->op != PL_OP_NONE && !update && pl_graph_update(n, n->value, &written))
        return NULL; /* its write is still to come */
    x->made[thread] += 1u + update;
    x->at += 1u + update;
    if (x->facts->pairs)
        pl_pairs_made(x, n, false);
    return n + update;
}

uint32_t pl_trust_location(struct pl_trust *x, uint64_t key, uint64_t initial)
{
    uint32_t location = pl_graph_location(x->g, key, initial);
    if (!location)
        pl_trust_fail(x, "an execution has more atomic variables, locks and the like than there is "
                         "room for, which is 1,024");
    return location ? location : 1; /* the run is over */
}

struct pl_node *pl_trust_added(struct pl_trust *x, struct pl_node *n)
{
    x->made[n->self.thread]++;
    x->at++;
    if (x->turning)
        pl_turns_added(x);
    return n;
}

/*
 * An update reads what another has taken already: it cannot write, but what its write could do
 * to other reads is kept as ways. (In no other case is the write impossible: it comes right
 * after what was read, and the read already precedes all that is co-after that.)
 */
void pl_trust_push_conflicts(struct pl_trust *x, struct pl_node *read)
{
    struct item way = {.kind = WAY_CONFLICT, .event = read->self, .from = read->rf};
    uint32_t first = x->items, count = x->g->events, stamps = x->g->stamps;
    /* The other update must be the victim, or be deleted. */
    const struct pl_location *l = &x->g->location[read->location - 1];
    const struct pl_node *taker = pl_at(x->g, l->co[pl_place(x->g, read) + 1]);
    pl_trust_push_revisits(x, pl_trust_add_update_write(x, read), way, taker[-1].stamp);
    pl_graph_cut(x->g, count);
    x->g->stamps = stamps;
    for (uint32_t i = first; i < x->items; i++) { /* they start from before the write */
        x->item[i].count = count;
        x->item[i].stamps = stamps;
    }
}

/* If an update would read what another has taken, the last of those that took it one after the
 * other: two threads that stand at the end of void rounds may have read the same, and write it back
 * when they are run again. */
static struct pl_ref not_taken(const struct pl_graph *g, const struct pl_node *read,
                               struct pl_ref from)
{
    const struct pl_location *l = &g->location[read->location - 1];
    unsigned after = pl_is_init(from) ? 0 : (unsigned)pl_at(g, from)->place + 1;
    uint64_t written, old = pl_is_init(from) ? l->initial : pl_at(g, from)->value;
    if (!pl_graph_update(read, old, &written) || pl_graph_fits(g, read->location, after))
        return from;
    while (!pl_graph_fits(g, read->location, after))
        after++;
    return l->co[after - 1];
}

/* What the script says the read reads. Where there is no such write the program has changed, and
 * the finding will not show: then the newest, with which the execution is at least a possible one.
 */
static struct pl_ref scripted_rf(const struct pl_graph *g, const struct pl_node *read,
                                 struct step step)
{
    const struct pl_location *l = &g->location[read->location - 1];
    struct pl_ref from = {step.a, step.b};
    if (!pl_is_init(from) &&
        (from.thread >= g->threads || from.index >= g->thread[from.thread].count ||
         pl_at(g, from)->kind != PL_GRAPH_WRITE || pl_at(g, from)->location != read->location))
        return l->writes ? l->co[l->writes - 1] : PL_INIT;
    return not_taken(g, read, from);
}

/* `lowest` of an update for either way it may end: the order decides. */
static void lowest_of(struct pl_trust *x, struct pl_node *read, int *writing, int *reading)
{
    if (read->op != PL_OP_NONE)
        read->order = read->order_ok;
    *writing = *reading = pl_trust_lowest(x, read);
    if (read->op == PL_OP_NONE || (read->order_ok == PL_SC) == (read->order_fail == PL_SC))
        return;
    read->order = read->order_fail;
    *reading = pl_trust_lowest(x, read);
}

/* Of the possibilities that come by, is the n-th the one to take? Each is in the end with the
 * same probability; under sc it is the first, the newest: the order of events has decided. */
static bool taken(struct pl_trust *x, unsigned n)
{
    return n == 1 || (x->sample && x->model != &pl_model_sc && pl_sample_below(x->sample, n) == 0);
}

static bool is_idle(const struct pl_trust_access *a, uint64_t value)
{
    for (unsigned i = 0; i < a->idle_count; i++)
        if (a->idle[i] == value)
            return true;
    return false;
}

/*
 * What a read may take. Of the outdated values those are left out with which its thread would
 * stand still for good:
 * - a step on an object that awaits another value;
 * - the last read r of a round that is then void. Such an r is never revisited, nor deleted by a
 *   revisit, for it is not maximal; but if r belongs to an update that writes back what it read, a
 *   revisit by that write may delete what is newer. Its victim v is older than r and reads what
 *   comes after r, so it is not maximal either, for any write that does not have r in its past; so
 *   again nothing deletes v, and r stays. Hence the thread stands there in every graph that comes
 *   of this one. What the others do in such a graph they do as well where the thread has not made r
 *   yet: nobody but reads of the same value, which are there before r, can tell the difference.
 */
static void choose_rf(struct pl_trust *x, struct pl_node *read, const struct pl_trust_access *a)
{
    struct pl_graph *g = x->g;
    const struct pl_location *l = &g->location[read->location - 1];
    struct pl_ref first = PL_INIT;
    unsigned found = 0;
    struct step step;
    if (pl_trust_scripted(x, read->self, &step)) {
        pl_graph_set_rf(g, read, scripted_rf(g, read, step));
        return;
    }
    int writing, reading;
    uint32_t items = x->items;
    if (a->order == PL_SC || a->order_fail == PL_SC)
        pl_trust_note_sc(x);
    lowest_of(x, read, &writing, &reading);
    if (x->looped) {
        pl_trust_read_in_passing(x, read, reading);
        pl_trust_write_in_passing(x, read, writing);
    }
    for (int place = (int)l->writes - 1; place >= writing || place >= reading; place--) {
        struct pl_ref from = place < 0 ? PL_INIT : l->co[place];
        uint64_t written;
        read->value = place < 0 ? l->initial : pl_at(g, from)->value;
        bool shows = place < 0 && a->undefined;
        if (place != (int)l->writes - 1 &&
            (pl_graph_awaits(read) || (!shows && is_idle(a, read->value))))
            continue;
        bool writes = pl_graph_update(read, read->value, &written);
        if (place != (int)l->writes - 1 && a->retries && !writes && !shows) {
            pl_trust_leave_out(x, (struct pl_round){(uint16_t)a->thread, (uint16_t)(a->retries - 1),
                                                    read->self.index});
            continue;
        }
        if (place < (writes ? writing : reading))
            continue;
        if (a->pair) {
            pl_pairs_push_older(x, read, shows ? NULL : a->pair, place);
            if (!shows && pl_pairs_is_idle(x, read, a->pair, place, place))
                continue;
        }
        bool fits = !writes || pl_graph_fits(g, read->location, (unsigned)(place + 1));
        if (x->sample || x->turning) {
            found += fits;
            if (fits && taken(x, found))
                first = from;
        } else if (!fits) {
            pl_graph_set_rf(g, read, from);
            pl_trust_push_conflicts(x, read);
        } else if (!found) {
            first = from, found = 1;
        } else {
            pl_trust_push(x, (struct item){.kind = WAY_RF, .event = read->self, .from = from});
        }
    }
    if (!found)
        pl_trust_fail(x, "no consistent value for a read: the memory model is not extensible");
    pl_trust_end_ways(x, items);
    pl_graph_set_rf(g, read, first);
}

static void choose_co(struct pl_trust *x, struct pl_node *w)
{
    unsigned low, high, first = 0, found = 0;
    struct step step;
    pl_trust_places(x->g, w, &low, &high);
    if (pl_trust_scripted(x, w->self, &step)) {
        unsigned place = pl_trust_scripted_place(x, w->location, step.a);
        pl_graph_insert_co(x->g, w, place < low ? low : place > high ? high : place);
        return;
    }
    uint32_t items = x->items;
    if (!x->sample && !x->turning)
        pl_trust_push_revisits(x, w, (struct item){.kind = WAY_REVISIT, .event = w->self},
                               UINT32_MAX);
    int least =
        w->flags & PL_GRAPH_F_RMW ? -1 : pl_trust_lowest(x, w); /* an update's read was asked */
    if (x->looped && !(w->flags & PL_GRAPH_F_RMW))
        pl_trust_write_in_passing(x, w, least);
    for (unsigned place = high + 1; place-- > low;) {
        if (!pl_trust_may_stand(x->g, w, place, least))
            continue;
        if (x->twins)
            pl_trust_check_twins(x, w, place);
        found++;
        if (x->sample ? taken(x, found) : found == 1)
            first = place;
        else if (!x->sample && !x->turning)
            pl_trust_push(x, (struct item){.kind = WAY_CO, .event = w->self, .place = place});
    }
    if (!found)
        pl_trust_fail(x, "no consistent place for a write: the memory model is not extensible");
    pl_trust_end_ways(x, items);
    pl_graph_insert_co(x->g, w, first);
    if (x->facts->assumes)
        pl_trust_note_again(x, w);
    if (x->helping.on)
        pl_trust_note_help(x, w);
}

bool pl_trust_ready(struct pl_trust *x, const struct pl_trust_access *a)
{
    if ((!x->sample && !x->turning) || x->script || !pl_trust_is_fresh(x, a->thread))
        return true;
    const struct pl_location *l = &x->g->location[pl_trust_location(x, a->key, a->initial) - 1];
    uint64_t value = l->writes ? pl_at(x->g, l->co[l->writes - 1])->value : l->initial;
    struct pl_node read = {.op = (uint8_t)a->op,
                           .await = (uint8_t)a->await,
                           .size = (uint8_t)a->size,
                           .operand = a->operand,
                           .expected = a->expected,
                           .value = value};
    return !pl_graph_awaits(&read);
}

uint64_t pl_trust_read(struct pl_trust *x, const struct pl_trust_access *a)
{
    struct pl_node *n = pl_trust_known(x, a->thread, PL_GRAPH_READ, a->key);
    if (n || x->failure)
        return n ? n->value : 0;
    uint32_t location = pl_trust_location(x, a->key, a->initial);
    n = pl_trust_added(x, pl_graph_add(x->g, a->thread, PL_GRAPH_READ, location));
    n->order = n->order_ok = (uint8_t)a->order;
    n->size = (uint8_t)a->size;
    n->await = (uint8_t)a->await;
    n->expected = a->expected;
    n->flags = a->flags;
    if (a->flags & PL_GRAPH_F_PAIR)
        pl_pairs_begin(x);
    if (x->facts->pairs) {
        pl_pairs_made(x, n, true);
        pl_pairs_check(x, n);
    }
    choose_rf(x, n, a);
    return n->value;
}

void pl_trust_write(struct pl_trust *x, const struct pl_trust_access *a, uint64_t value)
{
    struct pl_node *n = pl_trust_known(x, a->thread, PL_GRAPH_WRITE, a->key);
    if (n || x->failure) {
        if (n && n->value != value)
            pl_trust_fail(
                x, "the program does not repeat itself: it writes another value than before");
        return;
    }
    uint32_t location = pl_trust_location(x, a->key, a->initial);
    n = pl_trust_added(x, pl_graph_add(x->g, a->thread, PL_GRAPH_WRITE, location));
    n->order = (uint8_t)a->order;
    n->size = (uint8_t)a->size;
    n->value = value;
    n->flags = a->flags;
    if (x->facts->pairs) {
        pl_pairs_made(x, n, true);
        pl_pairs_check(x, n);
    }
    if (x->over)
        return;
    if (a->order == PL_SC)
        pl_trust_note_sc(x);
    pl_graph_set_release(x->g, n);
    choose_co(x, n);
}

const struct pl_node *pl_trust_update_read(struct pl_trust *x, const struct pl_trust_access *a)
{
    struct pl_node *r = pl_trust_known(x, a->thread, PL_GRAPH_READ, a->key);
    x->over = x->over || (r && pl_pair_is_vain(r));
    if (!r && !x->failure) {
        uint32_t location = pl_trust_location(x, a->key, a->initial);
        r = pl_trust_added(x, pl_graph_add(x->g, a->thread, PL_GRAPH_READ, location));
        r->size = (uint8_t)a->size;
        r->op = (uint8_t)a->op;
        r->order_ok = (uint8_t)a->order;
        r->order_fail = (uint8_t)a->order_fail;
        r->operand = a->operand;
        r->expected = a->expected;
        r->await = (uint8_t)a->await;
        r->flags = a->flags;
        r->other = a->unseen;
        if (x->facts->pairs) {
            pl_pairs_made(x, r, true);
            pl_pairs_check(x, r);
        }
        if (!(a->flags & PL_GRAPH_F_PAIR) || !pl_pairs_choose(x, r, a->retries - 1))
            choose_rf(x, r, a);
    }
    return x->failure ? NULL : r;
}

bool pl_trust_update_write(struct pl_trust *x, const struct pl_trust_access *a)
{
    struct pl_node *r = &x->g->thread[a->thread].node[x->made[a->thread] - 1];
    uint64_t written;
    bool ok = !x->over && pl_graph_update(r, r->value, &written);
    if (ok && !pl_trust_known(x, a->thread, PL_GRAPH_WRITE, a->key))
        choose_co(x, pl_trust_added(x, pl_trust_add_update_write(x, r)));
    return ok;
}

uint64_t pl_trust_update(struct pl_trust *x, const struct pl_trust_access *a, bool *ok)
{
    const struct pl_node *r = pl_trust_update_read(x, a);
    *ok = r && pl_trust_update_write(x, a);
    return r ? r->value : 0;
}

bool pl_trust_changes(const struct pl_trust_access *a, uint64_t value)
{
    struct pl_node read = {.op = (uint8_t)a->op,
                           .size = (uint8_t)a->size,
                           .operand = a->operand,
                           .expected = a->expected};
    uint64_t written;
    return pl_graph_update(&read, value, &written) && written != value;
}

unsigned pl_trust_values(struct pl_trust *x, const struct pl_trust_access *a, uint64_t *out,
                         unsigned room)
{
    const struct pl_location *l = &x->g->location[pl_trust_location(x, a->key, a->initial) - 1];
    unsigned count = 0;
    for (int place = (int)l->writes - 1; place >= -1 && count < room; place--) {
        uint64_t value = place < 0 ? l->initial : pl_at(x->g, l->co[place])->value;
        unsigned i = 0;
        while (i < count && out[i] != value)
            i++;
        if (i == count)
            out[count++] = value;
    }
    return count;
}
