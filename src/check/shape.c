/* Keys that do not depend on names: see shape.h. */
#include "check/shape.h"

#include <stdlib.h>
#include <string.h>

#include "base/prng.h"

enum { ROUNDS = 3, SLOTS = 1 << 17, BYTES = 1 << 26 };

/* Written in the order of the colours. Everything an execution is decided by. */
struct key {
    uint64_t order[PL_CALLED_EVENTS], cause[PL_CALLED_EVENTS], global[PL_CALLED_EVENTS];
    uint32_t barred[PL_MOST_CALLED], what[PL_MOST_CALLED];
    uint8_t thread[PL_MOST_CALLED], value[PL_MOST_CALLED];
};

struct pl_shapes {
    uint32_t *slot; /* 1 + place of a key: its bytes, then they */
    uint8_t *bytes;
    uint32_t used, count;
    uint8_t last[sizeof(struct key) + 16];
    uint32_t last_bytes, last_slot;
};

struct pl_shapes *pl_shapes_new(void)
{
    struct pl_shapes *s = calloc(1, sizeof *s);
    PL_ASSERT(s);
    s->slot = calloc(SLOTS, sizeof *s->slot);
    s->bytes = malloc(BYTES);
    PL_ASSERT(s->slot && s->bytes);
    return s;
}

void pl_shapes_free(struct pl_shapes *s)
{
    if (!s)
        return;
    free(s->slot);
    free(s->bytes);
    free(s);
}

/* ---- colours ---- */

static uint64_t mixed(uint64_t x)
{
    return pl_mix64(&x);
}

/* How i stands to k: the four bits between them of each relation, and what else relates them. */
static uint64_t relation(const struct pl_shape *s, unsigned i, unsigned k)
{
    const struct pl_allowed *a = s->allowed;
    const uint64_t *order = s->behaviour->order->before;
    uint64_t bits = 0;
    for (unsigned half = 0; half < 2; half++) {
        unsigned row = 2 * i + half;
        bits = bits << 6 | (order[row] >> 2 * k & 3) << 4 | (a->cause[row] >> 2 * k & 3) << 2 |
               (a->global[row] >> 2 * k & 3);
    }
    bits = bits << 1 | (a->barred[i] >> k & 1);
    bits = bits << 1 | (s->value[i] != PL_NIL && s->value[i] == s->value[k]);
    return bits << 1 | (a->thread[i] == a->thread[k]);
}

static void find_colours(const struct pl_shape *s, unsigned count, uint64_t *colour)
{
    uint64_t before[PL_MOST_CALLED];
    for (unsigned i = 0; i < count; i++)
        colour[i] = mixed(2 * (uint64_t)s->what[i] + (s->behaviour->order->pending >> i & 1) + 1);
    for (unsigned round = 0; round < ROUNDS; round++) {
        memcpy(before, colour, count * sizeof *colour);
        for (unsigned i = 0; i < count; i++) {
            uint64_t sum = 0; /* the order of the others does not matter */
            for (unsigned k = 0; k < count; k++)
                if (k != i)
                    sum += mixed(before[k] ^ relation(s, i, k) * 0x9e3779b97f4a7c15u);
            colour[i] = mixed(before[i] ^ mixed(sum));
        }
    }
}

static void sort(const uint64_t *colour, unsigned count, uint8_t *at)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned k = i;
        for (; k && colour[at[k - 1]] > colour[i]; k--)
            at[k] = at[k - 1];
        at[k] = (uint8_t)i;
    }
}

/* ---- keys ---- */

static void permute(const uint64_t *rows, const uint8_t *at, unsigned count, uint64_t *out)
{
    for (unsigned i = 0; i < count; i++)
        for (unsigned half = 0; half < 2; half++) {
            uint64_t row = rows[2 * at[i] + half], to = 0;
            for (unsigned k = 0; k < count; k++)
                to |= (row >> 2 * at[k] & 3) << 2 * k;
            out[2 * i + half] = to;
        }
}

/* Names in the order in which they come. */
static uint8_t first_like(const pl_value *name, unsigned i)
{
    unsigned k = 0;
    while (name[k] != name[i])
        k++;
    return (uint8_t)k;
}

static uint8_t *put(uint8_t *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    return to + bytes;
}

static void write_key(struct pl_shapes *s, const struct pl_shape *shape, const uint8_t *at,
                      unsigned count)
{
    static struct key key;
    pl_value thread[PL_MOST_CALLED], value[PL_MOST_CALLED];
    uint32_t head[3] = {count, 0, shape->behaviour->stuck};
    permute(shape->behaviour->order->before, at, count, key.order);
    permute(shape->allowed->cause, at, count, key.cause);
    permute(shape->allowed->global, at, count, key.global);
    for (unsigned i = 0; i < count; i++) {
        thread[i] = shape->allowed->thread[at[i]];
        value[i] = shape->value[at[i]];
        key.what[i] = shape->what[at[i]];
        key.barred[i] = 0;
        for (unsigned k = 0; k < count; k++)
            key.barred[i] |= (shape->allowed->barred[at[i]] >> at[k] & 1) << k;
        head[1] |= (shape->behaviour->order->pending >> at[i] & 1) << i;
        key.thread[i] = first_like(thread, i);
        key.value[i] = value[i] == PL_NIL ? 0xff : first_like(value, i);
    }
    uint8_t *to = put(s->last, head, sizeof head);
    to = put(to, key.order, 2 * count * sizeof *key.order);
    to = put(to, key.cause, 2 * count * sizeof *key.cause);
    to = put(to, key.global, 2 * count * sizeof *key.global);
    to = put(to, key.barred, count * sizeof *key.barred);
    to = put(to, key.what, count * sizeof *key.what);
    to = put(to, key.thread, count);
    to = put(to, key.value, count);
    s->last_bytes = (uint32_t)(to - s->last);
}

bool pl_shapes_has(struct pl_shapes *s, const struct pl_shape *shape)
{
    unsigned count = shape->behaviour->order->operations;
    uint64_t colour[PL_MOST_CALLED] = {0}, hash = 0;
    uint8_t at[PL_MOST_CALLED] = {0};
    find_colours(shape, count, colour);
    sort(colour, count, at);
    write_key(s, shape, at, count);
    for (unsigned i = 0; i < count; i++)
        hash = mixed(hash ^ colour[at[i]]);
    for (s->last_slot = hash % SLOTS; s->slot[s->last_slot];
         s->last_slot = (s->last_slot + 1) % SLOTS) {
        const uint8_t *kept = s->bytes + s->slot[s->last_slot] - 1;
        uint32_t bytes;
        memcpy(&bytes, kept, sizeof bytes);
        if (bytes == s->last_bytes && !memcmp(kept + sizeof bytes, s->last, bytes))
            return true;
    }
    return false;
}

void pl_shapes_keep(struct pl_shapes *s)
{
    if (s->count >= SLOTS / 2 || s->used + sizeof s->last_bytes + s->last_bytes > BYTES)
        return;
    s->slot[s->last_slot] = s->used + 1;
    s->count++;
    memcpy(s->bytes + s->used, &s->last_bytes, sizeof s->last_bytes);
    memcpy(s->bytes + s->used + sizeof s->last_bytes, s->last, s->last_bytes);
    s->used += (uint32_t)sizeof s->last_bytes + s->last_bytes;
}
