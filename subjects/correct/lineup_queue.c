/*
 * The queue (Line-Up's Table 1): a list of short segments. An enqueue takes a slot of the last
 * segment by counting `high` up, then fills it; who takes a segment's last slot appends the next
 * segment. A dequeue takes the first full slot by counting `low` up and, if its enqueue has not
 * filled it yet, waits for that. Both counts only grow, so two equal readings of them, one after
 * the other, are a snapshot; count and to_array start from one. Segments are never used again.
 *
 *     head ─▶ [ · · ] ─▶ [ 3 4 ] ─▶ [ 5 _ ] ◀─ tail          low ≤ slot ≤ high: in the queue
 *
 * A dequeue and a peek answer the item, 0 for none; to_array answers digits, the oldest first.
 */
#include <plumb.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

enum { SLOTS = 2 };

struct segment {
    unsigned index;   /* of the segment: they are numbered */
    _Atomic int low;  /* the first slot not taken; may be SLOTS */
    _Atomic int high; /* the last slot given out; may be past the end */
    _Atomic int item[SLOTS];
    _Atomic(struct segment *) next;
};

static _Atomic(struct segment *) head, tail;

static struct segment *segment_new(unsigned index)
{
    struct segment *s = malloc(sizeof *s);
    s->index = index;
    atomic_init(&s->low, 0);
    atomic_init(&s->high, -1);
    for (int i = 0; i < SLOTS; i++)
        atomic_init(&s->item[i], 0);
    atomic_init(&s->next, NULL);
    return s;
}

static void queue_init(void)
{
    head = tail = segment_new(0);
}

static int last_slot(struct segment *s)
{
    int high = s->high;
    return high < SLOTS ? high : SLOTS - 1;
}

static bool segment_is_empty(struct segment *s)
{
    int low = s->low; /* first: high only grows */
    return low > last_slot(s);
}

static int item_wait(struct segment *s, int slot)
{
    int item;
    do
        item = s->item[slot];
    while (item == 0);
    return item;
}

static struct segment *next_wait(struct segment *s)
{
    struct segment *next;
    do
        next = s->next;
    while (next == NULL);
    return next;
}

static bool segment_append(struct segment *s, int item)
{
    if (s->high >= SLOTS - 1)
        return false;
    int slot = ++s->high;
    if (slot >= SLOTS)
        return false;
    s->item[slot] = item;
    if (slot == SLOTS - 1) {
        s->next = segment_new(s->index + 1);
        tail = s->next;
    }
    return true;
}

static void enqueue(int item)
{
    while (!segment_append(tail, item))
        continue;
}

/* The item taken from this segment; 0 if it has none. */
static int segment_remove(struct segment *s)
{
    int low = s->low;
    while (low <= last_slot(s)) {
        if (!atomic_compare_exchange_strong(&s->low, &low, low + 1))
            continue;
        int item = item_wait(s, low);
        if (low == SLOTS - 1)
            head = next_wait(s);
        return item;
    }
    return 0;
}

static bool is_empty(void)
{
    struct segment *s = head;
    while (segment_is_empty(s)) {
        if (s->next == NULL)
            return true;
        s = head; /* it is full and used up: who used it up moves the head on */
    }
    return false;
}

static int try_dequeue(void)
{
    int item = 0;
    while (item == 0 && !is_empty())
        item = segment_remove(head);
    return item;
}

static int try_peek(void)
{
    while (!is_empty()) {
        struct segment *s = head;
        int low = s->low;
        if (low <= last_slot(s))
            return item_wait(s, low);
    }
    return 0;
}

/* ---- snapshots ---- */

struct span {
    struct segment *head, *tail;
    int low, high;
};

static struct span span_read(void)
{
    struct span s = {.head = head, .tail = tail};
    s.low = s.head->low;
    s.high = last_slot(s.tail);
    return s;
}

static struct span span_settled(void)
{
    struct span now = span_read(), before;
    do {
        before = now;
        now = span_read();
    } while (now.head != before.head || now.tail != before.tail || now.low != before.low ||
             now.high != before.high || now.head->index > now.tail->index);
    return now;
}

static int count(void)
{
    struct span s = span_settled();
    return (int)(s.tail->index - s.head->index) * SLOTS + s.high + 1 - s.low;
}

static unsigned long to_array(void)
{
    struct span s = span_settled();
    unsigned long digits = 0;
    for (struct segment *at = s.head;; at = next_wait(at)) {
        int last = at == s.tail ? s.high : SLOTS - 1;
        for (int slot = at == s.head ? s.low : 0; slot <= last; slot++)
            digits = digits * 10 + (unsigned long)item_wait(at, slot);
        if (at == s.tail)
            return digits;
    }
}

#ifndef INCLUDED
PLUMB_SETUP(queue_init())
PLUMB_CALL(count())
PLUMB_CALL(is_empty())
PLUMB_CALL(enqueue(1))
PLUMB_CALL(enqueue(2))
PLUMB_CALL(to_array())
PLUMB_CALL(try_dequeue())
PLUMB_CALL(try_peek())
#endif
