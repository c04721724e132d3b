/*
 * The shadow against a detector that forgets nothing: random accesses of three threads to two
 * granules, plain and atomic, of all sizes, in the heap and outside, between random locks. Both
 * must find something at the same access, always. The files of the runtime are included here,
 * with stand-ins for what they call.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h> /* after the headers it needs */

#include "base/prng.h"
#include "runtime/atomic.c"
#include "runtime/bits.c"
#include "runtime/clock.c"
#include "runtime/model.h"
#include "runtime/shadow.c"
#include "runtime/sync.c"

enum { THREADS = 3, LOCKS = 2, BYTES = 16, SEQUENCES = 400000, STEPS = 40 };
static const uint64_t outside = PL_STACKS + 0x1000, inside = PL_HEAP + 0x1000;

/* ---- stand-ins ---- */

struct pl_rt rt;
static struct pl_wire *wire;
static unsigned found;
static pl_tick lock_clock[LOCKS][PL_MAX_THREADS] __attribute__((aligned(16)));

static void *map(void *where, size_t bytes)
{
    void *p = mmap(where, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (where ? MAP_FIXED_NOREPLACE : 0),
                   -1, 0);
    assert_true(p != MAP_FAILED && (!where || p == where));
    return p;
}

void *pl_map(size_t bytes)
{
    return map(NULL, bytes);
}
void pl_find(const struct pl_found *f)
{
    (void)f;
    found++;
}
void pl_keep(void *at, size_t bytes)
{
    (void)at, (void)bytes;
}
bool pl_out_renames;
struct pl_facts pl_facts;
void pl_out_read_slow(uint64_t name, struct pl_fact_half *g)
{
    (void)name, (void)g;
}
void pl_out_store_slow(struct pl_fact_half *g, uint64_t address)
{
    (void)g, (void)address;
}
void pl_out_plain(const struct pl_cell *c, uint8_t mask, uint64_t address, bool write)
{
    (void)c, (void)mask, (void)address, (void)write;
}
bool pl_helping_on;
void pl_helping_plain(uint64_t address)
{
    (void)address;
}

_Noreturn void pl_unsupported(const char *sentence, uint64_t pc)
{
    (void)pc;
    fail_msg("%s", sentence);
    __builtin_unreachable();
}
void pl_model_access(uint64_t address, unsigned size, bool read, bool write, uint64_t pc)
{
    (void)address, (void)size, (void)read, (void)write, (void)pc;
    fail();
}
void pl_point(uint64_t pc)
{
    (void)pc;
}
bool pl_heap_block(uint64_t address, struct pl_block_info *out)
{
    (void)address, (void)out;
    return false;
}
bool pl_pool_block(uint64_t address, struct pl_block_info *out)
{
    (void)address, (void)out;
    return false;
}
void pl_model_initialise(struct pl_cell *c, uint8_t mask)
{
    (void)c, (void)mask;
}
void pl_trace_slow(enum pl_event_kind kind, const void *address, uint32_t size,
                   enum pl_memory_order order, uint64_t value, uint64_t value2, uint8_t flags,
                   uint64_t pc)
{
    (void)kind, (void)address, (void)size, (void)order, (void)value, (void)value2, (void)flags,
        (void)pc;
}

/* ---- the detector that forgets nothing ---- */

struct past {
    uint32_t thread;
    pl_tick tick;
    bool write, atomic;
};
static struct past past[BYTES][2 * STEPS];
static unsigned past_count[BYTES];
static bool valid[BYTES], defined[BYTES];

static bool unordered(const struct past *p)
{
    return p->thread != rt.self->id && p->tick > rt.self->clock[p->thread];
}

static bool access_is_wrong(unsigned at, unsigned size, bool read, bool write, bool atomic)
{
    bool wrong = false;
    unsigned undefined = 0;
    for (unsigned i = at; i < at + size; i++) {
        wrong |= !valid[i];
        undefined += !defined[i];
        for (unsigned j = 0; j < past_count[i]; j++) {
            const struct past *p = &past[i][j];
            wrong |= unordered(p) && (p->write || write) && !(p->atomic && atomic);
        }
        past[i][past_count[i]++] =
            (struct past){rt.self->id, rt.self->clock[rt.self->id], write, atomic};
        defined[i] |= write;
    }
    return wrong || (read && undefined == size);
}

static bool free_is_wrong(void)
{
    bool wrong = false;
    for (unsigned i = 0; i < BYTES; i++)
        for (unsigned j = 0; j < past_count[i]; j++)
            wrong |= unordered(&past[i][j]);
    return wrong;
}

