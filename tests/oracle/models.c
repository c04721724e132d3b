/* See models.h. Written for the eye: each axiom as its paper has it. */
#include "models.h"

/* --- sets and derived relations ---------------------------------------------------- */

static bool at_least(enum or_order a, enum or_order b)
{
    /* na < rlx < {acq, rel} < ar < sc */
    return a >= b && !(a == OR_REL && b == OR_ACQ);
}

enum which { READS, WRITES, FENCES, ALL };

static uint64_t set_of(const struct or_exec *x, enum which which, enum or_order order)
{
    uint64_t set = 0;
    for (int i = 0; i < x->n; i++) {
        const struct or_node *e = &x->node[i];
        bool in = (which == READS && e->read) || (which == WRITES && e->write) ||
                  (which == FENCES && e->fence) || which == ALL;
        if (in && at_least(e->order, order))
            set |= UINT64_C(1) << i;
    }
    return set;
}

static struct or_rel identity_of(const struct or_exec *x, enum which which, enum or_order order)
{
    return or_identity(x->n, set_of(x, which, order));
}

static struct or_rel same_loc(const struct or_exec *x)
{
    struct or_rel r = or_empty(x->n);
    for (int a = 0; a < x->n; a++)
        for (int b = 0; b < x->n; b++)
            if (x->node[a].loc >= 0 && x->node[a].loc == x->node[b].loc)
                or_relate(&r, a, b);
    return r;
}

static struct or_rel external(const struct or_exec *x, struct or_rel r)
{
    struct or_rel out = or_empty(x->n);
    for (int a = 0; a < x->n; a++)
        for (int b = 0; b < x->n; b++)
            if (or_related(&r, a, b) && x->node[a].thread != x->node[b].thread)
                or_relate(&out, a, b);
    return out;
}

/* rb, also called fr: the read's source is mo-before the write. */
static struct or_rel reads_before(const struct or_exec *x)
{
    return or_seq(or_inverse(x->rf), x->mo);
}

static bool atomic(const struct or_exec *x, struct or_rel rb)
{
    return or_is_empty(or_intersect(x->rmw, or_seq(rb, x->mo)));
}

/* --- sc ----------------------------------------------------------------------------- */

static bool consistent_sc(const struct or_exec *x)
{
    struct or_rel rb = reads_before(x);
    return atomic(x, rb) && or_acyclic(or_union(or_union(x->sb, x->rf), or_union(x->mo, rb)));
}

/* --- tso ---------------------------------------------------------------------------- */

/* A write and a later read of the thread that the store buffer does not part. */
static bool drained(const struct or_exec *x, int write, int read)
{
    if (x->node[write].locked || x->node[read].locked) /* T4, T6 */
        return true;
    if (x->node[write].order == OR_SC) /* T3 */
        return true;
    for (int f = 0; f < x->n; f++) /* T5 */
        if (x->node[f].fence && x->node[f].order == OR_SC && or_related(&x->sb, write, f) &&
            or_related(&x->sb, f, read))
            return true;
    return false;
}

static bool consistent_tso(const struct or_exec *x)
{
    struct or_rel rb = reads_before(x), com = or_union(x->rf, or_union(x->mo, rb));
    if (!atomic(x, rb) || !or_acyclic(or_union(or_intersect(x->sb, same_loc(x)), com)))
        return false;
    struct or_rel preserved = or_empty(x->n); /* po without W→R, and the implied fences */
    for (int a = 0; a < x->n; a++) {
        for (int b = 0; b < x->n; b++) {
            const struct or_node *from = &x->node[a], *to = &x->node[b];
            if (!or_related(&x->sb, a, b) || from->fence || to->fence)
                continue;
            if (!(from->write && to->read) || drained(x, a, b))
                or_relate(&preserved, a, b);
        }
    }
    struct or_rel ghb = or_union(preserved, or_union(external(x, x->rf), or_union(x->mo, rb)));
    return or_acyclic(ghb);
}

/* --- rc11 --------------------------------------------------------------------------- */

/* sw = [E⊒rel];([F];sb)?;rs;rf;[R⊒rlx];(sb;[F])?;[E⊒acq]
 * rs = [W];sb|loc?;[W⊒rlx];(rf;rmw)* */
