/*
 * PairSnapshot (Figure 1 of the paper; Qadeer, Sezgin, Tasiran): read takes the first cell, the
 * second, and the first again, and answers if that is the same. It may have been changed and
 * changed back: with write(0, 2), write(1, 2), write(1, 1), write(0, 1) in between the pair (1, 2)
 * is answered, which was never there. One read and four writes are needed.
 */
#include <plumb.h>
#include <stdatomic.h>

static _Atomic(long long) cell[2];

static plumb_result update(plumb_args a)
{
    atomic_store(&cell[a.i[0]], a.i[1]);
    return plumb_ok();
}

static plumb_result scan(plumb_args a)
{
    (void)a;
    for (;;) {
        long long x = atomic_load(&cell[0]);
        long long y = atomic_load(&cell[1]);
        if (x == atomic_load(&cell[0]))
            return plumb_and(plumb_int(x), plumb_int(y));
    }
}

PLUMB_SUBJECT("pair-snapshot", .spec = "snapshot");
PLUMB_OP(update, .ints = {0, 1}, .ints2 = {1, 2});
PLUMB_OP(scan);
