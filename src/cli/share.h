/*
 * Processes that explore together: work goes from those that have some to those that have none.
 * Each way of the search is in exactly one place: in a process, or in work[] of one on its way.
 */
#ifndef PL_CLI_SHARE_H
#define PL_CLI_SHARE_H

#include "cli/process.h"
#include "explore/facts.h"

/* What they know together: a mapping, and the file of it for the processes. */
struct pl_common {
    struct pl_facts *facts; /* NULL: none */
    int fd;
};
enum pl_status pl_common_init(struct pl_common *common, struct pl_error *error);
void pl_common_release(struct pl_common *common);

/* Work that no process has at the moment. */
struct pl_piece {
    uint32_t bytes;
    uint8_t *work;
};
struct pl_pool {
    struct pl_piece *piece;
    size_t count, room;
};
void pl_pool_add(struct pl_pool *pool, const uint8_t *work, uint32_t bytes); /* a copy */
void pl_pool_release(struct pl_pool *pool);

/* Does the process wait, and is nothing on its way to it? */
bool pl_share_is_idle(const struct pl_wire *wire);
/* Moves what there is to move. *waiting: somebody has nothing to do. Returns whether all are done:
 * nobody has anything, nothing is on its way. */
bool pl_share(struct pl_process *const *process, size_t count, struct pl_pool *pool, bool *waiting);
/* Asks for all work, and puts what comes into the pool. Returns whether all of it is there; from
 * then on it is handed out again. */
bool pl_share_drain(struct pl_process *const *process, size_t count, struct pl_pool *pool);
/* After the processes ended: was every way taken? */
bool pl_share_exhausted(struct pl_process *const *process, size_t count);

#endif
