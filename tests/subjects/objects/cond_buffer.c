/* The bounded buffer of the textbooks: two conditions, two producers, one consumer. */
#include "../help.h"
#include <string.h>

enum { ROOM = 2, EACH = 3 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int buffer[ROOM], head, used;

static void *produce(void *argument)
{
    int base = *(int *)argument;
    for (int i = 0; i < EACH; i++) {
        assert(pthread_mutex_lock(&mutex) == 0);
        while (used == ROOM)
            assert(pthread_cond_wait(&not_full, &mutex) == 0);
        buffer[(head + used) % ROOM] = base + i;
        used++;
        assert(pthread_cond_signal(&not_empty) == 0);
        assert(pthread_mutex_unlock(&mutex) == 0);
    }
    return NULL;
}

int main(void)
{
    int bases[2] = {0, EACH}, seen[2 * EACH], last[2] = {-1, EACH - 1};
    memset(seen, 0, sizeof seen);
    pthread_t a = start(produce, &bases[0]);
    pthread_t b = start(produce, &bases[1]);
    for (int i = 0; i < 2 * EACH; i++) {
        assert(pthread_mutex_lock(&mutex) == 0);
        while (used == 0)
            assert(pthread_cond_wait(&not_empty, &mutex) == 0);
        int value = buffer[head];
        head = (head + 1) % ROOM;
        used--;
        assert(pthread_cond_signal(&not_full) == 0);
        assert(pthread_mutex_unlock(&mutex) == 0);
        assert(value >= 0 && value < 2 * EACH && !seen[value]++);
        assert(last[value / EACH] < value); /* in the order of each producer */
        last[value / EACH] = value;
    }
    finish(a);
    finish(b);
    assert(used == 0);
    return 0;
}
