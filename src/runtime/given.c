/*
 * Histories that were there before: full keys, in a table with a limit, past which some are taken
 * for new ones again.
 *
 *     tag:    │ a byte of the hash │ 0 │ … │           twice as many as there are keys at least
 *     slot:   │ part of the hash, place │ ? │ … │       of each tag that is not 0
 *     key:    │ head │ bytes … │ head │ bytes … │       one after the other
 *
 * The table grows with the keys, each time behind its last place: a small one stays in the caches.
 * The tags of a large one still do. Where most histories are new, little else is read: to look for
 * a key that is not there needs its tag, and to add it waits for no memory. Pages are asked for in
 * one go before they are touched, which costs a tenth.
 */
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/explain.h"

enum { FIRST_SLOTS = 1 << 10, SLOTS = 1 << 18, KEYS = 1 << 26, TOUCHED = 1 << 16 };

/* Before each key: its bytes, and whether it is settled. */
#define SETTLED ((uint32_t)1 << 31)

struct slot {
    uint32_t hash, entry; /* 1 + place of the key */
};
struct table {
    struct slot *slot;
    uint8_t *tag;
    uint32_t slots;
    uint8_t *key;
    uint32_t keys, key_bytes, touched;
};
static struct table given[PL_GIVEN_TABLES];

static void touch(void *from, size_t bytes)
{
    (void)syscall(SYS_madvise, from, bytes, MADV_POPULATE_WRITE); /* if it can */
}

/* The slot is by the lower bits. */
static uint8_t tag_of(uint32_t hash)
{
    return (uint8_t)(hash >> 24 | 1);
}

static void put(struct table *t, struct slot of)
{
    uint32_t s = of.hash & (t->slots - 1);
    while (t->tag[s])
        s = (s + 1) & (t->slots - 1);
    t->tag[s] = tag_of(of.hash);
    t->slot[s] = of;
}

static void begin(struct table *t)
{
    t->key = pl_map(KEYS);
    t->slot = pl_map(2 * SLOTS * sizeof *t->slot);
    t->tag = pl_map(2 * SLOTS);
    t->slots = FIRST_SLOTS;
    touch(t->slot, t->slots * sizeof *t->slot);
}

/* Another table, of twice as many slots. */
static void grow(struct table *t)
{
    const struct slot *old = t->slot;
    const uint8_t *old_tag = t->tag;
    const uint32_t count = t->slots;
    t->slot += count;
    t->tag += count;
    t->slots *= 2;
    touch(t->slot, t->slots * sizeof *t->slot);
    for (uint32_t s = 0; s < count; s++)
        if (old_tag[s])
            put(t, old[s]);
}

static uint64_t mix(uint64_t hash, const uint8_t *from)
{
    uint64_t word;
    memcpy(&word, from, sizeof word);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

/* Of a multiple of PL_KEY_WORD bytes; in two chains, which do not wait for each other. */
static uint64_t hash_of(const uint8_t *bytes, uint32_t count)
{
    uint64_t one = 1469598103934665603u, two = one;
    for (uint32_t i = 0; i < count; i += PL_KEY_WORD) {
        one = mix(one, bytes + i);
        two = mix(two, bytes + i + 8);
    }
    return one ^ two << 1;
}

static bool is_same(const uint8_t *a, const uint8_t *b, uint32_t count)
{
    uint64_t x[2], y[2], differs = 0;
    for (uint32_t i = 0; i < count && !differs; i += PL_KEY_WORD) {
        memcpy(x, a + i, PL_KEY_WORD);
        memcpy(y, b + i, PL_KEY_WORD);
        differs = (x[0] ^ y[0]) | (x[1] ^ y[1]);
    }
    return !differs;
}

/* A new key; 0: there is no room. */
static uint32_t add(struct table *t, const uint8_t *bytes, uint32_t count, uint32_t hash)
{
    const uint32_t end = t->key_bytes + (uint32_t)sizeof count + count;
    if (t->keys == SLOTS / 2 || end > KEYS)
        return 0;
    if (2 * t->keys == t->slots)
        grow(t);
    for (; end > t->touched && t->touched < KEYS; t->touched += TOUCHED)
        touch(t->key + t->touched, TOUCHED);
    uint32_t entry = t->key_bytes + 1;
    memcpy(t->key + t->key_bytes, &count, sizeof count);
    memcpy(t->key + t->key_bytes + sizeof count, bytes, count);
    t->key_bytes = end;
    t->keys++;
    put(t, (struct slot){hash, entry});
    return entry;
}

enum pl_given pl_given_find(enum pl_given_table table, const uint8_t *bytes, uint32_t count,
                            uint32_t *entry)
{
    struct table *t = &given[table];
    uint64_t whole = hash_of(bytes, count);
    uint32_t hash = (uint32_t)(whole ^ whole >> 32), head;
    if (!t->slot)
        begin(t);
    for (uint32_t s = hash & (t->slots - 1); t->tag[s]; s = (s + 1) & (t->slots - 1)) {
        if (t->tag[s] != tag_of(hash) || t->slot[s].hash != hash)
            continue;
        const uint8_t *at = t->key + t->slot[s].entry - 1;
        memcpy(&head, at, sizeof head);
        if ((head & ~SETTLED) == count && is_same(at + sizeof head, bytes, count)) {
            *entry = t->slot[s].entry;
            return head & SETTLED ? PL_GIVEN_SETTLED : PL_GIVEN;
        }
    }
    *entry = add(t, bytes, count, hash);
    return PL_GIVEN_NOT;
}

/* No two keys begin in the same PL_KEY_WORD bytes. */
uint32_t pl_given_number(uint32_t entry)
{
    _Static_assert(KEYS / PL_KEY_WORD == PL_CHECK_KEYS, "the wire has room for all");
    return entry ? (entry - 1) / PL_KEY_WORD : PL_CHECK_KEYS;
}

void pl_given_settle(uint32_t entry)
{
    uint8_t *key = given[PL_GIVEN_HISTORIES].key + entry - 1;
    uint32_t head;
    if (!entry)
        return;
    memcpy(&head, key, sizeof head);
    head |= SETTLED;
    memcpy(key, &head, sizeof head);
}
