/*
 * Random numbers of the system: the same in every execution, so that the choices of
 * the schedule alone replay a finding. What libc and libstdc++ generate themselves
 * (rand, random, drand48, std::mt19937) has its state in memory that the reset
 * restores: nothing to do, except where that memory is the caller's (rand_r), and under the
 * explorer where it is libc's: who draws first is part of an execution, like who locks first. A
 * program that reads /dev/urandom itself gets real random bytes, and findings that depend on them
 * are marked unstable.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/prng.h"
#include "runtime/libc.h"
#include "runtime/loops.h"
#include "runtime/model.h"

#define REAL_TABLE(X)                                                                              \
    X(int, rand, (void))                                                                           \
    X(void, srand, (unsigned))                                                                     \
    X(long, random, (void))                                                                        \
    X(void, srandom, (unsigned))                                                                   \
    X(double, drand48, (void))                                                                     \
    X(long, lrand48, (void))                                                                       \
    X(long, mrand48, (void))                                                                       \
    X(void, srand48, (long))                                                                       \
    X(int, rand_r, (unsigned *))                                                                   \
    X(int, random_r, (struct random_data *, int32_t *))                                            \
    X(int, srandom_r, (unsigned, struct random_data *))                                            \
    X(int, initstate_r, (unsigned, char *, size_t, struct random_data *))                          \
    X(int, setstate_r, (char *, struct random_data *))                                             \
    X(char *, initstate, (unsigned, char *, size_t))                                               \
    X(char *, setstate, (char *))                                                                  \
    X(double, erand48, (unsigned short *))                                                         \
    X(long, nrand48, (unsigned short *))                                                           \
    X(long, jrand48, (unsigned short *))                                                           \
    X(int, drand48_r, (struct drand48_data *, double *))                                           \
    X(int, lrand48_r, (struct drand48_data *, long *))                                             \
    X(int, mrand48_r, (struct drand48_data *, long *))                                             \
    X(int, srand48_r, (long, struct drand48_data *))
REAL_TABLE(PL_REAL_POINTER)
#define REAL(name) (*(real_##name ? real_##name : (pl_rand_init(), real_##name)))

void pl_rand_init(void)
{
    REAL_TABLE(PL_REAL_FIND)
}

enum { BEFORE_MAIN = 1, IN_EXECUTION = 2 }; /* seeds */

static struct pl_prng source;
static bool seeded;

void pl_random_reset(void)
{
    pl_prng_init(&source, IN_EXECUTION);
    seeded = true;
}

/* Under the explorer the order in which threads happen to run means nothing: each draws its
 * own numbers. */
static uint64_t explored_draw(void)
{
    static uint32_t generation, draws[PL_MAX_THREADS];
    if (generation != rt.generation) {
        generation = rt.generation;
        memset(draws, 0, sizeof draws);
    }
    pl_loops_effect();
    rt.unkept = true;
    uint64_t x = (uint64_t)rt.self->id << 32 | ++draws[rt.self->id];
    return pl_mix64(&x);
}

static uint64_t draw(void)
{
    if (pl_unlikely(rt.exploring && rt.active))
        return explored_draw();
    if (pl_unlikely(!seeded)) {
        pl_prng_init(&source, BEFORE_MAIN);
        seeded = true;
    }
    return pl_prng_next(&source);
}

void pl_random_fill(void *to, size_t bytes)
{
    uint8_t *out = to;
    uint64_t word = 0;
    for (size_t i = 0; i < bytes; i++, word >>= 8) {
        if (i % 8 == 0)
            word = draw();
        out[i] = (uint8_t)word;
    }
}

static void fill(void *to, size_t bytes, uint64_t pc)
{
    if (pl_from_subject(pc))
        pl_write_range(to, bytes, pc);
    pl_random_fill(to, bytes);
}

PL_EXPORT ssize_t getrandom(void *to, size_t bytes, unsigned flags)
{
    (void)flags;
    fill(to, bytes, PL_CALLER);
    return (ssize_t)bytes;
}

PL_EXPORT int getentropy(void *to, size_t bytes)
{
    if (bytes > 256) {
        errno = EIO;
        return -1;
    }
    fill(to, bytes, PL_CALLER);
    return 0;
}

/* New in glibc 2.36; its headers may be older. */
PL_EXPORT uint32_t pl_arc4random(void) __asm__("arc4random");
PL_EXPORT void pl_arc4random_buf(void *to, size_t bytes) __asm__("arc4random_buf");
PL_EXPORT uint32_t pl_arc4random_uniform(uint32_t bound) __asm__("arc4random_uniform");

uint32_t pl_arc4random(void)
{
    return (uint32_t)(draw() >> 32);
}

void pl_arc4random_buf(void *to, size_t bytes)
{
    fill(to, bytes, PL_CALLER);
}

uint32_t pl_arc4random_uniform(uint32_t bound)
{
    return (uint32_t)(((draw() >> 32) * bound) >> 32);
}

/* std::random_device::_M_getval() and the one of C++ before TR1. Its constructor still
 * chooses a source of its own, which is then never asked. */
