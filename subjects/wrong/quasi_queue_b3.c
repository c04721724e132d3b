/*
 * The queue of segments (correct/quasi_queue.c) whose take answers "empty" when it finds nothing in
 * the first segment, and only moves on to the next segment for those that come after it: the fourth
 * of four values is still there.
 */
#define OWN_TAKE
#include "../correct/quasi_queue.c"

static plumb_result deq(plumb_args a)
{
    int value = 0;
    (void)a;
    pthread_mutex_lock(&lock);
    for (int i = head + WIDTH - 1; i >= head && !value; i--) {
        value = cell[i];
        cell[i] = 0;
    }
    if (!value && head + WIDTH <= tail)
        head += WIDTH;
    pthread_mutex_unlock(&lock);
    return value ? plumb_int(value) : plumb_empty();
}
