/*
 * What a bag promises (Line-Up, 5.2.2: cause J is meant): a take and a peek answer any item that is
 * in it, and nothing only if there is none. For correct/lineup_bag.c.
 */
#include <plumb/spec.h>

struct plumb_state {
    int tens, twenties;
};

static int any_of(struct plumb_state *s, int remove)
{
    if (!s->tens && !s->twenties)
        return 0;
    int *of = &s->tens;
    if (!s->tens || (s->twenties && plumb_choose(2)))
        of = &s->twenties;
    *of -= remove;
    return of == &s->tens ? 10 : 20;
}

PLUMB_STEP(add)
{
    if (a.i[0] == 10)
        s->tens++;
    else
        s->twenties++;
    return plumb_ok();
}

PLUMB_STEP(try_take)
{
    return plumb_int(any_of(s, 1));
}

PLUMB_STEP(try_peek)
{
    return plumb_int(any_of(s, 0));
}

PLUMB_STEP(count)
{
    return plumb_int(s->tens + s->twenties);
}

PLUMB_STEP(is_empty)
{
    return plumb_bool(s->tens + s->twenties == 0);
}

PLUMB_STEP(to_array)
{
    return plumb_int(10 * s->tens + s->twenties);
}
