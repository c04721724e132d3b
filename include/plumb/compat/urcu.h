/* liburcu before 0.15 without inline assembly, for code that Plumbline runs.
 *
 * liburcu's barriers and uatomic_* operations on x86-64 are inline assembly, which no
 * instrumentation sees. Compile with
 *
 *     -D_LGPL_SOURCE -include plumb/compat/urcu.h
 *
 * and they become the compiler's builtins: the two x86 headers are named as already read, and the
 * library's own generic ones take their place. uatomic_xchg is one exchange here; the generic
 * header would make it of a load and a compare-and-swap, which adds executions that the real one
 * does not have. _LGPL_SOURCE makes the containers inline: in the shared library they are out of
 * sight.
 *
 * CMM_LOAD_SHARED and CMM_STORE_SHARED are volatile, which counts as relaxed atomic; the library
 * orders by address dependency, which is no synchronisation in C11: --races=allow.
 */
#ifndef PLUMB_COMPAT_URCU_H
#define PLUMB_COMPAT_URCU_H

#ifdef _URCU_ARCH_H
#error "plumb/compat/urcu.h must come before the headers of liburcu: use -include"
#endif

#define _URCU_ARCH_X86_H
#define _URCU_ARCH_UATOMIC_X86_H
#define UATOMIC_HAS_ATOMIC_BYTE
#define UATOMIC_HAS_ATOMIC_SHORT

#define uatomic_xchg(addr, v)                                                                      \
    __atomic_exchange_n((addr), (__typeof__(*(addr)))(v), __ATOMIC_SEQ_CST)

#include <urcu/arch.h>
#include <urcu/arch/generic.h>
#include <urcu/uatomic/generic.h>

#endif
