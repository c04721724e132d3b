// Atomics of several sizes side by side in one word are locations of their own: two threads add to
// three of them, 2^3, with the wrap-around of each size.
// counts: sc=8 tso=8 rc11=8
#include "threads.h"

static struct {
    _Atomic uint8_t a, untouched;
    _Atomic uint16_t b;
    _Atomic uint32_t c;
} word;

static void *body(void *unused)
{
    atomic_fetch_add_explicit(&word.a, 255, memory_order_relaxed);
    atomic_fetch_sub_explicit(&word.b, 1, memory_order_relaxed);
    atomic_fetch_xor_explicit(&word.c, 5, memory_order_relaxed);
    return unused;
}

int main(void)
{
    start_all(2, body);
    join_all(2);
    assert(atomic_load(&word.a) == 254 && atomic_load(&word.untouched) == 0);
    assert(atomic_load(&word.b) == 65534 && atomic_load(&word.c) == 0);
    return 0;
}
