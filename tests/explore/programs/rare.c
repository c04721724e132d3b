// One order of five threads in 120 fails.
// finding: sc=assertion tso=assertion rc11=assertion
#include "threads.h"

enum { N = 5 };

static atomic_int arrived;
static int place[N];

static void *body(void *argument)
{
    place[number_of(argument)] = atomic_fetch_add(&arrived, 1);
    return NULL;
}

int main(void)
{
    start_all(N, body);
    join_all(N);
    assert(!(place[0] == 3 && place[1] == 1 && place[2] == 4 && place[3] == 0 && place[4] == 2));
    return 0;
}
