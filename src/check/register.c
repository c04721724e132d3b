/*
 * Registers whose values are written at most once each, in linear time (Gibbons and Korach).
 *
 * A value, its write and its reads form a cluster; a successful cas(a, b) ends the cluster of
 * a and begins that of b right after, so clusters hang together in chains, and nothing comes
 * between the operations of a chain. Let f be the first return and s the last call in it:
 *
 *     f < s   the chain is under way in all gaps f … s-1, alone;
 *     s < f   all of it can be done in any one gap of s … f-1 that no chain is under way in.
 *
 * The history is good exactly if each chain keeps its own real-time order, no two chains are
 * under way in the same gap, and each chain of the second kind finds its gap. Gaps are those
 * of items.h: gap t is after event t, events count from 1.
 *
 * A failed cas(a, b) only needs a moment when the value is not a. It is put into the order
 * found for the others where that has one; if it has none, another order might: NEITHER.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check/check.h"

#define NONE ((uint32_t)0xffffffff)

struct cluster {
    pl_value value;
    uint32_t head;        /* what writes it; NONE: the initial value */
    uint32_t leave;       /* the cas or swap that ends it; NONE */
    uint32_t first, last; /* its reads, linked */
    uint32_t next;        /* the cluster that `leave` begins */
    bool begins_chain;
};

struct registers {
    const struct pl_case *c;
    const struct pl_history *h;
    struct cluster *cluster;
    uint32_t clusters;
    uint32_t *slot, mask; /* value -> cluster + 1 */
    uint32_t *link;       /* reads of a cluster */
    uint32_t *failed;     /* compare-and-swaps that failed; reads of nobody knows what */
    uint32_t failures;
    bool *busy;         /* of a gap: a chain is under way */
    uint32_t *free_gap; /* the next one that is not */
    /* the order: operations by gap and phase */
    uint32_t *entry_operation, *entry_gap;
    uint32_t entries;
    uint32_t suspect; /* BAD: near this event something is wrong */
};

static uint32_t *find(const struct registers *r, pl_value v)
{
    uint32_t k = (uint32_t)(((uint64_t)v * 0x9e3779b97f4a7c15u) >> 36) & r->mask;
    while (r->slot[k] && r->cluster[r->slot[k] - 1].value != v)
        k = (k + 1) & r->mask;
    return &r->slot[k];
}

static struct cluster *add_cluster(struct registers *r, pl_value v, uint32_t head)
{
    uint32_t *slot = find(r, v);
    if (*slot)
        return NULL;
    struct cluster *c = &r->cluster[r->clusters++];
    *slot = r->clusters;
    *c = (struct cluster){v, head, NONE, NONE, NONE, NONE, true};
    return c;
}

static bool is_cas(const struct pl_operation *o)
{
    return o->code == PL_REGISTER_CAS;
}

static bool writes(const struct pl_operation *o)
{
    return o->code != PL_REGISTER_READ && !(is_cas(o) && o->result == 0);
}

static pl_value written(const struct pl_operation *o)
{
    return o->argument[is_cas(o)];
}

/* The value an operation must find; false: any. */
static bool finds(const struct pl_operation *o, pl_value *value)
{
    *value = is_cas(o) ? o->argument[0] : o->result;
    return is_cas(o) || (o->code != PL_REGISTER_WRITE && o->result != PL_ANY);
}

/* Clusters of all that is written. Pending writes too: those not read are dropped later. */
static enum pl_decision add_writes(struct registers *r)
{
    (void)add_cluster(r, r->c->initial, NONE);
    for (uint32_t i = 0; i < r->h->count; i++) {
        const struct pl_operation *o = &r->h->operation[i];
        if (is_cas(o) && !pl_pending(o) && o->result == PL_ANY)
            return PL_NEITHER;
        if (writes(o) && !add_cluster(r, written(o), i))
            return PL_NEITHER; /* written twice */
    }
    return PL_GOOD;
}

