/*
 * The queue of Herlihy and Wing: an array of slots and the number of them given out. An enqueue
 * takes the next slot and then fills it; a dequeue sweeps over the slots that are given out and
 * takes the first value it finds, again and again until there is one: it waits on an empty queue.
 * No fixed instruction of an enqueue is where it takes effect: of two that have taken their slots
 * it is the sweeps that decide which was first.
 *
 * The counter is what tells a dequeue how far to sweep. An enqueue publishes by it, to the dequeues
 * that see this count or a later one, the slots it has filled before: else they sweep past a full
 * slot and take a younger value. So its fetch-and-add is release; that it learns nothing itself
 * does no harm, a dequeue of its thread reads the counter again. A dequeue publishes by its
 * exchanges, too, what it knew when it was called: one that finds a slot emptied must see the slots
 * that were full before that take began. With acquire alone eight threads show it (--clients 4+4).
 */
#include <stdatomic.h>

#ifndef TAKE_SLOT
#define TAKE_SLOT memory_order_release
#endif
#ifndef SWEEP
#define SWEEP memory_order_acq_rel
#endif

enum { ROOM = 8 };

static _Atomic int item[ROOM]; /* 0: empty */
static atomic_int back;        /* slots given out */

static void enq(int value)
{
    int slot = atomic_fetch_add_explicit(&back, 1, TAKE_SLOT);
    atomic_store_explicit(&item[slot], value, memory_order_release);
}

static int deq(void)
{
    for (;;) {
        int range = atomic_load_explicit(&back, memory_order_acquire);
        for (int i = 0; i < range; i++) {
            int value = atomic_exchange_explicit(&item[i], 0, SWEEP);
            if (value)
                return value;
        }
    }
}
