/*
 * What the documentation of the blocking collection promises (Line-Up, 5.2.2: causes H and I are
 * meant): count may answer less than there is, and a try_take may find nothing though there is
 * something. An array may be empty for the same reason: the paper does not speak of it. A take that
 * waits takes the oldest item. (Cause K, that a cancel takes effect after it has returned, is the
 * mark `late` of the operation.) For wrong/lineup_blocking_collection.c.
 */
#include <plumb/spec.h>
#include <string.h>

enum { ROOM = 12, NOT_ALLOWED = -1, IS_CANCELLED = -2 };

struct plumb_state {
    int item[ROOM], items, complete, cancelled;
};

static plumb_result put(struct plumb_state *s, int item)
{
    if (s->complete)
        return plumb_int(NOT_ALLOWED);
    s->item[s->items++ % ROOM] = item;
    return plumb_int(1);
}

static plumb_result take_first(struct plumb_state *s)
{
    int first = s->item[0];
    memmove(s->item, s->item + 1, sizeof s->item - sizeof *s->item);
    s->item[--s->items] = 0;
    return plumb_int(first);
}

static plumb_result take_or_wait(struct plumb_state *s, int at_the_end)
{
    if (s->cancelled)
        return plumb_int(IS_CANCELLED);
    if (s->items)
        return take_first(s);
    return s->complete ? plumb_int(at_the_end) : plumb_blocks();
}

static plumb_result take_or_not(struct plumb_state *s)
{
    if (s->cancelled)
        return plumb_int(IS_CANCELLED);
    return s->items && plumb_choose(2) ? take_first(s) : plumb_int(0);
}

PLUMB_STEP(add)
{
    return put(s, (int)a.i[0]);
}

PLUMB_STEP(try_add)
{
    return put(s, (int)a.i[0]);
}

PLUMB_STEP(try_add_for)
{
    return put(s, (int)a.i[0]);
}

PLUMB_STEP(take)
{
    return take_or_wait(s, NOT_ALLOWED);
}

PLUMB_STEP(take_with_enum)
{
    return take_or_wait(s, 0);
}

PLUMB_STEP(try_take)
{
    return take_or_not(s);
}

PLUMB_STEP(try_take_for)
{
    return take_or_not(s);
}

PLUMB_STEP(count)
{
    return plumb_int(plumb_choose(s->items + 1));
}

PLUMB_STEP(to_array)
{
    unsigned long digits = 0;
    for (int i = 0; i < s->items; i++)
        digits = digits * 10 + (unsigned long)s->item[i];
    return plumb_int(plumb_choose(2) ? (long long)digits : 0);
}

PLUMB_STEP(is_completed)
{
    return plumb_bool(s->complete && !s->items);
}

PLUMB_STEP(is_adding_completed)
{
    return plumb_bool(s->complete);
}

PLUMB_STEP(complete_adding)
{
    s->complete = 1;
    return plumb_ok();
}

PLUMB_STEP(cancel)
{
    s->cancelled = 1;
    return plumb_ok();
}