static void start_life(bool live, bool plain_memory)
{
    for (unsigned i = 0; i < BYTES; i++) {
        valid[i] = live;
        defined[i] = plain_memory;
        past_count[i] = 0;
        if (live && !plain_memory) /* malloc comes before every access */
            past[i][past_count[i]++] =
                (struct past){rt.self->id, rt.self->clock[rt.self->id], true, false};
    }
}

/* ---- a sequence ---- */

static struct pl_prng prng;

static uint32_t below(uint32_t n)
{
    return pl_prng_below(&prng, n);
}

static bool plain(uint64_t base, unsigned at, unsigned size, bool write)
{
    uint64_t address = base + at;
    uint8_t mask = (uint8_t)(((1u << size) - 1) << (address & 7));
    bool wrong = access_is_wrong(at, size, !write, write, false);
    if (below(4))
        pl_plain_access(address, mask, write, 1);
    else /* as a range is accessed */
        pl_granule_access(pl_cell_of(address), address, mask, write, 1);
    return wrong;
}

static bool atomic(uint64_t base, unsigned at, unsigned size, unsigned what)
{
    bool wrong = access_is_wrong(at, size, what != 1, what != 0, true);
    struct pl_sync *s = pl_atomic_begin_inline(base + at, size, 1);
    if (what == 0)
        pl_atomic_read_inline(s, PL_ORDER_RELAXED, 1);
    else if (what == 1)
        pl_atomic_write_inline(s, PL_ORDER_RELAXED, 1);
    else
        pl_atomic_update_inline(s, PL_ORDER_RELAXED, 1);
    return wrong;
}

static void start_execution(void)
{
    pl_shadow_reset();
    pl_sync_reset();
    pl_clock_reset();
    pl_atomic_reset();
    memset(lock_clock, 0, sizeof lock_clock);
    for (uint32_t t = 0; t < THREADS; t++) {
        struct pl_thread *thread = &rt.thread[t];
        memset(thread, 0, sizeof *thread);
        thread->id = t;
        thread->clock[t] = 1;
        thread->epoch = t << PL_TICK_BITS | 1;
    }
    rt.self = &rt.thread[0];
    found = 0;
}

/* Returns whether it ended in a finding; *steps is increased. */
static bool sequence(uint64_t seed, uint64_t *steps)
{
    pl_prng_init(&prng, seed);
    start_execution();
    bool heap = below(2), live = !heap;
    uint64_t base = heap ? inside : outside;
    start_life(live, !heap);
    unsigned sizes = 1 + below(4);
    for (unsigned i = 0; i < STEPS; i++, (*steps)++) {
        bool wrong = false;
        rt.self = &rt.thread[below(THREADS)];
        unsigned lock = below(LOCKS + 1), size = 1u << below(sizes);
        unsigned at = below(BYTES / size) * size, what = below(16);
        if (lock < LOCKS)
            pl_acquire(lock_clock[lock]);
        if (heap && !live && what < 14) {
            pl_shadow_malloc(base, BYTES, false, true, 1);
            live = true;
            start_life(true, false);
        } else if (heap && live && what == 0) {
            wrong = free_is_wrong();
            pl_shadow_free(base, BYTES, true, 1);
            live = false;
            start_life(false, false);
        } else if (what < 5) {
            wrong = atomic(base, at, size, below(3));
        } else {
            wrong = plain(base, at, size, what < 9);
        }
        if (wrong != (found != 0))
            fail_msg("seed %lu, step %u: %s finds something, the other does not",
                     (unsigned long)seed, i, wrong ? "the detector" : "the shadow");
        if (found)
            return true;
        if (lock < LOCKS)
            pl_release_join(lock_clock[lock]);
    }
    return false;
}

static void finds_what_a_detector_finds_that_forgets_nothing(void **state)
{
    (void)state;
    uint64_t steps = 0, ended = 0;
    for (uint64_t seed = 1; seed <= SEQUENCES; seed++)
        ended += sequence(seed, &steps);
    /* Neither all right nor all wrong at once: else nothing was compared. */
    assert_true(ended > SEQUENCES / 4 && steps > 4 * (uint64_t)SEQUENCES);
}

static int enter(void **state)
{
    (void)state;
    map((void *)PL_SHADOW, PL_SHADOW_BYTES);
    memset(map((void *)PL_HEAP, 0x2000), PL_FRESH, 0x2000);
    rt.wire = wire = map(NULL, sizeof *wire);
    rt.options = &wire->options;
    rt.width = 4;
    rt.nthreads = THREADS;
    rt.active = true;
    pl_shadow_init();
    pl_sync_init();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_a_detector_finds_that_forgets_nothing),
    };
    return cmocka_run_group_tests(tests, enter, NULL);
}
