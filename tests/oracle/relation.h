/*
 * Relations over at most 64 events as bit matrices: bit b of row[a] says a → b. The few
 * operators the papers write axioms with, by value, so that the axioms read like theirs.
 */
#ifndef OR_RELATION_H
#define OR_RELATION_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { OR_EVENTS = 64 };

struct or_rel {
    int n;
    uint64_t row[OR_EVENTS];
};

static inline struct or_rel or_empty(int n)
{
    struct or_rel r;
    memset(&r, 0, sizeof r);
    r.n = n;
    return r;
}

static inline void or_relate(struct or_rel *r, int a, int b)
{
    r->row[a] |= UINT64_C(1) << b;
}

static inline bool or_related(const struct or_rel *r, int a, int b)
{
    return r->row[a] >> b & 1u;
}

/* [S] */
static inline struct or_rel or_identity(int n, uint64_t set)
{
    struct or_rel r = or_empty(n);
    for (int a = 0; a < n; a++)
        r.row[a] = set & UINT64_C(1) << a;
    return r;
}

static inline struct or_rel or_union(struct or_rel a, struct or_rel b)
{
    for (int i = 0; i < a.n; i++)
        a.row[i] |= b.row[i];
    return a;
}

static inline struct or_rel or_intersect(struct or_rel a, struct or_rel b)
{
    for (int i = 0; i < a.n; i++)
        a.row[i] &= b.row[i];
    return a;
}

static inline struct or_rel or_minus(struct or_rel a, struct or_rel b)
{
    for (int i = 0; i < a.n; i++)
        a.row[i] &= ~b.row[i];
    return a;
}

/* a ; b */
static inline struct or_rel or_seq(struct or_rel a, struct or_rel b)
{
    struct or_rel r = or_empty(a.n);
    for (int i = 0; i < a.n; i++)
        for (uint64_t todo = a.row[i]; todo; todo &= todo - 1)
            r.row[i] |= b.row[__builtin_ctzll(todo)];
    return r;
}

static inline struct or_rel or_inverse(struct or_rel a)
{
    struct or_rel r = or_empty(a.n);
    for (int i = 0; i < a.n; i++)
        for (uint64_t todo = a.row[i]; todo; todo &= todo - 1)
            or_relate(&r, __builtin_ctzll(todo), i);
    return r;
}

/* a? */
static inline struct or_rel or_maybe(struct or_rel a)
{
    for (int i = 0; i < a.n; i++)
        or_relate(&a, i, i);
    return a;
}

/* a⁺ */
static inline struct or_rel or_plus(struct or_rel a)
{
    for (int k = 0; k < a.n; k++)
        for (int i = 0; i < a.n; i++)
            if (or_related(&a, i, k))
                a.row[i] |= a.row[k];
    return a;
}

static inline bool or_is_empty(struct or_rel a)
{
    for (int i = 0; i < a.n; i++)
        if (a.row[i])
            return false;
    return true;
}

static inline bool or_irreflexive(struct or_rel a)
{
    for (int i = 0; i < a.n; i++)
        if (or_related(&a, i, i))
            return false;
    return true;
}

static inline bool or_acyclic(struct or_rel a)
{
    return or_irreflexive(or_plus(a));
}

#endif
