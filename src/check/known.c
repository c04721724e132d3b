/* What was met before: see known.h. */
#include "check/known.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/status.h"

enum { SLOTS = 1024 };

void pl_known_init(struct pl_known *k, size_t most)
{
    *k = (struct pl_known){.mask = SLOTS - 1, .most = most};
    k->entry = calloc(SLOTS, sizeof *k->entry);
    PL_ASSERT(k->entry);
}

void pl_known_release(struct pl_known *k)
{
    free(k->entry);
    free(k->bytes);
    *k = (struct pl_known){0};
}

static struct pl_known_entry *place_of(const struct pl_known *k, uint64_t hash, const void *key,
                                       size_t length)
{
    size_t i = hash & k->mask;
    for (; k->entry[i].used; i = (i + 1) & k->mask)
        if (k->entry[i].hash == hash && k->entry[i].length == length &&
            !memcmp(k->bytes + k->entry[i].key, key, length))
            break;
    return &k->entry[i];
}

static void grow(struct pl_known *k)
{
    size_t old_mask = k->mask;
    struct pl_known_entry *old = k->entry;
    k->mask = 2 * k->mask + 1;
    k->entry = calloc(k->mask + 1, sizeof *k->entry);
    PL_ASSERT(k->entry);
    for (size_t n = 0; n <= old_mask; n++) {
        size_t i = old[n].hash & k->mask;
        while (old[n].used && k->entry[i].used)
            i = (i + 1) & k->mask;
        if (old[n].used)
            k->entry[i] = old[n];
    }
    free(old);
}

static bool *add(struct pl_known *k, struct pl_known_entry *entry, uint64_t hash, const void *key,
                 size_t length)
{
    if (k->byte_count + length + (k->mask + 1) * sizeof *k->entry > k->most) {
        k->full = true;
        return NULL;
    }
    if (k->byte_count + length > k->byte_room) {
        k->byte_room = 2 * k->byte_room + length + 4096;
        k->bytes = realloc(k->bytes, k->byte_room);
        PL_ASSERT(k->bytes);
    }
    memcpy(k->bytes + k->byte_count, key, length);
    *entry =
        (struct pl_known_entry){.hash = hash, .key = k->byte_count, .length = length, .used = true};
    k->byte_count += length;
    if (++k->count * 2 > k->mask) {
        grow(k);
        entry = place_of(k, hash, key, length);
    }
    return &entry->mark;
}

bool *pl_known_find(struct pl_known *k, const void *key, size_t length, bool **added)
{
    uint64_t hash = XXH3_64bits(key, length);
    struct pl_known_entry *entry = place_of(k, hash, key, length);
    if (entry->used)
        return &entry->mark;
    *added = add(k, entry, hash, key, length);
    return NULL;
}
