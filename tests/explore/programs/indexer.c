// indexer(N), from "Dynamic partial-order reduction for model checking software" (POPL 2005): each
// thread puts four messages into a hash table of 128 places, open addressing by compare-and-swap.
// Up to 11 threads never meet; 15 of them have 4,096 executions.
// counts: -DN=11 sc=1 tso=1 rc11=1
// counts: -DN=12 sc=8 tso=8 rc11=8
// counts: -DN=13 sc=64 tso=64 rc11=64
// counts: -DN=14 sc=512 tso=512 rc11=512
// counts: -DN=15 sc=4096
#include "threads.h"

#ifndef N
#define N 12
#endif

enum { SIZE = 128, MESSAGES = 4 };

static atomic_int table[SIZE];

static void *insert(void *argument)
{
    for (int m = 1; m <= MESSAGES; m++) {
        int message = m * 11 + number_of(argument);
        int place = message * 7 % SIZE, empty = 0;
        while (!atomic_compare_exchange_strong(&table[place], &empty, message)) {
            place = (place + 1) % SIZE;
            empty = 0;
        }
    }
    return NULL;
}

int main(void)
{
    start_all(N, insert);
    join_all(N);
    return 0;
}
