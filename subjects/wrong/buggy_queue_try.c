/* BuggyQueue with a dequeue that does not wait: it answers 0 when the queue is empty. */
#define NOTHING_THERE return 0
#include "buggy_queue.c"
