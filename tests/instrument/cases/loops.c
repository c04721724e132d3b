/* Marks of loops: which loops have them, and which values are compared. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
void __plumb_pause(void);

struct node {
    struct node *next;
    _Atomic(struct node *) atomic_next;
    int value;
};
_Atomic(struct node *) top;
atomic_int flag, turn, numbers[4];
int plain;
static __thread atomic_int mine;

/* ---- which loops ---- */

// expect computes: none
int computes(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += i * i;
    return s;
}
// expect local_array: loops=0
int local_array(int n)
{
    int a[8], s = 0;
    for (int i = 0; i < 8; i++)
        a[i] = i * n;
    for (int i = 0; i < 8; i++)
        s += a[(i * n) & 7];
    return s;
}
// expect waits: loops=1 words=0 flags=1 loop_enter loop_leave loop_head,atomic32_load
void waits(void)
{
    while (!atomic_load(&flag))
        ;
}
// expect waits_by_pointer: loops=1 words=0 flags=4
void waits_by_pointer(atomic_int *p)
{
    while (!atomic_load(p))
        ;
}
// expect waits_by_pointer_with_fence: loops=1 words=0 flags=4
void waits_by_pointer_with_fence(atomic_int *p)
{
    while (!atomic_load(p))
        atomic_thread_fence(memory_order_acquire);
}
// expect waits_with_pause: words=0 flags=1
void waits_with_pause(void)
{
    while (!atomic_load(&flag))
        __plumb_pause();
}
// expect waits_yielding: words=0 flags=0 call(@sched_yield)
void waits_yielding(void)
{
    while (!atomic_load(&flag))
        sched_yield();
}
// expect waits_asserting: words=0 flags=0
void waits_asserting(void)
{
    while (!atomic_load(&flag))
        if (atomic_load(&turn) > 7)
            abort();
}
// expect waits_own: words=0 flags=4
void waits_own(void)
{
    while (!atomic_load(&mine))
        ;
}
// expect waits_plain: words=0 flags=0 read4
void waits_plain(void)
{
    while (plain != 1)
        __plumb_pause();
}
// expect waits_in_array: words=0 flags=1
void waits_in_array(int i)
{
    while (!atomic_load(&numbers[i]))
        ;
}
// expect test_and_set: words=0 flags=1
void test_and_set(void)
{
    while (atomic_exchange(&flag, 1))
        ;
}
// expect test_and_test_and_set: atomic32_exchange atomic32_load
void test_and_test_and_set(void)
{
    while (atomic_exchange(&flag, 1))
        while (atomic_load(&flag))
            ;
}
static void helper(void)
{
    while (!atomic_load(&flag))
        ;
}
// expect in_helper -O1 -O2: loops=1 flags=1
void in_helper(void)
{
    helper();
}

/* ---- which values ---- */

// expect counts: words=1 flags=3 atomic32_load
int counts(void)
{
    int n = 0;
    while (!atomic_load(&flag))
        n++;
    return n;
}
// expect searches: words=1 flags=0
int searches(struct node *n)
{
    while (n && n->value != 3)
        n = n->next;
    return n != 0;
}
// expect flips: words=1 flags=1
int flips(void)
{
    int side = 0;
    while (atomic_load(&numbers[side]) == 0)
        side ^= 1;
    return side;
}
// expect spins_then_sleeps: words=1 flags=3
void spins_then_sleeps(void)
{
    for (int i = 0; i < 100; i++)
        if (atomic_load(&flag))
            return;
    sched_yield();
}
// expect wide_value: words=2 flags=4
__int128 wide_value(_Atomic long *p)
{
    __int128 n = 1;
    while (!atomic_load(p))
        n = n * 3;
    return n;
}
// expect small_values: words=2 flags=1
int small_values(void)
{
    char c = 0;
    float f = 1;
    while (!atomic_load(&flag)) {
        c ^= 5;
        f *= 2;
    }
    return c + (int)f;
}

/* ---- retrying ---- */

