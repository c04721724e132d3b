/* Concurrency Kit (0.7) without inline assembly, for code that Plumbline runs.
 *
 * Concurrency Kit's atomics on x86-64 are inline assembly, which no instrumentation sees. Compile
 * with
 *
 *     -include plumb/compat/ck.h
 *
 * and they become the compiler's builtins. This is `-DCK_USE_CC_BUILTINS=1 -DCK_MD_RMO` (the
 * library's own switches: builtins, and every fence is a fence, not a compiler barrier) and, what
 * the switches leave out:
 *
 *   - ck_pr_cas_ptr_2 and ck_pr_cas_ptr_2_value, the two-word compare-and-swap. Without it
 *     ck_stack_pop_mpmc, ck_stack_trypop_mpmc and ck_fifo_mpmc do not exist;
 *   - ck_pr_fas_*, fetch and store, as one exchange. The library would make it of a load and a
 *     compare-and-swap, which adds executions that the real one does not have.
 *
 * The accesses that remain (ck_pr_load_*, ck_pr_store_*) are volatile, which counts as relaxed
 * atomic. Plain accesses that race by design (the slots of a ring with several consumers, the links
 * of a stack) need --races=allow.
 */
#ifndef PLUMB_COMPAT_CK_H
#define PLUMB_COMPAT_CK_H

#ifdef CK_PR_H
#error "plumb/compat/ck.h must come before the headers of Concurrency Kit: use -include"
#endif

#undef CK_USE_CC_BUILTINS
#define CK_USE_CC_BUILTINS 1
#ifndef CK_MD_RMO
#define CK_MD_RMO
#endif

/* Named before ck_pr.h is read, so that it does not make its own of them. */
#define CK_F_PR_FAS_PTR
#define CK_F_PR_FAS_64
#define CK_F_PR_FAS_32
#define CK_F_PR_FAS_16
#define CK_F_PR_FAS_8
#define CK_F_PR_FAS_INT
#define CK_F_PR_FAS_UINT
#define CK_F_PR_FAS_CHAR
#define CK_F_PR_CAS_PTR_2
#define CK_F_PR_CAS_PTR_2_VALUE

#include <stdbool.h>
#include <stdint.h>

#define PLUMB_CK_FAS(S, M, T)                                                                      \
    static inline T ck_pr_fas_##S(M *target, T value)                                              \
    {                                                                                              \
        return __atomic_exchange_n((T *)target, value, __ATOMIC_SEQ_CST);                          \
    }
PLUMB_CK_FAS(ptr, void, void *)
PLUMB_CK_FAS(64, uint64_t, uint64_t)
PLUMB_CK_FAS(32, uint32_t, uint32_t)
PLUMB_CK_FAS(16, uint16_t, uint16_t)
PLUMB_CK_FAS(8, uint8_t, uint8_t)
PLUMB_CK_FAS(int, int, int)
PLUMB_CK_FAS(uint, unsigned int, unsigned int)
PLUMB_CK_FAS(char, char, char)
#undef PLUMB_CK_FAS

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Watomic-alignment" /* a call, which we answer */
#endif

/* The target is 16-byte aligned (cmpxchg16b demands it too); the operands need not be. */
static inline bool ck_pr_cas_ptr_2_value(void *target, void *compare, void *set, void *value)
{
    unsigned __int128 expected, desired;
    bool done;

    __builtin_memcpy(&expected, compare, sizeof(expected));
    __builtin_memcpy(&desired, set, sizeof(desired));
    done = __atomic_compare_exchange_n((unsigned __int128 *)target, &expected, desired, 0,
                                       __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    __builtin_memcpy(value, &expected, sizeof(expected));
    return done;
}

static inline bool ck_pr_cas_ptr_2(void *target, void *compare, void *set)
{
    unsigned __int128 seen;

    return ck_pr_cas_ptr_2_value(target, compare, set, &seen);
}

#ifdef __clang__
#pragma clang diagnostic pop
#endif

#include <ck_pr.h>

#endif
