/*
 * Values written in passing.
 *
 * A void round may add to a location and take it back, or store what is overwritten before anybody
 * is told of it. That its thread stands still there loses nothing as long as nobody reads what was
 * written on the way; who does makes the thread go on (pl_round_minds()). But under rc11 a read may
 * be outdated: one that comes after something the thread did later, without happens-before,
 *
 *     thread t:  add ─ take back ─ … ─ store flag        other:  load flag ─ load the location
 *                └──── void ────┘
 *
 * can still take such a value, and it is in no graph as long as t stands. Under sc and tso it
 * cannot: what is read is the newest, and t has taken back before it goes on.
 *
 * And whoever reads such a value, while t stands, makes it go on although nothing in t's own past
 * has changed. What t does then cannot revisit a read that is older than the one that saw it: the
 * reader would have to be deleted, and is not maximal; and where it is, t stands. So if a thread
 * was seen by one who did not just wait himself, not every execution is explored either.
 *
 * The first needs two things to be noted: which thread left out rounds that write where (a void
 * round was seen), and where a read could have taken from rounds of which thread, had there been
 * any. Where both are the same not every execution was explored, and the tool says so. A round can
 * have been left out where the thread came to the head of a loop, with k events made; the causal
 * past of its end is an execution of its own, in which the thread stands, so it was seen there,
 * with the same k. (Also where the round is hopeless.) A read m could take from it
 *   - if an event after those k is in m's causal past (else m can be made while t stands);
 *   - unless that event happens before m, for then so does the taking back;
 *   - unless m may only read what is no older than t's next access to the location.
 * The same goes for a write m, or an update, if the round takes back with a store: it could come
 * before that in co. Where it takes back with an update it cannot, for what was taken back is
 * taken.
 */
#include "explore/trust_internal.h"

static void note(uint64_t *set, uint32_t *count, uint64_t key, unsigned thread, unsigned since)
{
    uint64_t place = (uint64_t)(thread + 1) << 32 | since;
    uint64_t name = (key ^ place * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    for (uint32_t i = 0; i < *count && i < PL_TRUST_PASSINGS; i++)
        if (set[i] == name)
            return;
    if (*count < PL_TRUST_PASSINGS)
        set[*count] = name;
    if (*count <= PL_TRUST_PASSINGS)
        ++*count;
}

void pl_trust_at_head(struct pl_trust *x, unsigned thread, bool counted)
{
    uint16_t *count = &x->heads[thread];
    x->marked = true;
    if (counted)
        return; /* no round of it is ever left out */
    x->looped = true;
    if (*count && *count <= HEADS && x->head[thread][*count - 1] == x->made[thread])
        return;
    if (*count < HEADS)
        x->head[thread][*count] = (uint16_t)x->made[thread];
    if (*count <= HEADS)
        ++*count;
}

void pl_trust_tell(struct pl_trust *x, struct pl_ref e)
{
    uint64_t key = x->g->location[pl_at(x->g, e)->location - 1].key;
    struct pl_trust_passing *p = &x->passing[PL_TRUST_READ];
    note(p->written, &p->writtens, key, PL_GRAPH_THREADS, 0);
    note(p->met, &p->mets, key, PL_GRAPH_THREADS, 0);
}

void pl_trust_leave_out(struct pl_trust *x, struct pl_round r)
{
    const struct pl_graph *g = x->g;
    if (x->model != &pl_model_rc11)
        return;
    for (unsigned k = r.from; k < r.to; k++) {
        const struct pl_node *n = &g->thread[r.thread].node[k];
        if (!pl_round_passes(g, r, n))
            continue;
        struct pl_trust_passing *p = x->passing;
        uint64_t key = g->location[n->location - 1].key;
        note(p[PL_TRUST_READ].written, &p[PL_TRUST_READ].writtens, key, r.thread, r.from);
        if (pl_round_takes_back_by_store(g, r, n))
            note(p[PL_TRUST_FOLLOWED].written, &p[PL_TRUST_FOLLOWED].writtens, key, r.thread,
                 r.from);
    }
}

/* Could there be such a round where the thread had made `since` events? */
static bool could_meet(const struct pl_graph *g, const struct pl_node *m, unsigned t,
                       unsigned since, int least)
{
    if (m->hb[t] > since || m->porf[t] <= since)
        return false;
    const struct pl_node *next = NULL;
    for (const struct pl_node *n = pl_last_access(g, m->location, t, m->porf[t]);
         n && n->self.index >= since; n = pl_before(n))
        next = n;
    return !next || least < pl_place(g, next);
}

/* The event, which may have to do with what is as old as `least`, could have to do with such a
 * round. */
static void note_passing(struct pl_trust *x, const struct pl_node *m, int least,
                         struct pl_trust_passing *p)
{
    const struct pl_graph *g = x->g;
    uint64_t key = g->location[m->location - 1].key;
    for (unsigned t = 0; t < g->threads; t++) {
        if (t == m->self.thread || m->porf[t] <= m->hb[t])
            continue;
        for (unsigned i = 0; i < x->heads[t] && i < HEADS; i++)
            if (could_meet(g, m, t, x->head[t][i], least))
                note(p->met, &p->mets, key, t, x->head[t][i]);
        if (x->heads[t] > HEADS)
            p->mets = PL_TRUST_PASSINGS + 1; /* then any */
    }
}

void pl_trust_read_in_passing(struct pl_trust *x, const struct pl_node *m, int least)
{
    if (x->model == &pl_model_rc11 && (m->op == PL_OP_NONE || m->op == PL_OP_CAS))
        note_passing(x, m, least, &x->passing[PL_TRUST_READ]);
}

void pl_trust_write_in_passing(struct pl_trust *x, const struct pl_node *m, int least)
{
    if (x->model == &pl_model_rc11 && (m->kind == PL_GRAPH_WRITE || m->op != PL_OP_NONE))
        note_passing(x, m, least, &x->passing[PL_TRUST_FOLLOWED]);
}

static bool misses(const struct pl_trust_passing *p)
{
    if (p->writtens > PL_TRUST_PASSINGS || p->mets > PL_TRUST_PASSINGS)
        return p->writtens && p->mets;
    for (uint32_t i = 0; i < p->writtens; i++)
        for (uint32_t k = 0; k < p->mets; k++)
            if (p->written[i] == p->met[k])
                return true;
    return false;
}

bool pl_trust_misses(const struct pl_trust *x)
{
    return misses(&x->passing[PL_TRUST_READ]) || misses(&x->passing[PL_TRUST_FOLLOWED]);
}

const struct pl_trust_passing *pl_trust_passing(const struct pl_trust *x)
{
    return x->passing;
}
