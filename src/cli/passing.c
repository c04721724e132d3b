/* See passing.h. */
#include "cli/passing.h"

static void add_names(uint64_t *to, uint32_t *count, const uint64_t *from, uint32_t more)
{
    for (uint32_t i = 0; i < more && i < PL_PASSINGS; i++) {
        uint32_t k = 0;
        while (k < *count && k < PL_PASSINGS && to[k] != from[i])
            k++;
        if (k < PL_PASSINGS && k == *count)
            to[(*count)++] = from[i];
        else if (k == PL_PASSINGS)
            *count = PL_PASSINGS + 1;
    }
    if (more > PL_PASSINGS)
        *count = more;
}

void pl_passing_add(struct pl_passing *to, const struct pl_passing *more)
{
    for (unsigned kind = 0; kind < PL_PASSING_KINDS; kind++) {
        struct pl_passed *all = &to->of[kind];
        const struct pl_passed *new = &more->of[kind];
        add_names(all->written, &all->writtens, new->written, new->writtens);
        add_names(all->met, &all->mets, new->met, new->mets);
    }
    for (uint32_t i = 0; i < PL_OUT_MARKS; i++)
        to->mark[i] |= more->mark[i];
}

bool pl_passing_may_race(const struct pl_passing *p)
{
    for (uint32_t i = 0; i < PL_OUT_MARKS; i++)
        if (p->mark[i] & p->mark[i] >> PL_OUT_LATER & PL_OUT_DONE)
            return true;
    return false;
}

static bool is_met(const struct pl_passed *p)
{
    bool full = p->writtens > PL_PASSINGS || p->mets > PL_PASSINGS;
    if (full && p->writtens && p->mets)
        return true;
    for (uint32_t i = 0; i < p->writtens && !full; i++)
        for (uint32_t k = 0; k < p->mets; k++)
            if (p->written[i] == p->met[k])
                return true;
    return false;
}

bool pl_passing_is_missed(const struct pl_passing *p)
{
    for (unsigned kind = 0; kind < PL_PASSING_KINDS; kind++)
        if (is_met(&p->of[kind]))
            return true;
    return false;
}

#define NOT_EXPLORED                                                                               \
    "a value that a loop writes in passing could be read later, and that is not explored"

const char *pl_passing_text(uint64_t unroll)
{
    return unroll ? NOT_EXPLORED ", not even with --unroll; "
                  : NOT_EXPLORED " (--unroll N does, up to N rounds); ";
}