static enum pl_decision add_read(struct registers *r, uint32_t i, pl_value value)
{
    const struct pl_operation *o = &r->h->operation[i];
    uint32_t slot = *find(r, value);
    r->suspect = pl_pending(o) ? o->call : o->ret;
    if (!slot)
        return PL_BAD; /* never written */
    struct cluster *c = &r->cluster[slot - 1];
    if (o->code == PL_REGISTER_READ) {
        *(c->first == NONE ? &c->first : &r->link[c->last]) = i;
        r->link[c->last = i] = NONE;
        return PL_GOOD;
    }
    if (c->leave != NONE)
        return PL_BAD; /* the value was there once, and left twice */
    uint32_t next = *find(r, written(o)) - 1;
    c->leave = i;
    c->next = next;
    r->cluster[next].begins_chain = false;
    return PL_GOOD;
}

/* A pending write counts if its value was seen. */
static bool seen(const struct registers *r, const struct pl_operation *o)
{
    const struct cluster *c = &r->cluster[*find(r, written(o)) - 1];
    return c->first != NONE || c->leave != NONE;
}

/*
 * Reads, then what leaves a cluster. Pending ones last, from the latest call back: whether one
 * counts depends on what left its own cluster; repeated until nothing changes.
 */
static enum pl_decision add_reads(struct registers *r)
{
    enum pl_decision decision = PL_GOOD;
    uint32_t pending = 0;
    pl_value value;
    for (uint32_t i = 0; i < r->h->count && decision == PL_GOOD; i++) {
        const struct pl_operation *o = &r->h->operation[i];
        if (pl_pending(o))
            pending += is_cas(o);
        else if (!writes(o) && (is_cas(o) || o->result == PL_ANY))
            r->failed[r->failures++] = i;
        else if (finds(o, &value))
            decision = add_read(r, i, value);
    }
    bool *used = pl_zeroed(r->h->count, sizeof *used);
    for (bool changed = pending > 0; changed && decision == PL_GOOD;) {
        changed = false;
        for (uint32_t i = 0; i < r->h->count && decision == PL_GOOD; i++) {
            const struct pl_operation *o = &r->h->operation[i];
            if (!pl_pending(o) || !is_cas(o) || used[i] || !seen(r, o))
                continue;
            used[i] = changed = true;
            decision = add_read(r, i, o->argument[0]);
        }
    }
    free(used);
    return decision;
}

/* One operation of a chain. The chain's entries follow each other. */
static void add_entry(struct registers *r, uint32_t i)
{
    r->entry_operation[r->entries++] = i;
}

/* The operations of a chain, in order. */
static void list_chain(struct registers *r, uint32_t k)
{
    while (k != NONE) {
        const struct cluster *c = &r->cluster[k];
        if (c->head != NONE && c->begins_chain)
            add_entry(r, c->head);
        for (uint32_t i = c->first; i != NONE; i = r->link[i])
            add_entry(r, i);
        if (c->leave != NONE)
            add_entry(r, c->leave);
        k = c->next;
    }
}

static uint32_t returns(const struct registers *r, uint32_t i)
{
    const struct pl_operation *o = &r->h->operation[i];
    return pl_pending(o) ? r->h->events + 1 : o->ret + 1;
}

/* f and s of a chain; false: it breaks its own real-time order. */
static bool measure(struct registers *r, uint32_t from, uint32_t to, uint32_t *f, uint32_t *s)
{
    for (uint32_t e = from; e < to; e++) {
        uint32_t i = r->entry_operation[e], ret = returns(r, i);
        uint32_t call = r->h->operation[i].call + 1;
        r->suspect = call;
        if (ret < *s)
            return false;
        *s = call > *s ? call : *s;
        *f = ret < *f ? ret : *f;
    }
    return true;
}

/* Of one gap come first the end of a chain under way, then whole chains, then the beginning
   of one under way: the key is 3 * gap + 0, 1, 2. */
