/*
 * Linearizability by its definition: is there an order of the operations that keeps the
 * real-time order and that the object could answer one operation at a time? Every such
 * order is tried; a pending operation is left out or given any answer. For histories of a
 * few operations. Its objects are written here once more, on purpose.
 */
#ifndef ORACLE_LINEAR_H
#define ORACLE_LINEAR_H

#include "history/history.h"

enum { OR_MOST_OPERATIONS = 16 };

struct or_object {
    const char *name; /* fifo, lifo, … as of --spec */
    pl_value initial; /* register, counter, semaphore, countdown, snapshot */
};

bool or_linearizable(const struct or_object *object, const struct pl_history *history);

#endif