PL_EXPORT unsigned pl_random_device(void *self) __asm__("_ZNSt13random_device9_M_getvalEv");
PL_EXPORT unsigned
pl_random_device_pretr1(void *self) __asm__("_ZNSt13random_device16_M_getval_pretr1Ev");

unsigned pl_random_device(void *self)
{
    (void)self;
    return (unsigned)(draw() >> 32);
}

unsigned pl_random_device_pretr1(void *self)
{
    (void)self;
    return (unsigned)(draw() >> 32);
}

/* ---- generators of libc's own ---- */

/*
 * A draw takes the next number from a stream that all threads share. libc has a lock around it;
 * what is promised is less, so that it orders the draws and nothing else: no race is hidden by it.
 * Whoever draws reads from the one before, so that libc's state, which knows the order of this run
 * only, is always that of the graph.
 */
static void take_turn(const void *generator, uint64_t pc)
{
    if (pl_likely(!rt.exploring) || !rt.active || !pl_from_subject(pc))
        return;
    const struct pl_model_step step = {.object = generator,
                                       .op = PL_OP_ADD,
                                       .operand = 1,
                                       .order = PL_ORDER_RELAXED,
                                       .order_fail = PL_ORDER_RELAXED};
    (void)pl_model_object_update(&step, NULL, pc);
}

static const uint64_t of_random, of_rand48; /* they stand for the two generators */
#define DRAW(type, name, generator)                                                                \
    PL_EXPORT type name(void)                                                                      \
    {                                                                                              \
        take_turn(&(generator), PL_CALLER);                                                        \
        return REAL(name)();                                                                       \
    }
#define SEED(type, name, generator)                                                                \
    PL_EXPORT void name(type seed)                                                                 \
    {                                                                                              \
        take_turn(&(generator), PL_CALLER);                                                        \
        REAL(name)(seed);                                                                          \
    }
DRAW(int, rand, of_random)
DRAW(long, random, of_random)
SEED(unsigned, srand, of_random)
SEED(unsigned, srandom, of_random)
DRAW(double, drand48, of_rand48)
DRAW(long, lrand48, of_rand48)
DRAW(long, mrand48, of_rand48)
SEED(long, srand48, of_rand48)

/* ---- generators whose state is the caller's ---- */

static void changes(void *state, size_t bytes, uint64_t pc)
{
    if (!pl_from_subject(pc))
        return;
    pl_read_range(state, bytes, pc);
    pl_write_range(state, bytes, pc);
}

static void sets(void *state, size_t bytes, uint64_t pc)
{
    if (pl_from_subject(pc))
        pl_write_range(state, bytes, pc);
}

PL_EXPORT int rand_r(unsigned *seed)
{
    changes(seed, sizeof *seed, PL_CALLER);
    return REAL(rand_r)(seed);
}

#define OF_THREE(type, name)                                                                       \
    PL_EXPORT type name(unsigned short state[3])                                                   \
    {                                                                                              \
        changes(state, 3 * sizeof *state, PL_CALLER);                                              \
        return REAL(name)(state);                                                                  \
    }
OF_THREE(double, erand48)
OF_THREE(long, nrand48)
OF_THREE(long, jrand48)

/* Parts of these structures are never set, so that they are not read whole. */
#define REENTRANT(name, state_type, type)                                                          \
    PL_EXPORT int name(struct state_type *restrict state, type *restrict to)                       \
    {                                                                                              \
        uint64_t pc = PL_CALLER;                                                                   \
        sets(state, sizeof *state, pc);                                                            \
        sets(to, sizeof *to, pc);                                                                  \
        return REAL(name)(state, to);                                                              \
    }
REENTRANT(random_r, random_data, int32_t)
REENTRANT(drand48_r, drand48_data, double)
REENTRANT(lrand48_r, drand48_data, long)
REENTRANT(mrand48_r, drand48_data, long)

PL_EXPORT int srandom_r(unsigned seed, struct random_data *state)
{
    sets(state, sizeof *state, PL_CALLER);
    return REAL(srandom_r)(seed, state);
}

PL_EXPORT int srand48_r(long seed, struct drand48_data *state)
{
    sets(state, sizeof *state, PL_CALLER);
    return REAL(srand48_r)(seed, state);
}

PL_EXPORT int initstate_r(unsigned seed, char *restrict bytes, size_t count,
                          struct random_data *restrict state)
{
    uint64_t pc = PL_CALLER;
    sets(bytes, count, pc);
    sets(state, sizeof *state, pc);
    return REAL(initstate_r)(seed, bytes, count, state);
}

PL_EXPORT int setstate_r(char *restrict bytes, struct random_data *restrict state)
{
    uint64_t pc = PL_CALLER;
    changes(bytes, sizeof(int32_t), pc);
    sets(state, sizeof *state, pc);
    return REAL(setstate_r)(bytes, state);
}

PL_EXPORT char *initstate(unsigned seed, char *bytes, size_t count)
{
    sets(bytes, count, PL_CALLER);
    return REAL(initstate)(seed, bytes, count);
}

PL_EXPORT char *setstate(char *bytes)
{
    changes(bytes, sizeof(int32_t), PL_CALLER);
    return REAL(setstate)(bytes);
}