static bool place_under_way(struct registers *r, uint32_t from, uint32_t to, uint32_t f, uint32_t s)
{
    uint32_t gap = f ? f - 1 : 0;
    for (uint32_t g = f; g < s; g++) {
        r->suspect = g;
        if (r->busy[g])
            return false;
        r->busy[g] = true;
    }
    for (uint32_t e = from; e < to; e++) {
        uint32_t call = r->h->operation[r->entry_operation[e]].call + 1;
        gap = call > gap ? call : gap;
        r->entry_gap[e] = 3 * gap + (f && gap < f ? 2 : 0);
    }
    return true;
}

static bool place_chains(struct registers *r, uint32_t *start)
{
    struct zone {
        uint32_t f, s;
    } *zone = pl_zeroed(r->clusters, sizeof *zone);
    uint32_t chains = 0;
    bool good = true;
    for (uint32_t k = 0; k < r->clusters && good; k++) {
        const struct cluster *c = &r->cluster[k];
        bool dropped = c->head != NONE && pl_pending(&r->h->operation[c->head]) &&
                       !seen(r, &r->h->operation[c->head]);
        if (!c->begins_chain || dropped)
            continue;
        struct zone *z = &zone[chains];
        start[chains++] = r->entries;
        *z = (struct zone){c->head == NONE ? 0 : NONE, 0};
        list_chain(r, k);
        good = measure(r, start[chains - 1], r->entries, &z->f, &z->s);
        if (good && z->f < z->s)
            good = place_under_way(r, start[chains - 1], r->entries, z->f, z->s);
    }
    start[chains] = r->entries;
    uint32_t next = NONE;
    for (uint32_t g = r->h->events + 2; g-- > 0;)
        r->free_gap[g] = next = r->busy[g] ? next : g;
    for (uint32_t k = 0; k < chains && good; k++) {
        if (zone[k].f < zone[k].s || start[k] == start[k + 1])
            continue;
        uint32_t gap = r->free_gap[zone[k].s];
        good = gap < zone[k].f;
        r->suspect = zone[k].f;
        for (uint32_t e = start[k]; e < start[k + 1]; e++)
            r->entry_gap[e] = 3 * gap + 1;
    }
    free(zone);
    return good;
}

/* Every operation that is not pending is in a chain: cycles of cas have no beginning. */
static bool all_there(const struct registers *r)
{
    uint32_t returned = 0;
    for (uint32_t i = 0; i < r->h->count; i++)
        returned += !pl_pending(&r->h->operation[i]);
    for (uint32_t e = 0; e < r->entries; e++)
        returned -= !pl_pending(&r->h->operation[r->entry_operation[e]]);
    return returned == r->failures;
}

static void sort_entries(struct registers *r)
{
    uint32_t keys = 3 * (r->h->events + 3);
    uint32_t *start = pl_zeroed(keys + 1, sizeof *start);
    uint32_t *operation = pl_zeroed(r->entries, sizeof *operation);
    uint32_t *gap = pl_zeroed(r->entries, sizeof *gap);
    for (uint32_t e = 0; e < r->entries; e++)
        start[r->entry_gap[e] + 1]++;
    for (uint32_t k = 0; k < keys; k++)
        start[k + 1] += start[k];
    for (uint32_t e = 0; e < r->entries; e++) {
        uint32_t place = start[r->entry_gap[e]]++;
        operation[place] = r->entry_operation[e];
        gap[place] = r->entry_gap[e] / 3;
    }
    free(start);
    free(r->entry_operation);
    free(r->entry_gap);
    r->entry_operation = operation;
    r->entry_gap = gap;
}

