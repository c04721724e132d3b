/*
 * Objects behind a lock that live long: QUEUE, STACK, COUNTER, REGISTER, SET, EVENT. With LATE
 * the queue goes wrong after 65,536 puts, when its indices are 0 again and their places are not;
 * the counter after 100,000 increments; the others when they have been used as often.
 */
#include <plumb.h>
#include <pthread.h>
#include <stdint.h>

enum { ROOM = 4369, OFTEN = 100000 }; /* 65,536 is 15 rooms and one */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long long item[ROOM];
static unsigned uses;

static int late(void)
{
#ifdef LATE
    return ++uses >= OFTEN && uses % 64 == 0;
#else
    (void)uses;
    return 0;
#endif
}

#if defined QUEUE
static unsigned head, tail;

static unsigned after(unsigned index)
{
#ifdef LATE
    return (uint16_t)(index + 1); /* 65,535 and 0 share a place */
#else
    return index + 1;
#endif
}

static plumb_result put(plumb_args a)
{
    pthread_mutex_lock(&lock);
    item[tail % ROOM] = a.i[0];
    tail = after(tail);
    pthread_mutex_unlock(&lock);
    return plumb_ok();
}

static plumb_result take(plumb_args a)
{
    plumb_result result = plumb_empty();
    (void)a;
    pthread_mutex_lock(&lock);
    if (head != tail) {
        result = plumb_int(item[head % ROOM]);
        head = after(head);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

PLUMB_SUBJECT("queue", .spec = "fifo");
PLUMB_OP(put, .ints = {1, 2});
PLUMB_OP(take);

#elif defined STACK
static unsigned used;

static plumb_result push(plumb_args a)
{
    pthread_mutex_lock(&lock);
    unsigned place = late() && used ? used - 1 : used; /* below the newest */
    item[used] = item[place];
    item[place] = a.i[0];
    used++;
    pthread_mutex_unlock(&lock);
    return plumb_ok();
}

static plumb_result pop(plumb_args a)
{
    plumb_result result = plumb_empty();
    (void)a;
    pthread_mutex_lock(&lock);
    if (used)
        result = plumb_int(item[--used]);
    pthread_mutex_unlock(&lock);
    return result;
}

PLUMB_SUBJECT("stack", .spec = "lifo");
PLUMB_OP(push, .ints = {1, 2});
PLUMB_OP(pop);

#elif defined COUNTER
static long long count;

static plumb_result inc(plumb_args a)
{
    (void)a;
    pthread_mutex_lock(&lock);
    long long before = count++;
    if (late())
        count = before;
    pthread_mutex_unlock(&lock);
    return plumb_int(before);
}

static plumb_result get(plumb_args a)
{
    (void)a;
    pthread_mutex_lock(&lock);
    long long now = count;
    pthread_mutex_unlock(&lock);
    return plumb_int(now);
}

PLUMB_SUBJECT("counter", .spec = "counter");
PLUMB_OP(inc);
PLUMB_OP(get);

#elif defined REGISTER
static long long cell, old;

static plumb_result set(plumb_args a)
{
    pthread_mutex_lock(&lock);
    old = cell;
    cell = a.i[0];
    pthread_mutex_unlock(&lock);
    return plumb_ok();
}

static plumb_result get(plumb_args a)
{
    (void)a;
    pthread_mutex_lock(&lock);
    long long now = late() ? old : cell;
    pthread_mutex_unlock(&lock);
    return plumb_int(now);
}

PLUMB_SUBJECT("register", .spec = "register");
PLUMB_OP(set, .ints = {1, 2, 3});
PLUMB_OP(get);

#elif defined SET
static int member[4];

static plumb_result change(int x, int to)
{
    pthread_mutex_lock(&lock);
    int changes = member[x] != to;
    if (!late())
        member[x] = to;
    pthread_mutex_unlock(&lock);
    return plumb_bool(changes);
}

static plumb_result add(plumb_args a)
{
    return change((int)a.i[0], 1);
}

static plumb_result drop(plumb_args a)
{
    return change((int)a.i[0], 0);
}

PLUMB_SUBJECT("set", .spec = "set");
PLUMB_OP(add, .ints = {1, 2, 3});
PLUMB_OP(drop, .name = "remove", .ints = {1, 2, 3});

#elif defined EVENT
static int is_up;

static plumb_result set(plumb_args a)
{
    (void)a;
    pthread_mutex_lock(&lock);
    is_up = !late();
    pthread_mutex_unlock(&lock);
    return plumb_ok();
}

static plumb_result reset(plumb_args a)
{
    (void)a;
    pthread_mutex_lock(&lock);
    is_up = 0;
    pthread_mutex_unlock(&lock);
    return plumb_ok();
}

static plumb_result is_set(plumb_args a)
{
    (void)a;
    pthread_mutex_lock(&lock);
    int now = is_up;
    pthread_mutex_unlock(&lock);
    return plumb_bool(now);
}

PLUMB_SUBJECT("event", .spec = "event");
PLUMB_OP(set);
PLUMB_OP(reset);
PLUMB_OP(is_set);
#endif
