/*
 * The k-stack of Henzinger, Kirsch, Payer and Sokolova, simplified: a stack of segments of slots.
 * slots. A push puts its value into a free slot of the top segment and then makes sure that the
 * segment is still there (`committed`); a pop takes a value from any slot of the top segment, and
 * removes a segment that it found empty. To remove one it is first marked deleted; if a value has
 * come meanwhile, the mark is taken back.
 *
 * The error (Round-Up, section VI.D): `committed` reads the mark twice, once to see that it is not
 * set and once to see that it is. When a pop sets the mark before the first and takes it back
 * before the second, neither holds: the push believes that its value was lost and pushes it again.
 * It was pushed once and can be popped twice. With -DMARK_READS=1 the mark is read once.
 */
#include <plumb.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifndef MARK_READS
#define MARK_READS 2
#endif

#ifndef K
#define K 1 /* the factor; 0: an exact stack */
#endif

enum { SLOTS = K + 1 };

struct segment {
    struct segment *below;
    atomic_int deleted;
    _Atomic int slot[SLOTS]; /* 0: free */
};

static _Atomic(struct segment *) top;

static struct segment *segment_new(struct segment *below)
{
    struct segment *s = malloc(sizeof *s);
    s->below = below;
    atomic_init(&s->deleted, 0);
    for (int i = 0; i < SLOTS; i++)
        atomic_init(&s->slot[i], 0);
    return s;
}

static void setup(void)
{
    atomic_init(&top, segment_new(NULL));
}

/* Is the value of the slot part of the stack? If not, it has been taken out again. */
static bool committed(struct segment *s, int slot, int value)
{
#if MARK_READS == 2
    if (atomic_load(&s->deleted) == 0)
        return true;
    if (atomic_load(&s->deleted) == 1) /* the mark may have been taken back since */
        return !atomic_compare_exchange_strong(&s->slot[slot], &value, 0);
    return false;
#else
    if (atomic_load(&s->deleted) == 0)
        return true;
    return !atomic_compare_exchange_strong(&s->slot[slot], &value, 0);
#endif
}

static plumb_result push(plumb_args a)
{
    int value = (int)a.i[0];
    for (;;) {
        struct segment *s = atomic_load(&top);
        int slot = 0, free = 0;
        while (slot < SLOTS && atomic_load(&s->slot[slot]))
            slot++;
        if (slot == SLOTS) {
            struct segment *n = segment_new(s);
            atomic_compare_exchange_strong(&top, &s, n);
        } else if (atomic_compare_exchange_strong(&s->slot[slot], &free, value)) {
            if (committed(s, slot, value))
                return plumb_ok();
        }
    }
}

static bool is_empty(struct segment *s)
{
    for (int i = 0; i < SLOTS; i++)
        if (atomic_load(&s->slot[i]))
            return false;
    return true;
}

static void try_remove_segment(struct segment *s)
{
    atomic_store(&s->deleted, 1);
    if (is_empty(s) && s->below) {
        struct segment *expected = s;
        atomic_compare_exchange_strong(&top, &expected, s->below);
    } else {
        atomic_store(&s->deleted, 0);
    }
}

static plumb_result pop(plumb_args a)
{
    (void)a;
    for (;;) {
        struct segment *s = atomic_load(&top);
        for (int i = 0; i < SLOTS; i++) {
            int value = atomic_load(&s->slot[i]);
            if (value && atomic_compare_exchange_strong(&s->slot[i], &value, 0))
                return plumb_int(value);
        }
        if (!s->below && is_empty(s) && atomic_load(&top) == s)
            return plumb_empty();
        try_remove_segment(s);
    }
}

PLUMB_SUBJECT("k-stack", .setup = setup, .spec = "lifo");
PLUMB_OP(push, .ints = {1, 2, 3, 4}, .data_independent = 1);
PLUMB_OP(pop);
PLUMB_FACTOR(pop = 1, push = 0)
