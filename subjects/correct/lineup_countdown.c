/*
 * The countdown event (Line-Up's Table 1): starts at 2; who brings it to 0 sets a reset event that
 * others wait for. Once at 0 it stays there: a further signal or add_count is an error, and
 * try_add_count answers false. An error is answered as 0, as .NET would throw.
 */
#define INCLUDED
#include "lineup_reset_event.c"

static _Atomic int left = 2;

static int current_count(void)
{
    return left;
}

static bool countdown_is_set(void)
{
    return left == 0;
}

static bool signal(int n)
{
    int old = left;
    do {
        if (old < n)
            return false;
    } while (!atomic_compare_exchange_strong(&left, &old, old - n));
    if (old == n)
        set();
    return true;
}

static bool try_add_count(int n)
{
    int old = left;
    do {
        if (old == 0)
            return false;
    } while (!atomic_compare_exchange_strong(&left, &old, old + n));
    return true;
}

static bool add_count(int n)
{
    return try_add_count(n);
}

static void countdown_wait(void)
{
    if (!countdown_is_set())
        wait();
}

static bool try_wait(void)
{
    return countdown_is_set();
}

PLUMB_CALL(countdown_is_set())
PLUMB_CALL(countdown_wait())
PLUMB_CALL(try_wait())
PLUMB_CALL(current_count())
PLUMB_CALL(wait_one())
PLUMB_CALL(signal(1))
PLUMB_CALL(signal(2))
PLUMB_CALL(add_count(1))
PLUMB_CALL(add_count(2))
PLUMB_CALL(try_add_count(1))
PLUMB_CALL(try_add_count(2))
