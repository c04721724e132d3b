/*
 * The stack (Line-Up's Table 1): Treiber's, with ranges: ten items are linked first and pushed in
 * one step, up to n are popped in one step. Nodes do not change once they are in, and are not used
 * again (in .NET the collector sees to that), so who has the head has the whole stack: count and
 * to_array walk from it without being disturbed. A pop answers the item, 0 for none; a range and
 * an array answer their items as digits, the top first.
 */
#include <plumb.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static _Atomic(struct node *) head;

static struct node *node_new(int value, struct node *next)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = next;
    return n;
}

static void push_list(struct node *first, struct node *last)
{
    last->next = head;
    while (!atomic_compare_exchange_strong(&head, &last->next, first))
        continue;
}

static void push(int value)
{
    struct node *n = node_new(value, NULL);
    push_list(n, n);
}

static void push_range_ten(void)
{
    struct node *last = node_new(1, NULL), *first = last;
    for (int i = 2; i <= 10; i++)
        first = node_new(i % 10, first);
    push_list(first, last);
}

/* Items from `n`, at most `most` of them, as digits. */
static unsigned long digits(const struct node *n, int most)
{
    unsigned long all = 0;
    for (; n && most > 0; n = n->next, most--)
        all = all * 11 + (unsigned long)n->value; /* odd: no item is lost when it overflows */
    return all;
}

static unsigned long try_pop_range(int most)
{
    struct node *first = head, *rest;
    do {
        rest = first;
        for (int i = 0; rest && i < most; i++)
            rest = rest->next;
    } while (first && !atomic_compare_exchange_strong(&head, &first, rest));
    return digits(first, most);
}

static int try_pop(void)
{
    return (int)try_pop_range(1);
}

static int try_peek(void)
{
    struct node *n = head;
    return n ? n->value : 0;
}

static int count(void)
{
    int n = 0;
    for (const struct node *at = head; at; at = at->next)
        n++;
    return n;
}

static unsigned long to_array(void)
{
    return digits(head, 1000);
}

static void clear(void)
{
    head = NULL;
}

PLUMB_CALL(clear())
PLUMB_CALL(count())
PLUMB_CALL(push(1))
PLUMB_CALL(push(2))
PLUMB_CALL(push_range_ten())
PLUMB_CALL(try_pop())
PLUMB_CALL(try_pop_range(1))
PLUMB_CALL(try_pop_range(2))
PLUMB_CALL(try_pop_range(4))
PLUMB_CALL(try_peek())
PLUMB_CALL(to_array())
