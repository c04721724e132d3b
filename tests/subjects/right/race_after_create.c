// expect: pass
/* What main wrote before it created the thread is ordered before it, and what the thread did
 * before the join. */
#include "../help.h"

int before, after;

static void *look(void *unused)
{
    after = before + 1;
    return unused;
}

int main(void)
{
    before = 1;
    pthread_t thread = start(look, NULL);
    finish(thread);
    assert(after == 2);
    after = before = 0;
    return 0;
}
