/*
 * A stack by flat combining (Hendler, Incze, Shavit, Tzafrir): a thread writes what it wants into a
 * record of its own; whoever gets the lock carries out what all records ask for and writes the
 * answers back, the others wait for theirs. The stack itself is plain and sequential. An operation
 * takes effect when the combiner carries it out.
 *
 * Two hand-overs: the request (its argument before its kind), and the answer (before the kind is
 * cleared). The lock orders one combiner before the next.
 */
#include <plumb.h>
#include <stdatomic.h>

#ifndef ANSWER
#define ANSWER memory_order_release
#endif

enum { THREADS = 4, ROOM = 8 };
enum kind { NOTHING, PUSH, POP };

struct record {
    atomic_int kind;
    int value; /* the argument, then the answer */
};

static struct record record[THREADS];
static atomic_int registered, lock;
static int item[ROOM], items;
static _Thread_local struct record *mine;

static void carry_out(struct record *r, int kind)
{
    if (kind == PUSH)
        item[items++] = r->value;
    else
        r->value = items ? item[--items] : 0;
    atomic_store_explicit(&r->kind, NOTHING, ANSWER);
}

static void combine(void)
{
    int threads = atomic_load_explicit(&registered, memory_order_relaxed);
    for (int i = 0; i < threads; i++) {
        int kind = atomic_load_explicit(&record[i].kind, memory_order_acquire);
        if (kind != NOTHING)
            carry_out(&record[i], kind);
    }
}

static int ask(enum kind kind, int value)
{
    if (!mine)
        mine = &record[atomic_fetch_add_explicit(&registered, 1, memory_order_relaxed)];
    mine->value = value;
    atomic_store_explicit(&mine->kind, kind, memory_order_release);
    while (atomic_load_explicit(&mine->kind, memory_order_acquire) != NOTHING) {
        if (atomic_exchange_explicit(&lock, 1, memory_order_acquire))
            continue;
        combine();
        atomic_store_explicit(&lock, 0, memory_order_release);
    }
    return mine->value;
}

static void push(int value)
{
    (void)ask(PUSH, value);
}

static int pop(void) /* 0: empty */
{
    return ask(POP, 0);
}

PLUMB_CALL(push(1))
PLUMB_CALL(push(2))
PLUMB_CALL(pop())
