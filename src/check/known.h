/*
 * What was met before: keys of bytes, compared in full, each with a mark.
 *
 * Ownership: pl_known_release.
 */
#ifndef PL_CHECK_KNOWN_H
#define PL_CHECK_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pl_known {
    struct pl_known_entry {
        uint64_t hash;
        size_t key, length; /* in bytes */
        bool used, mark;
    } * entry; /* hash table */
    size_t count, mask;
    uint8_t *bytes;
    size_t byte_count, byte_room;
    size_t most; /* memory */
    bool full;   /* it was used up: some are not known */
};

void pl_known_init(struct pl_known *known, size_t most);
void pl_known_release(struct pl_known *known);

/* The mark of the key; NULL: it is not known, and *added is the mark of the one that was added, or
   NULL if there is no memory. Good until the next call. */
bool *pl_known_find(struct pl_known *known, const void *key, size_t length, bool **added);

#endif