// expect push: words=0 loop_head dead_write,write8 cas_weak
void push(struct node *n)
{
    struct node *old = atomic_load(&top);
    do
        n->next = old;
    while (!atomic_compare_exchange_weak(&top, &old, n));
}
// expect push_strong: words=0 dead_write,write8 atomic64_compare_exchange_val
void push_strong(struct node *n)
{
    struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
    do
        n->next = old;
    while (!atomic_compare_exchange_strong(&top, &old, n));
}
// expect push_loading: words=0 dead_write,write8
void push_loading(struct node *n)
{
    struct node *old;
    do {
        old = atomic_load(&top);
        n->next = old;
    } while (!atomic_compare_exchange_strong(&top, &old, n));
}
// expect push_atomic: words=0 dead_write,atomic64_store
void push_atomic(struct node *n)
{
    struct node *old = atomic_load(&top);
    do
        atomic_store_explicit(&n->atomic_next, old, memory_order_relaxed);
    while (!atomic_compare_exchange_weak(&top, &old, n));
}
// expect push_checking: words=0 dead_write,write8
int push_checking(struct node *n)
{
    struct node *old = atomic_load(&top);
    if (!old)
        return 0;
    do
        n->next = old;
    while (!atomic_compare_exchange_weak(&top, &old, n));
    return 1;
}
/* The value that is carried around stands in the node itself: simplified, it is as above. */
// expect push_in_memory -O1 -O2: words=0 dead_write,write8 cas_weak
// expect push_in_memory -O0: words=0 !dead_write write8=2
void push_in_memory(struct node *n)
{
    n->next = atomic_load(&top);
    while (!atomic_compare_exchange_weak(&top, &n->next, n))
        ;
}
/* Another event between the load and the loop: the round shows that the load came before it. */
// expect push_after_load: words=1
int push_after_load(struct node *n)
{
    struct node *old = atomic_load(&top);
    int seen = atomic_load(&flag);
    do
        n->next = old;
    while (!atomic_compare_exchange_weak(&top, &old, n));
    return seen;
}
/* A plain access there would be a race, unless races are allowed. */
// expect push_after_plain: words=0
// expect push_after_plain --plain-values: words=1
int push_after_plain(struct node *n)
{
    struct node *old = atomic_load(&top);
    int seen = plain;
    do
        n->next = old;
    while (!atomic_compare_exchange_weak(&top, &old, n));
    return seen;
}
/* Of another location: that value is compared. */
// expect mixed: words=2
void mixed(int wanted)
{
    int old = atomic_load(&turn);
    do
        wanted ^= old;
    while (!atomic_compare_exchange_weak(&flag, &old, 1) && wanted);
}
// expect increments: words=0 flags=1
void increments(void)
{
    int old = atomic_load(&flag);
    while (!atomic_compare_exchange_weak(&flag, &old, old + 1))
        ;
}
// expect pops: words=0 flags=0 !dead_write
struct node *pops(void)
{
    struct node *old = atomic_load(&top);
    while (old && !atomic_compare_exchange_weak(&top, &old, old->next))
        ;
    return old;
}

/* ---- stores that count, and those that do not ---- */

// expect store_read_before: !dead_write write4
int store_read_before(struct node *n)
{
    int s = 0;
    while (!atomic_load(&flag)) {
        s ^= n->value;
        n->value = 3;
    }
    return s;
}
// expect store_sometimes: !dead_write write4
void store_sometimes(struct node *n)
{
    for (int v; (v = atomic_load(&flag)) != 2;)
        if (v)
            n->value = v;
}
// expect store_moving: !dead_write write4
void store_moving(struct node *n)
{
    while (!atomic_load(&flag)) {
        n->value = 3;
        n = n->next;
    }
}
// expect store_after_call: !dead_write write4 call(@sched_yield)
void store_after_call(struct node *n)
{
    while (!atomic_load(&flag)) {
        sched_yield();
        n->value = 3;
    }
}
// expect store_before_call: !dead_write write4
void store_before_call(struct node *n)
{
    do {
        if (atomic_load(&turn))
            break;
        n->value = 3;
        sched_yield();
    } while (!atomic_load(&flag));
}
// expect store_other_field: dead_write,write4
int store_other_field(struct node *n)
{
    struct node *next;
    do {
        next = n->next;
        n->value = atomic_load(&flag);
    } while (!n->value);
    return next != 0;
}
// expect store_two_nodes: !dead_write write8
void store_two_nodes(struct node *n, struct node *m)
{
    do {
        plain = m->value;
        n->next = 0;
    } while (!atomic_load(&flag));
}
// expect store_fresh: dead_write,write8
struct node *store_fresh(struct node *m)
{
    struct node *n = malloc(sizeof *n);
    do {
        n->value ^= 0 * m->value;
        n->next = atomic_load(&top);
    } while (!n->next);
    return n;
}
// expect store_outside: !dead_write
void store_outside(struct node *n)
{
    n->value = 1;
    while (!atomic_load(&flag))
        ;
}

// expect local_kept: local_write write4=0
int local_kept(int n)
{
    int a[4] = {0};
    while (!atomic_load(&flag))
        a[n & 3] ^= atomic_load(&turn);
    return a[(n + 1) & 3];
}
// expect local_of_the_round -O1 -O2: !local_write
int local_of_the_round(int n)
{
    int s;
    do {
        int a[4] = {1, 2, 3, 4};
        a[n & 3] = atomic_load(&turn);
        s = a[(n + 1) & 3];
    } while (!atomic_load(&flag) && s);
    return s;
}

/* ---- back-off ---- */

