/* Keeping the state of an execution, and putting it back: station.h. */
#include "runtime/station.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/futex.h"
#include "runtime/harness.h"
#include "runtime/loops.h"
#include "runtime/model.h"
#include "runtime/model_internal.h"
#include "runtime/point.h"
#include "runtime/shadow.h"
#include "runtime/symmetry.h"

/*
 * The store, one station after the other:
 *
 *   | piece | bytes … | piece | bytes … | end |  cells, then their addresses |  next station …
 */
struct piece {
    uint8_t *at; /* NULL ends the station */
    uint64_t bytes;
};
enum { STORE_BYTES = 32 << 20, MOST_BYTES = 1 << 20, UNIT = 16 };
/* What comes before a station is repeated in some 100 ns an event; to keep and to put back so many
 * bytes takes as long. */
enum { BYTES_AN_EVENT = 2048 };

static struct kept {
    uint8_t *start, *end;
    struct pl_cell *cells;
    uint32_t count; /* of cells */
    unsigned dirties;
    uint32_t pc; /* of the event it was made before */
    uint64_t arenas;
} kept[PL_TRUST_STATIONS];
static uint8_t *store, *top, *limit;                      /* limit: of the station under way */
static uint32_t pc_of[PL_GRAPH_THREADS][PL_GRAPH_LENGTH]; /* of a thread's event, as last seen */
static uint32_t last_at, last_bytes; /* when the last station of this execution was made */
static bool too_large;               /* the station under way */
static bool off, everywhere;         /* for our own tests: none, or before every event */

struct pl_stations pl_stations;
extern uint8_t __start_pl_state[] __attribute__((visibility("hidden")));
extern uint8_t __stop_pl_state[] __attribute__((visibility("hidden")));

typedef uint8_t unit __attribute__((vector_size(UNIT), may_alias, aligned(1)));
typedef uint64_t word __attribute__((may_alias, aligned(1)));

static inline void copy(void *to, const void *from, size_t bytes)
{
    unit *t = to;
    const unit *f = from;
    for (; bytes >= 4 * UNIT; bytes -= 4 * UNIT, t += 4, f += 4) {
        unit a = f[0], b = f[1], c = f[2], d = f[3];
        t[0] = a, t[1] = b, t[2] = c, t[3] = d;
    }
    for (; bytes >= UNIT; bytes -= UNIT)
        *t++ = *f++;
    uint8_t *last = (uint8_t *)t;
    const uint8_t *rest = (const uint8_t *)f;
    if (bytes >= 8) {
        *(word *)last = *(const word *)rest;
        last += 8, rest += 8, bytes -= 8;
    }
    for (; bytes; bytes--)
        *last++ = *rest++;
}

void pl_station_init(void)
{
    off = getenv("PLUMB_NO_STATIONS") != NULL;
    everywhere = getenv("PLUMB_STATIONS_EVERYWHERE") != NULL;
    store = top = pl_map(STORE_BYTES);
}

void pl_station_forget(void)
{
    if (!rt.exploring)
        return;
    pl_trust_forget_stations(pl_model.search);
    memset(&pl_stations, 0, sizeof pl_stations);
}

/* ---- making one ---- */

void pl_keep(void *at, size_t bytes)
{
    if (!bytes || too_large)
        return;
    if (bytes > MOST_BYTES || top + 2 * sizeof(struct piece) + bytes + UNIT > limit) {
        too_large = true; /* also if the end of the station had no room */
        return;
    }
    struct piece *p = (struct piece *)top;
    *p = (struct piece){at, bytes};
    copy(p + 1, at, bytes);
    top += sizeof *p + ((bytes + UNIT - 1) & ~(size_t)(UNIT - 1));
}

/* What there is of the whole machine that is not of a module. */
static void keep_rt(void)
{
    pl_keep(&rt.self, offsetof(struct pl_rt, strategy) - offsetof(struct pl_rt, self));
    pl_keep(&rt.nthreads, sizeof rt.nthreads);
    pl_keep(&rt.now, sizeof rt.now);
    pl_keep(&rt.exit_status, sizeof rt.exit_status);
    pl_keep(&rt.main_waits, sizeof rt.main_waits);
    pl_keep(&rt.stopped, sizeof rt.stopped);
}

static void keep_cells(struct kept *k)
{
    k->count = rt.cells;
    k->cells = (struct pl_cell *)top;
    if (too_large || rt.cells * (sizeof *k->cells + sizeof *pl_cells) > (size_t)(limit - top)) {
        too_large = true;
        return;
    }
    for (uint32_t i = 0; i < rt.cells; i++)
        copy(&k->cells[i], pl_cells[i], sizeof *k->cells);
    top += rt.cells * sizeof *k->cells;
    copy(top, pl_cells, rt.cells * sizeof *pl_cells);
    top += (rt.cells * sizeof *pl_cells + UNIT - 1) & ~(size_t)(UNIT - 1);
}

