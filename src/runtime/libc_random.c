/*
 * Random numbers of the system: the same in every execution, so that the choices of
 * the schedule alone replay a finding. What libc and libstdc++ generate themselves
 * (rand, random, drand48, std::mt19937) has its state in memory that the reset
 * restores: nothing to do. A program that reads /dev/urandom itself gets real random
 * bytes, and findings that depend on them are marked unstable.
 */
#include <stdlib.h>
#include <sys/random.h>

#include "base/prng.h"
#include "runtime/libc.h"

enum { BEFORE_MAIN = 1, IN_EXECUTION = 2 }; /* seeds */

static struct pl_prng source;
static bool seeded;

void pl_random_reset(void)
{
    pl_prng_init(&source, IN_EXECUTION);
    seeded = true;
}

static uint64_t draw(void)
{
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
