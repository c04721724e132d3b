// A loop that is left by an exception, and one whose rounds throw and catch.
// outcomes: sc=1,2 tso=1,2 rc11=1,2
// outcomes: -DINSIDE run=some sc=0,1,2 tso=0,1,2 rc11=0,1,2
#include <atomic>

#include "rounds.h"

static std::atomic<int> flag;

static void *set(void *unused)
{
    flag.store(1);
    flag.store(2);
    return unused;
}

__attribute__((noinline)) static void wait_inside()
{
    for (;;) {
        int value = flag.load();
        if (value)
            throw value;
    }
}

static int wait_for()
{
#ifdef INSIDE
    for (int i = 0; i < 2; i++) {
        try {
            if (!flag.load())
                throw 0;
            return flag.load();
        } catch (int) {
        }
    }
    return 0;
#else
    for (;;) {
        try {
            wait_inside();
        } catch (int value) {
            return value;
        }
    }
#endif
}

int main()
{
    pthread_t a = start(set, 0);
    int value = wait_for();
    finish(a);
    outcome(value);
    return 0;
}
