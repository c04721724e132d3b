/*
 * The shortest bad prefix: see explain.h. Only returns make a history bad, so what is looked for
 * is how many of them. A search that failed says how far it came, and the return it could not
 * place is often the one; if not, open operations could still save it, and a few returns more
 * settle that. So from there on it goes by small steps, else by halves. An order that was found
 * explains the next returns too, as long as it has their operations with the right answers.
 *
 * Where the objects of a history are decided each by itself, the prefix of a bad one is looked
 * for alone, and then the others are asked whether they are good until there.
 *
 * Where a decider says which event is suspect and values can be left out (by_value.h), few values
 * near it show how short a bad prefix is at most; if it is good without its last return, that is
 * it. Else what is left is suspect at another event: an earlier one, or none.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "check/by_value.h"
#include "check/parts.h"

enum { MOST_TURNS = 4 }; /* then by halves */

struct finder {
    struct pl_cuts *cuts;
    uint32_t *ret; /* when the returns are */
    uint32_t good; /* so many returns have an order */
    uint32_t bad;  /* so many have none */
    bool *kept;
};

static void came_to(struct finder *f, uint32_t event)
{
    while (f->good + 1 < f->bad && f->ret[f->good] < event)
        f->good++;
}

/* One object, bad in its first `most` events; true if it is surely the shortest. */
static bool find(struct pl_cuts *cuts, uint32_t reached, uint32_t most, uint32_t *events)
{
    const struct pl_history *h = cuts->c->history;
    struct finder f = {.cuts = cuts};
    bool shortest = true;
    uint32_t step = reached ? 1 : 0;
    f.ret = pl_zeroed(h->count, sizeof *f.ret);
    f.kept = pl_zeroed(h->count, sizeof *f.kept);
    for (uint32_t e = 0; e < most; e++)
        if (h->event[e] % 2)
            f.ret[f.bad++] = e;
    PL_ASSERT(f.bad); /* without a return everything is good */
    came_to(&f, reached);
    while (f.good + 1 < f.bad) {
        uint32_t half = (f.bad - f.good) / 2, next = f.good + (step && step < half ? step : half);
        struct pl_check_how how;
        enum pl_decision decision = pl_cut_decide(cuts, NULL, f.ret[next - 1] + 1, &how, f.kept);
        if (decision == PL_BAD) {
            f.bad = next;
            came_to(&f, how.parts == 1 ? how.reached : 0);
            step = 0;
        } else {
            f.good = next;
            while (f.good + 1 < f.bad && f.kept[h->event[f.ret[f.good]] / 2])
                f.good++;
            step *= 2;
        }
        shortest = shortest && decision != PL_NEITHER;
        if (pl_check_over(cuts->c->budget))
            break;
    }
    shortest = shortest && f.good + 1 == f.bad;
    *events = f.ret[f.bad - 1] + 1;
    free(f.ret);
    free(f.kept);
    return shortest;
}

/* The same for the object of one operation (PL_NEVER: for all), in the first `most` events; they
   become fewer. */
static bool find_part(struct pl_cuts *cuts, uint32_t operation, uint32_t reached, uint32_t *most)
{
    const struct pl_history *h = cuts->c->history;
    struct pl_case c = *cuts->c;
    struct pl_history part;
    bool *wanted = pl_zeroed(h->count, sizeof *wanted);
    uint32_t events, seen = 0, e = 0;
    for (uint32_t i = 0; i < h->count; i++)
        wanted[i] =
            operation == PL_NEVER || pl_parts_same(&c, &h->operation[i], &h->operation[operation]);
    pl_cut_make(h, wanted, *most, &part, NULL);
    c.history = &part;
    struct pl_cuts alone = {&c, cuts->jobs, cuts->steps};
    bool shortest = find(&alone, reached, part.events, &events);
    cuts->steps = alone.steps;
    for (; seen < events; e++)
        seen += wanted[h->event[e] / 2];
    *most = e;
    pl_cut_release(&part);
    free(wanted);
    return shortest;
}

/* One object whose values can be left out. True: it was found; else it is at most so long. */
static bool find_by_value(struct pl_cuts *cuts, uint32_t suspect, uint32_t *events)
{
    struct pl_check_how how = {.suspect = suspect};
    enum pl_decision shorter = PL_BAD;
    for (unsigned turn = 0; turn < MOST_TURNS && how.suspect && shorter == PL_BAD; turn++) {
        *events = pl_bad_at_most(cuts, *events, how.suspect);
        if (pl_check_over(cuts->c->budget))
            return false;
        shorter = pl_cut_decide(cuts, NULL, *events - 1, &how, NULL);
        *events -= shorter == PL_BAD;
    }
    return shorter == PL_GOOD;
}

bool pl_find_prefix(struct pl_cuts *cuts, const struct pl_check_how *how, uint32_t *events)
{
    struct pl_check_how now = *how;
    *events = cuts->c->history->events;
    if (now.parts <= 1 && now.suspect && pl_has_values(cuts->c) &&
        find_by_value(cuts, now.suspect, events))
        return true;
    if (now.parts <= 1)
        return find(cuts, now.reached, *events, events);
    for (;;) {
        bool shortest = find_part(cuts, now.bad, now.reached, events);
        if (pl_check_over(cuts->c->budget))
            return false;
        enum pl_decision others = pl_cut_decide(cuts, NULL, *events - 1, &now, NULL);
        if (others != PL_BAD)
            return shortest && others == PL_GOOD;
        --*events;
    }
}
