/* A loop that tries again, as programs of this directory have it. */
#define RELAXED memory_order_relaxed

static void raise_to_two(atomic_int *where, memory_order order)
{
    for (;;) {
        int old = atomic_load_explicit(where, order);
        if (old >= 2 || atomic_compare_exchange_strong(where, &old, old + 1))
            return;
    }
}
