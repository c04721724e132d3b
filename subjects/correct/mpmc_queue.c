/*
 * Vyukov's bounded queue for many producers and consumers. A cell's turn says whose it is: equal to
 * a producer's position, it is free for that producer; one more, it is full, for the consumer of
 * that position; the consumer adds the number of cells, for the producer of the next round. The
 * turn is stored with release when the cell is done with, and loaded with acquire. A position is
 * claimed by an exchange.
 *
 * The first cell may be claimed and not yet full while the next is full. To answer "empty" then
 * would be wrong, since a completed enqueue is there to be taken: a dequeue says so only when no
 * producer has claimed its position, and waits for the cell otherwise. Likewise for "full". For
 * this the positions are seq_cst: a consumer that finds a position taken must see every enqueue
 * that the one who took it had seen; and of a producer that says "full" and a consumer that says
 * "empty" one must see what the other has done before.
 */
#include <plumb.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef NOBODY
#define NOBODY(other, position) (atomic_load_explicit(&(other), CLAIMED) == (position))
#endif
#ifndef CLAIM
#define CLAIM   memory_order_seq_cst
#define CLAIMED memory_order_seq_cst
#endif

enum { CELLS = 2 };

struct cell {
    atomic_uint turn;
    int value;
};

static struct cell cell[CELLS];
static atomic_uint put, taken; /* positions claimed so far */

static void queue_init(void)
{
    for (unsigned i = 0; i < CELLS; i++)
        atomic_init(&cell[i].turn, i);
}

static bool enq(int value) /* false: full */
{
    unsigned position = atomic_load_explicit(&put, CLAIMED);
    for (;;) {
        struct cell *c = &cell[position % CELLS];
        unsigned turn = atomic_load_explicit(&c->turn, memory_order_acquire);
        if (turn == position) {
            if (!atomic_compare_exchange_weak_explicit(&put, &position, position + 1, CLAIM,
                                                       CLAIMED))
                continue;
            c->value = value;
            atomic_store_explicit(&c->turn, position + 1, memory_order_release);
            return true;
        }
        if ((int)(turn - position) < 0 && NOBODY(taken, position - CELLS))
            return false;
        position = atomic_load_explicit(&put, CLAIMED);
    }
}

static int deq(void) /* 0: empty */
{
    unsigned position = atomic_load_explicit(&taken, CLAIMED);
    for (;;) {
        struct cell *c = &cell[position % CELLS];
        unsigned turn = atomic_load_explicit(&c->turn, memory_order_acquire);
        if (turn == position + 1) {
            if (!atomic_compare_exchange_weak_explicit(&taken, &position, position + 1, CLAIM,
                                                       CLAIMED))
                continue;
            int value = c->value;
            atomic_store_explicit(&c->turn, position + CELLS, memory_order_release);
            return value;
        }
        if ((int)(turn - position - 1) < 0 && NOBODY(put, position))
            return 0;
        position = atomic_load_explicit(&taken, CLAIMED);
    }
}

PLUMB_SETUP(queue_init())
PLUMB_CALL(enq(1))
PLUMB_CALL(enq(2))
PLUMB_CALL(deq())