static void keep_model(void)
{
    struct pl_trust_span span[PL_TRUST_SPANS];
    unsigned spans = pl_trust_spans(pl_model.search, span);
    for (unsigned i = 0; i < spans; i++)
        pl_keep(span[i].at, span[i].bytes);
    pl_await_keep();
    pl_model_objects_keep();
    pl_model_rounds_keep();
    pl_symmetry_keep();
    pl_futex_keep();
    pl_keep(&pl_model.could_time_out, sizeof pl_model.could_time_out);
    pl_keep(&pl_model.spinning, sizeof pl_model.spinning);
}

void pl_station_make(void)
{
    uint32_t number = pl_trust_stop(pl_model.search);
    struct kept *k = &kept[number];
    top = k->start = number ? kept[number - 1].end : store;
    limit = top + MOST_BYTES;
    too_large = false;
    k->dirties = pl_reset_dirties();
    k->pc = (uint32_t)rt.self->blocked_pc;
    if (*pl_station_pays(k->pc))
        --*pl_station_pays(k->pc);
    keep_rt();
    keep_model();
    pl_keep(__start_pl_state, (uintptr_t)__stop_pl_state - (uintptr_t)__start_pl_state);
    pl_fiber_keep();
    pl_reset_keep();
    k->arenas = pl_heap_keep();
    pl_sync_keep();
    pl_shadow_keep();
    pl_pool_keep();
    pl_loops_keep();
    if (pl_checking())
        pl_harness_keep();
    *(struct piece *)top = (struct piece){NULL, 0};
    top += sizeof(struct piece);
    keep_cells(k);
    k->end = top;
    if (pl_unlikely(too_large)) { /* then so are those to come */
        pl_trust_unstop(pl_model.search);
        pl_stations.on = false;
        off = true;
        return;
    }
    last_at = pl_trust_at(pl_model.search);
    last_bytes = (uint32_t)(k->end - k->start);
}

/* Is it worth it, and is there room? */
static bool is_worth_it(uint64_t pc)
{
    const struct pl_trust *x = pl_model.search;
    uint32_t stations = pl_trust_stations(x);
    const uint8_t *end = stations ? kept[stations - 1].end : store;
    bool far = pl_trust_at(x) > last_at + last_bytes / BYTES_AN_EVENT;
    return ((*pl_station_pays((uint32_t)pc) && far) || pl_unlikely(everywhere)) && !rt.unkept &&
           pl_trust_may_stop(x) && store + STORE_BYTES - end > 2 * MOST_BYTES;
}

void pl_station_stop(uint64_t pc)
{
    unsigned made = pl_model_made();
    if (rt.self->id < PL_GRAPH_THREADS && made < PL_GRAPH_LENGTH)
        pc_of[rt.self->id][made] = (uint32_t)pc;
    if (pl_likely(!is_worth_it(pc)))
        return;
    pl_fiber_stop();
    while (pl_stations.resumed) {
        pl_stations.resumed = false;
        pl_model_resumed();
        uint64_t candidates = rt.enabled | rt.timed;
        if (candidates & (candidates - 1))
            pl_hand_over(candidates);
        if (pl_trust_at(pl_model.search) > last_at && is_worth_it(pc))
            pl_fiber_stop();
    }
}

/* ---- beginning at one ---- */

static void put_back(const struct kept *k)
{
    const uint8_t *at = k->start;
    for (const struct piece *p; (p = (const struct piece *)at)->at;) {
        copy(p->at, p + 1, p->bytes);
        at += sizeof *p + ((p->bytes + UNIT - 1) & ~(uint64_t)(UNIT - 1));
    }
    rt.cells = k->count;
    copy(pl_cells, k->cells + k->count, k->count * sizeof *pl_cells);
    for (uint32_t i = 0; i < k->count; i++) {
        copy(pl_cells[i], &k->cells[i], sizeof *k->cells);
        pl_cells[i]->generation = rt.generation;
    }
}

/* Code that executions begin at has so many stations more to make. */
static void pay(uint32_t pc)
{
    enum { STATIONS = 4 };
    uint8_t *pays = pl_station_pays(pc);
    *pays = (uint8_t)(*pays > UINT8_MAX - STATIONS ? UINT8_MAX : *pays + STATIONS);
}

void pl_station_begin(bool searching)
{
    pl_stations.on = searching && !off && !rt.options->check.infer &&
                     pl_model.explorer == pl_model.search && pl_model_searches();
    last_at = last_bytes = 0;
}

bool pl_station_resume(void)
{
    uint32_t after = 0, most = 0;
    struct pl_ref before;
    if (!rt.exploring || off || pl_model.explorer != pl_model.search)
        return false;
    int number = pl_trust_station(pl_model.search, &after, &most, &before);
    if (most > after + (number < 0 ? 0 : last_bytes / BYTES_AN_EVENT))
        pay(pc_of[before.thread][before.index]);
    if (number < 0)
        return false;
    const struct kept *k = &kept[number];
    pay(k->pc);
    pl_reset_rest();
    pl_loops_reset();
    pl_model_objects_begin();
    pl_reset_later(k->dirties);
    put_back(k);
    pl_heap_kept(k->arenas);
    pl_trust_resume(pl_model.search);
    pl_stations.on = pl_stations.resumed = true;
    last_at = after;
    last_bytes = (uint32_t)(k->end - k->start);
    return true;
}
