// A race that both threads could find. Whoever reads flag = 0 comes first in every interleaving
// with this graph, but its write of data need not. finding: sc=data-race tso=data-race
// rc11=data-race
#include "threads.h"

static int data;
static atomic_int flag, other;

static void *body(void *argument)
{
    if (number_of(argument) == 0) {
        atomic_store(&flag, 1);
        data = 1;
    } else if (atomic_load(&flag) == 0) {
        atomic_store(&other, 1);
        data = 2;
    }
    return NULL;
}

int main(void)
{
    start_all(2, body);
    join_all(2);
    return 0;
}
