/*
 * operator new. libstdc++ allocates and malloc sees only that; who asked libstdc++ is
 * seen here. Memory that libstdc++ allocates for itself (the text that a locale's
 * collate makes, buffers of streams) it fills with code that is not seen, so it counts
 * as written from the start.
 */
#include "runtime/libc.h"

#define REAL_TABLE(X)                                                                              \
    X(void *, _Znwm, (size_t))                                                                     \
    X(void *, _Znam, (size_t))
REAL_TABLE(PL_REAL_POINTER)
#define REAL(name) (*(real_##name ? real_##name : (pl_new_init(), real_##name)))

/* A program in C has no libstdc++, and no call of these. */
void pl_new_init(void)
{
    REAL_TABLE(PL_REAL_FIND)
}

static void *fresh(void *start, size_t bytes, uint64_t pc)
{
    if (rt.active && pc - pl_libstdcxx_start < pl_libstdcxx_end - pl_libstdcxx_start)
        pl_write_range(start, bytes, pc);
    return start;
}

PL_EXPORT void *_Znwm(size_t bytes);
PL_EXPORT void *_Znam(size_t bytes);

void *_Znwm(size_t bytes)
{
    return fresh(REAL(_Znwm)(bytes), bytes, PL_CALLER);
}

void *_Znam(size_t bytes)
{
    return fresh(REAL(_Znam)(bytes), bytes, PL_CALLER);
}
