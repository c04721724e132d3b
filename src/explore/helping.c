/*
 * Helping: a compare-exchange by which a thread does what another is about to do itself.
 *
 *     owner E                            helper H
 *     …  e  link(last, n)                r  last = load(&tail)
 *        c  cas(&tail, last, n)             n = load(&last->next)      reads from e
 *                                        h  cas(&tail, last, n)        then begins again
 *
 * Lock-free code is full of it, and each who may help multiplies the executions, which differ in
 * nothing but who did it. So H does not make h: it stands still there, as at the end of a void
 * round, and the write of E revisits r. That is so if
 *   A1  nobody looks at what h or c returns; after h, whatever it does, the round of H ends, and
 *       the round has only read; c comes right after e, with no call, return or access between;
 *   A2  c and h are the same: location, size, values, order, which is a releasing one;
 *   A3  e, and nothing of E after it, happens before h;
 *   A4  in the round H has read the expected value, by r; the write w it came from happens
 *       before e, and so does all that whoever acquires w learns;
 *   A5  that location never gets a value again that it has had, nor is it written, in an order
 *       that does not release, by a thread that has released there before;
 *   A6  under rc11 there is no seq_cst event;
 *   A7  nobody accesses the location by plain accesses once it is an atomic, nor is its memory
 *       freed while threads run;
 *   A8  nothing races with what the round has read: if it could, that is looked for afterwards
 *       (left_out.c).
 *
 * A1 is for the front end and for the runtime to see, A5 to A7 are taken for granted as long as
 * nothing else is seen; then the search begins again (assumed.c has the argument why that is
 * sound).
 *
 * Why nothing is lost. Let G be an execution in which an h writes. By A5 c does not (the location
 * would have to be `last` again), so it reads something newer than w (A4: not older). Let G' be G
 * with c writing in place of h, and the round of H left out. What reads from h reads from c in G'.
 * That G' is consistent, and has a superset of the histories of G:
 *   - What happens before c does so before h: it is what happens before e (A1, A3), and what w
 *     tells (A4). So whoever reads from c knows no more than in G, for h releases all that H
 *     knows (A2); nor does who reads a later write of E there (A5: else c would head its release
 *     sequence, which it does not if it fails). What comes later of E knows no more, either, and
 *     can read what it did. Other edges are left out only. Without seq_cst events (A6) nothing
 *     else counts under rc11; under sc c takes the place of h in the order of all events, and is
 *     after e there; under tso likewise, and e is in memory, for H has read it, so all of E
 *     before it is.
 *   - No call or return of E is between e and c (A1), so nothing of the order of calls and
 *     returns is gained: those of E before e are before h in G, too.
 *   - Nobody sees who wrote. Races of G are races of G', since less is ordered, but for those
 *     with h itself, that is with plain accesses to its location (A7), and with the reads of the
 *     round (A8).
 *
 * So every helper's write can be taken out, one after the other, along happens-before.
 *
 * Whether H stands depends on its causal past alone, as what a thread does must (trust.h): E's
 * next step follows from e. And H is never stuck there: it stands with r at the newest write only
 * if c has failed though it could have written, for which there is another execution; what H
 * would be stuck for without helping is a round with the newest value, with which h would write
 * (A4).
 */
#include "explore/trust_internal.h"

void pl_trust_help(struct pl_trust *x, uint64_t heap, uint64_t heap_end)
{
    x->helping.on = true;
    x->helping.heap = heap;
    x->helping.heap_end = heap_end;
}

/* A bit for the location; that of the heap is one for all, because twins may rename its blocks. */
static uint64_t bit_of(const struct pl_trust *x, uint64_t key)
{
    uint64_t address = key << 16 >> 16;
    bool heap = address >= x->helping.heap && address < x->helping.heap_end;
    return (uint64_t)1 << (heap ? 0 : 1 + ((address * 0x9e3779b97f4a7c15u) >> 32) % 63);
}

