// Dekker's lock for two threads, tries bounded: gives up when it is not its turn yet or after TRIES
// looks. Everything seq_cst, so every model has the executions of sc; WEAK is
// release and acquire only.
// counts: -DTRIES=1 sc=11 tso=11 rc11=11
// counts: -DTRIES=2 sc=20 tso=20 rc11=20
// counts: -DTRIES=3 sc=32 tso=32 rc11=32
// finding: -DWEAK sc=pass tso=data-race rc11=data-race
#include "threads.h"

#ifndef TRIES
#define TRIES 2
#endif

#ifdef WEAK
enum { LOAD = memory_order_acquire, STORE = memory_order_release };
#else
enum { LOAD = memory_order_seq_cst, STORE = memory_order_seq_cst };
#endif

static atomic_int flag[2], turn;
static int count;

static void *body(void *argument)
{
    int i = number_of(argument);
    atomic_store_explicit(&flag[i], 1, STORE);
    for (int k = 0; k < TRIES; k++) {
        if (!atomic_load_explicit(&flag[1 - i], LOAD)) {
            count++;
            atomic_store_explicit(&turn, 1 - i, STORE);
            break;
        }
        if (atomic_load_explicit(&turn, LOAD) != i) {
            atomic_store_explicit(&flag[i], 0, STORE);
            if (atomic_load_explicit(&turn, LOAD) != i)
                return NULL;
            atomic_store_explicit(&flag[i], 1, STORE);
        }
    }
    atomic_store_explicit(&flag[i], 0, STORE);
    return NULL;
}

int main(void)
{
    start_all(2, body);
    join_all(2);
    assert(count <= 2);
    return 0;
}
