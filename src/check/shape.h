/*
 * Executions that are the same but for names: which thread is which, and, where the spec only
 * passes values on, which value is which. What one decides goes for the others.
 *
 * The operations are put into an order that does not depend on the names, by colours: first what
 * they did, then also how they stand to those of each colour, again and again. What is written in
 * this order is the key; two with the same key are the same but for names. (Where colours do not
 * tell operations apart, two that are the same may have different keys: then both are decided.)
 *
 * Ownership: pl_shapes_free.
 */
#ifndef PL_CHECK_SHAPE_H
#define PL_CHECK_SHAPE_H

#include "check/clients.h"

struct pl_shape {
    const struct pl_behaviour *behaviour;
    const struct pl_allowed *allowed;
    uint32_t what[PL_MOST_CALLED];  /* of each operation, equal for equal ones; without its value */
    pl_value value[PL_MOST_CALLED]; /* that was put or taken; PL_NIL: none */
};

struct pl_shapes;
struct pl_shapes *pl_shapes_new(void);
void pl_shapes_free(struct pl_shapes *shapes);

/* Was one like this kept? */
bool pl_shapes_has(struct pl_shapes *shapes, const struct pl_shape *shape);
/* Keeps the one that was last asked for, if there is room. */
void pl_shapes_keep(struct pl_shapes *shapes);

#endif
