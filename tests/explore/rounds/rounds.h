/* A program computes one number below 32 and says it with outcome(): an assertion that fails on a
 * line of its own, so that --keep-going lists every number that can come out. */
#include <assert.h>
#include <pthread.h>
#ifndef __cplusplus
#include <stdatomic.h>
#endif
#include <stddef.h>
#include <stdlib.h>

static inline pthread_t start(void *(*function)(void *), long argument)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, function, (void *)argument))
        abort();
    return thread;
}

static inline void finish(pthread_t thread)
{
    (void)pthread_join(thread, NULL);
}

#ifdef COUNT
int the_outcome; /* for all that the compiler knows, somebody asks */
#endif

static inline void outcome(int number)
{
#ifdef COUNT /* only how many executions there are is asked */
    the_outcome = number;
    return;
#endif
    switch (number) {
    case 0:
        assert(!"outcome 0");
        break;
    case 1:
        assert(!"outcome 1");
        break;
    case 2:
        assert(!"outcome 2");
        break;
    case 3:
        assert(!"outcome 3");
        break;
    case 4:
        assert(!"outcome 4");
        break;
    case 5:
        assert(!"outcome 5");
        break;
    case 6:
        assert(!"outcome 6");
        break;
    case 7:
        assert(!"outcome 7");
        break;
    case 8:
        assert(!"outcome 8");
        break;
    case 9:
        assert(!"outcome 9");
        break;
    case 10:
        assert(!"outcome 10");
        break;
    case 11:
        assert(!"outcome 11");
        break;
    case 12:
        assert(!"outcome 12");
        break;
    case 13:
        assert(!"outcome 13");
        break;
    case 14:
        assert(!"outcome 14");
        break;
    case 15:
        assert(!"outcome 15");
        break;
    case 16:
        assert(!"outcome 16");
        break;
    case 17:
        assert(!"outcome 17");
        break;
    case 18:
        assert(!"outcome 18");
        break;
    case 19:
        assert(!"outcome 19");
        break;
    case 20:
        assert(!"outcome 20");
        break;
    case 21:
        assert(!"outcome 21");
        break;
    case 22:
        assert(!"outcome 22");
        break;
    case 23:
        assert(!"outcome 23");
        break;
    case 24:
        assert(!"outcome 24");
        break;
    case 25:
        assert(!"outcome 25");
        break;
    case 26:
        assert(!"outcome 26");
        break;
    case 27:
        assert(!"outcome 27");
        break;
    case 28:
        assert(!"outcome 28");
        break;
    case 29:
        assert(!"outcome 29");
        break;
    case 30:
        assert(!"outcome 30");
        break;
    case 31:
        assert(!"outcome 31");
        break;
    default:
        abort();
    }
}