static void spoil(struct pl_trust *x, uint64_t bits)
{
    x->helping.spoilt |= bits;
    if (x->helping.relied & bits)
        x->mistaken = true;
}

void pl_trust_help_not(struct pl_trust *x, uint64_t key)
{
    if (x->helping.on)
        spoil(x, key == PL_TRUST_ANYWHERE ? key : key ? bit_of(x, key) : 1);
}

void pl_trust_note_help(struct pl_trust *x, const struct pl_node *w)
{
    const struct pl_location *l = &x->g->location[w->location - 1];
    bool goes_on = w->head && !pl_releases(w->order); /* a release sequence of its thread */
    if (!(w->flags & PL_GRAPH_F_LOCK) && (goes_on || pl_trust_had_value(x->g, l, w)))
        spoil(x, bit_of(x, l->key));
}

void pl_trust_note_sc(struct pl_trust *x)
{
    if (x->model == &pl_model_rc11)
        spoil(x, ~(uint64_t)0);
}

void pl_trust_intend(struct pl_trust *x, const struct pl_trust_access *a)
{
    if (!x->helping.on || a->thread >= PL_GRAPH_THREADS)
        return;
    x->intends |= (uint64_t)1 << a->thread;
    x->intent[a->thread] = (struct intent){a->key,           a->expected,
                                           a->operand,       (uint16_t)x->made[a->thread],
                                           (uint8_t)a->size, (uint8_t)a->order};
}

/* Is the step that the thread makes after its first k events the same compare-exchange? */
static bool will_do(const struct pl_trust *x, unsigned thread, unsigned k,
                    const struct pl_trust_access *a)
{
    const struct pl_graph *g = x->g;
    const struct pl_node *n = &g->thread[thread].node[k];
    const struct intent *i = &x->intent[thread];
    if (k < g->thread[thread].count)
        return n->kind == PL_GRAPH_READ && (n->flags & PL_GRAPH_F_OWN) &&
               g->location[n->location - 1].key == a->key && n->size == a->size &&
               n->expected == a->expected && n->operand == a->operand && n->order_ok == a->order;
    return (x->intends >> thread & 1) && i->made == k && i->address == a->key << 16 >> 16 &&
           i->size == a->size && i->expected == a->expected && i->operand == a->operand &&
           i->order == a->order; /* A2 */
}

/* Has all that who acquires w learns happened before e? */
static bool knows(const struct pl_node *e, const struct pl_node *w)
{
    for (unsigned t = 0; t < PL_GRAPH_THREADS; t++)
        if (w->release[t] > e->hb[t])
            return false;
    return pl_in_hb(e, w->self);
}

bool pl_trust_is_helped(struct pl_trust *x, const struct pl_trust_access *a, unsigned since)
{
    const struct pl_graph *g = x->g;
    unsigned h = a->thread, made = h < g->threads ? g->thread[h].count : 0;
    uint64_t bit = bit_of(x, a->key);
    if (!x->helping.on || !made || x->sample || x->script || x->probing || x->bounded ||
        (x->helping.spoilt & bit) || a->expected == a->operand || !pl_releases(a->order))
        return false;
    const struct pl_node *last = &g->thread[h].node[made - 1];
    const struct pl_node *r = pl_last_access(g, pl_trust_location(x, a->key, a->initial), h, made);
    if (!r || r->kind != PL_GRAPH_READ || r->self.index < since || r->value != a->expected) /* A4 */
        return false;
    for (unsigned e = 0; e < g->threads; e++) {
        unsigned k = last->hb[e]; /* A3 */
        if (e == h || !k || !will_do(x, e, k, a))
            continue;
        if (!pl_is_init(r->rf) && !knows(&g->thread[e].node[k - 1], pl_at(g, r->rf))) /* A4 */
            continue;
        x->helping.relied |= bit;
        return true;
    }
    return false;
}
