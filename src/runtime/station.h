/*
 * Stations: moments of an execution from which later ones begin, in place of the start.
 *
 * Exploring is mostly repeating: two executions that differ in one read have everything before it
 * in common. A station keeps all that has changed since the start of the execution, before an event
 * that others were seen to begin at; which executions can begin there is the explorer's to say
 * (explore/stations.c).
 *
 * Invariants:
 * I1  At a station every thread stands at a scheduling point, is blocked, or is over; the one that
 *     made it is about to move, and on coming back asks again who moves.
 * I2  What changes in an execution is kept (PL_STATE, pl_keep), or is put back to its start
 *     (pl_reset_rest); if it is of the latter and has changed, rt.unkept is set, and no station is
 *     made.
 * I3  Stations are a stack, as the explorer's are.
 */
#ifndef PL_RUNTIME_STATION_H
#define PL_RUNTIME_STATION_H

#include "runtime/rt.h"

void pl_station_init(void);
/* A piece of memory that the station under way keeps. */
void pl_keep(void *at, size_t bytes);
void pl_station_make(void); /* by the engine: fiber.c */

/* The execution that begins: at a station, where everything now is as it was (else false); or at
 * the start. */
bool pl_station_resume(void);
void pl_station_begin(bool searching);
void pl_station_forget(void); /* all */

/* At a scheduling point, when the thread has been chosen to move. */
void pl_station_stop(uint64_t pc);
extern struct pl_stations {
    bool on;           /* in this execution some may be made */
    bool resumed;      /* it has begun at one, and nobody has moved yet */
    uint8_t pays[256]; /* an execution began before an event there, and no station was near */
} pl_stations;
/* Pieces of code, by address. */
static inline uint8_t *pl_station_pays(uint32_t pc)
{
    return &pl_stations.pays[(pc * 0x9e3779b1u) >> 24];
}
static inline void pl_station_point(uint64_t pc)
{
    if (pl_unlikely(pl_stations.on))
        pl_station_stop(pc);
}

#endif
