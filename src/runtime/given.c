/*
 * Histories that were there before: full keys, in a table with a limit, past which some are taken
 * for new ones again.
 */
#include <string.h>

#include "runtime/explain.h"

enum { SLOTS = 1 << 18, KEYS = 1 << 26 };

/* Before each key: its bytes, and whether it is settled. */
#define SETTLED ((uint32_t)1 << 31)

static uint32_t *slot; /* 1 + place of a key */
static uint8_t *key;
static uint32_t keys, key_bytes;

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

static uint32_t add(const uint8_t *bytes, uint32_t count)
{
    if (keys == SLOTS / 2 || key_bytes + sizeof count + count > KEYS)
        return 0;
    uint32_t entry = key_bytes + 1;
    memcpy(key + key_bytes, &count, sizeof count);
    memcpy(key + key_bytes + sizeof count, bytes, count);
    key_bytes += (uint32_t)sizeof count + count;
    keys++;
    return entry;
}

enum pl_given pl_given_find(const uint8_t *bytes, uint32_t count, uint32_t *entry)
{
    uint64_t hash = hash_of(bytes, count);
    if (!slot) {
        slot = pl_map(SLOTS * sizeof *slot);
        key = pl_map(KEYS);
    }
    for (uint64_t s = (hash ^ hash >> 32) % SLOTS;; s = (s + 1) % SLOTS) {
        uint32_t head;
        if (!slot[s]) {
            *entry = slot[s] = add(bytes, count);
            return PL_GIVEN_NOT;
        }
        memcpy(&head, key + slot[s] - 1, sizeof head);
        if ((head & ~SETTLED) == count && is_same(key + slot[s] - 1 + sizeof head, bytes, count)) {
            *entry = slot[s];
            return head & SETTLED ? PL_GIVEN_SETTLED : PL_GIVEN;
        }
    }
}

void pl_given_settle(uint32_t entry)
{
    uint32_t head;
    if (!entry)
        return;
    memcpy(&head, key + entry - 1, sizeof head);
    head |= SETTLED;
    memcpy(key + entry - 1, &head, sizeof head);
}