// expect back_off: words=0 flags=1 loops=1 pause
void back_off(void)
{
    int delay = 1;
    while (atomic_exchange(&flag, 1)) {
        for (int i = 0; i < delay; i++)
            __plumb_pause();
        if (delay < 64)
            delay *= 2;
    }
}
// expect back_off_empty: words=0 loops=1
void back_off_empty(void)
{
    unsigned delay = 1;
    while (atomic_exchange(&flag, 1)) {
        for (volatile unsigned i = 0; i < delay; i++)
            ;
        delay = delay < 1024 ? delay << 1 : delay;
    }
}
// expect back_off_down: words=0 loops=1
void back_off_down(void)
{
    int delay = 4;
    while (atomic_exchange(&flag, 1)) {
        int n = delay;
        while (n-- > 0)
            __asm__ volatile("pause");
        delay += 3;
    }
}
// expect back_off_sleep: words=0 call(@usleep)
void back_off_sleep(void)
{
    unsigned delay = 1;
    while (atomic_exchange(&flag, 1)) {
        usleep(delay);
        delay *= 2;
    }
}
// expect gives_up: words=1
int gives_up(void)
{
    int delay = 1;
    while (atomic_exchange(&flag, 1)) {
        for (int i = 0; i < delay; i++)
            __plumb_pause();
        if ((delay *= 2) > 64)
            return 0;
    }
    return 1;
}
// expect delay_is_told: words=1
int delay_is_told(void)
{
    int delay = 1;
    while (atomic_exchange(&flag, 1)) {
        for (int i = 0; i < delay; i++)
            __plumb_pause();
        delay *= 2;
    }
    return delay;
}
// expect delay_reads: words=1,1
void delay_reads(void)
{
    int delay = 1;
    while (atomic_exchange(&flag, 1)) {
        for (int i = 0; i < delay; i++)
            if (!atomic_load(&flag))
                break;
        delay *= 2;
    }
}

/* ---- rounds that come to nothing ---- */

// expect waits_far -O1 -O2: in_vain flags=1,1
void waits_far(int number)
{
    for (;;) {
        int seen = atomic_load(&numbers[number]);
        if (atomic_load(&turn) > number)
            return;
        while (atomic_load(&numbers[number]) == seen)
            ;
    }
}
// expect waits_far_for_one -O1 -O2: in_vain(i643)
void waits_far_for_one(void)
{
    while (atomic_load(&turn) != 1)
        while (atomic_load(&flag) == 3)
            __plumb_pause();
}
// expect waits_far_until: !in_vain
void waits_far_until(void)
{
    while (atomic_load(&turn) != 1)
        while (atomic_load(&flag) != 3)
            ;
}
// expect waits_far_and_looks: !in_vain
int waits_far_and_looks(void)
{
    for (;;) {
        int seen = atomic_load(&flag), now;
        if (atomic_load(&turn) == 1)
            return seen;
        while ((now = atomic_load(&flag)) == seen)
            ;
        if (now == 7)
            return now;
    }
}
// expect waits_far_and_counts: !in_vain
int waits_far_and_counts(void)
{
    int rounds = 0;
    for (;;) {
        int seen = atomic_load(&flag);
        if (atomic_load(&turn) == 1)
            return rounds;
        while (atomic_load(&flag) == seen)
            ;
        rounds ^= 1;
    }
}
// expect waits_far_and_tells: !in_vain
void waits_far_and_tells(void)
{
    while (atomic_load(&turn) != 1) {
        while (atomic_load(&flag) == 3)
            ;
        atomic_store(&numbers[1], 1);
    }
}
// expect retries_push -O1 -O2: retry,atomic64_compare_exchange_val
void retries_push(struct node *n)
{
    for (;;) {
        struct node *old = atomic_load(&top);
        n->next = old;
        if (atomic_compare_exchange_strong(&top, &old, n))
            return;
    }
}
// expect retries_with_found -O1 -O2: retry
void retries_with_found(struct node *n)
{
    struct node *old = atomic_load(&top);
    do
        n->next = old;
    while (!atomic_compare_exchange_strong(&top, &old, n));
}
// expect fails_and_tells: !retry
void fails_and_tells(struct node *n)
{
    for (;;) {
        struct node *old = atomic_load(&top);
        if (atomic_compare_exchange_strong(&top, &old, n))
            return;
        atomic_store(&flag, 1);
    }
}
// expect fails_and_looks: !retry
int fails_and_looks(struct node *n)
{
    for (;;) {
        struct node *old = atomic_load(&top);
        if (atomic_compare_exchange_strong(&top, &old, n))
            return 1;
        if (!old)
            return 0;
    }
}
// expect fails_few_times: !retry
int fails_few_times(struct node *n)
{
    for (int i = 0; i < 3; i++) {
        struct node *old = atomic_load(&top);
        if (atomic_compare_exchange_strong(&top, &old, n))
            return 1;
    }
    return 0;
}