/* The first entry at or after a gap. */
static uint32_t entry_from(const struct registers *r, uint32_t gap)
{
    uint32_t low = 0, high = r->entries;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (r->entry_gap[middle] < gap)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* before[e]: failed ones to come before entry e, linked; false: one finds no place. */
static bool place_failures(struct registers *r, uint32_t *before)
{
    uint32_t n = r->entries;
    pl_value *found = pl_zeroed(n + 1, sizeof *found);           /* before an entry */
    uint32_t *next_write = pl_zeroed(n + 1, sizeof *next_write); /* at or after it */
    bool good = true;
    found[0] = r->c->initial;
    for (uint32_t e = 0; e < n; e++) {
        const struct pl_operation *o = &r->h->operation[r->entry_operation[e]];
        found[e + 1] = writes(o) ? written(o) : found[e];
        before[e] = NONE;
    }
    before[n] = NONE;
    next_write[n] = n;
    for (uint32_t e = n; e-- > 0;)
        next_write[e] = writes(&r->h->operation[r->entry_operation[e]]) ? e : next_write[e + 1];
    for (uint32_t k = r->failures; k-- > 0 && good;) { /* those called first come first */
        const struct pl_operation *o = &r->h->operation[r->failed[k]];
        uint32_t at = entry_from(r, o->call + 1);
        if (is_cas(o) &&
            found[at] == o->argument[0]) { /* wait for the next write; it is of another value */
            at = next_write[at];
            good = at < n && r->entry_gap[at] < o->ret + 1;
            at++;
        }
        if (good) {
            r->link[r->failed[k]] = before[at];
            before[at] = r->failed[k];
        }
    }
    free(found);
    free(next_write);
    return good;
}

static void tell(const struct registers *r, const uint32_t *before, struct pl_witness *out)
{
    pl_value value = r->c->initial;
    for (uint32_t e = 0; e <= r->entries; e++) {
        for (uint32_t i = before ? before[e] : NONE; i != NONE; i = r->link[i])
            pl_witness_add(out, i, is_cas(&r->h->operation[i]) ? 0 : value);
        if (e == r->entries)
            break;
        const struct pl_operation *o = &r->h->operation[r->entry_operation[e]];
        pl_value answer = o->code == PL_REGISTER_WRITE ? PL_NIL : is_cas(o) ? 1 : value;
        pl_witness_add(out, r->entry_operation[e], answer);
        value = writes(o) ? written(o) : value;
    }
}

static enum pl_decision decide(struct registers *r, struct pl_witness *out)
{
    uint32_t *start = pl_zeroed(r->h->count + 2, sizeof *start);
    enum pl_decision decision = add_writes(r);
    if (decision == PL_GOOD)
        decision = add_reads(r);
    if (decision == PL_GOOD && !(place_chains(r, start) && all_there(r)))
        decision = PL_BAD;
    free(start);
    if (decision != PL_GOOD)
        return decision;
    sort_entries(r);
    if (!r->failures) {
        tell(r, NULL, out);
        return PL_GOOD;
    }
    uint32_t *before = pl_zeroed(r->entries + 1, sizeof *before);
    if (place_failures(r, before))
        tell(r, before, out);
    else
        decision = PL_NEITHER;
    free(before);
    return decision;
}

enum pl_decision pl_decide_register(const struct pl_case *c, struct pl_witness *out)
{
    const struct pl_history *h = c->history;
    struct registers r = {.c = c, .h = h, .mask = 15};
    while (r.mask < h->count + h->count / 2)
        r.mask = 2 * r.mask + 1;
    r.slot = pl_zeroed(r.mask, sizeof *r.slot);
    r.cluster = pl_zeroed(h->count + 1, sizeof *r.cluster);
    r.link = pl_zeroed(h->count, sizeof *r.link);
    r.failed = pl_zeroed(h->count, sizeof *r.failed);
    r.busy = pl_zeroed(h->events + 3, sizeof *r.busy);
    r.free_gap = pl_zeroed(h->events + 3, sizeof *r.free_gap);
    r.entry_operation = pl_zeroed(h->count, sizeof *r.entry_operation);
    r.entry_gap = pl_zeroed(h->count, sizeof *r.entry_gap);
    enum pl_decision decision = decide(&r, out);
    out->suspect = r.suspect < h->events ? r.suspect : h->events;
    free(r.slot);
    free(r.cluster);
    free(r.link);
    free(r.failed);
    free(r.busy);
    free(r.free_gap);
    free(r.entry_operation);
    free(r.entry_gap);
    return decision;
}