static struct or_rel happens_before(const struct or_exec *x)
{
    struct or_rel writes = identity_of(x, WRITES, OR_NA), fences = identity_of(x, FENCES, OR_NA);
    struct or_rel sb_loc = or_intersect(x->sb, same_loc(x));
    struct or_rel rs =
        or_seq(or_seq(or_seq(writes, or_maybe(sb_loc)), identity_of(x, WRITES, OR_RLX)),
               or_maybe(or_plus(or_seq(x->rf, x->rmw))));
    struct or_rel from = or_seq(identity_of(x, ALL, OR_REL), or_maybe(or_seq(fences, x->sb)));
    struct or_rel to = or_seq(or_maybe(or_seq(x->sb, fences)), identity_of(x, ALL, OR_ACQ));
    struct or_rel sw =
        or_seq(or_seq(or_seq(from, rs), or_seq(x->rf, identity_of(x, READS, OR_RLX))), to);
    return or_plus(or_union(x->sb, sw));
}

/* psc_base = ([E^sc] ∪ [F^sc];hb?);scb;([E^sc] ∪ hb?;[F^sc])
 * psc_F    = [F^sc];(hb ∪ hb;eco;hb);[F^sc]
 * scb      = sb ∪ sb≠loc;hb;sb≠loc ∪ hb|loc ∪ mo ∪ rb */
static struct or_rel partial_sc(const struct or_exec *x, struct or_rel rb, struct or_rel eco)
{
    struct or_rel loc = same_loc(x), hb = x->hb, sb_other = or_minus(x->sb, loc);
    struct or_rel all_sc = identity_of(x, ALL, OR_SC), fence_sc = identity_of(x, FENCES, OR_SC);
    struct or_rel scb = or_union(or_union(x->sb, or_seq(or_seq(sb_other, hb), sb_other)),
                                 or_union(or_intersect(hb, loc), or_union(x->mo, rb)));
    struct or_rel before = or_union(all_sc, or_seq(fence_sc, or_maybe(hb)));
    struct or_rel after = or_union(all_sc, or_seq(or_maybe(hb), fence_sc));
    struct or_rel base = or_seq(or_seq(before, scb), after);
    struct or_rel through = or_union(hb, or_seq(or_seq(hb, eco), hb));
    return or_union(base, or_seq(or_seq(fence_sc, through), fence_sc));
}

static bool consistent_rc11(const struct or_exec *x)
{
    struct or_rel rb = reads_before(x);
    struct or_rel eco = or_plus(or_union(x->rf, or_union(x->mo, rb)));
    return or_irreflexive(or_seq(x->hb, or_maybe(eco))) && /* coherence */
           atomic(x, rb) &&                                /* atomicity */
           or_acyclic(partial_sc(x, rb, eco)) &&           /* sc */
           or_acyclic(or_union(x->sb, x->rf));             /* no thin air */
}

/* ------------------------------------------------------------------------------------ */

bool or_exec_derive(struct or_exec *x)
{
    x->hb = happens_before(x);
    /* sb ∪ rf is acyclic in every model here: in tso a cycle would have to leave each
     * thread by a write after it came in by a read, and such pairs are kept in order. */
    return or_acyclic(or_union(x->sb, x->rf));
}

bool or_consistent(const struct or_exec *x, enum or_model model)
{
    switch (model) {
    case OR_MODEL_SC:
        return consistent_sc(x);
    case OR_MODEL_TSO:
        return consistent_tso(x);
    case OR_MODEL_RC11:
        return consistent_rc11(x);
    case OR_MODELS:
        break;
    }
    pl_bug(__FILE__, __LINE__, "no such model");
}

bool or_racy(const struct or_exec *x)
{
    for (int a = 0; a < x->n; a++) {
        for (int b = a + 1; b < x->n; b++) {
            const struct or_node *p = &x->node[a], *q = &x->node[b];
            bool conflict = p->loc >= 0 && p->loc == q->loc && (p->write || q->write);
            bool plain = p->order == OR_NA || q->order == OR_NA;
            if (conflict && plain && !or_related(&x->hb, a, b) && !or_related(&x->hb, b, a))
                return true;
        }
    }
    return false;
}
