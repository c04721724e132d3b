/* A smaller test: see shrink.h. */
#include "shrink/shrink.h"

static bool one_less(struct pl_test *test, pl_is_wrong *is_wrong, void *context)
{
    unsigned count = pl_test_count(test);
    for (unsigned i = count;
         i-- > 0 && count > 1;) { /* the last first: often nothing hangs on it */
        struct pl_test smaller;
        pl_test_without(test, i, &smaller);
        if (smaller.threads > 1 && is_wrong(context, &smaller)) {
            *test = smaller;
            return true;
        }
    }
    return false;
}

void pl_shrink(struct pl_test *test, pl_is_wrong *is_wrong, void *context)
{
    while (one_less(test, is_wrong, context))
        continue;
}
