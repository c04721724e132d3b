/*
 * The queue of segments (correct/quasi_queue.c) whose take finds its value under the lock, lets go
 * of the lock, and takes it again to clear the cell. Of two takes that find the same value both
 * answer it: the value is taken twice, which no order of the takes explains.
 */
#define OWN_TAKE
#include "../correct/quasi_queue.c"

static plumb_result deq(plumb_args a)
{
    (void)a;
    pthread_mutex_lock(&lock);
    int at = -1;
    for (int base = 0; base < tail && at < 0; base += WIDTH)
        for (int i = base + WIDTH - 1; i >= base && at < 0; i--)
            at = cell[i] ? i : -1;
    int value = at < 0 ? 0 : cell[at];
    pthread_mutex_unlock(&lock);
    if (!value)
        return plumb_empty();
    pthread_mutex_lock(&lock);
    cell[at] = 0;
    pthread_mutex_unlock(&lock);
    return plumb_int(value);
}
