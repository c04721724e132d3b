/* See constructors.c. */
#ifndef PL_INSTRUMENT_CONSTRUCTORS_H
#define PL_INSTRUMENT_CONSTRUCTORS_H

#include "instrument/unit.h"

void pl_place_constructors(const struct pl_unit *u);

#endif
