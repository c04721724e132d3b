/* Atomic accesses and fences: which call, with which order. */
#include <stdatomic.h>

typedef struct {
    long a, b;
} pair;

// expect load1: atomic8_load(i320)
char load1(_Atomic char *p)
{
    return atomic_load_explicit(p, memory_order_relaxed);
}
// expect load2: atomic16_load(i322)
short load2(_Atomic short *p)
{
    return atomic_load_explicit(p, memory_order_consume);
}
// expect load4: atomic32_load(i322)
int load4(_Atomic int *p)
{
    return atomic_load_explicit(p, memory_order_acquire);
}
// expect load8: atomic64_load(i325)
long load8(_Atomic long *p)
{
    return atomic_load(p);
}
// expect load_float: atomic32_load
float load_float(_Atomic float *p)
{
    return atomic_load(p);
}
// expect load_pointer: atomic64_load
void *load_pointer(void *_Atomic *p)
{
    return atomic_load(p);
}
// expect store1: atomic8_store(i320)
void store1(_Atomic char *p)
{
    atomic_store_explicit(p, 1, memory_order_relaxed);
}
// expect store8: atomic64_store(i323)
void store8(_Atomic long *p)
{
    atomic_store_explicit(p, 1, memory_order_release);
}
// expect store_double: atomic64_store(i325)
void store_double(_Atomic double *p)
{
    *p = 2;
}
// expect swap: atomic32_exchange(i324)
int swap(_Atomic int *p)
{
    return atomic_exchange_explicit(p, 1, memory_order_acq_rel);
}
// expect swap_pointer: atomic64_exchange
void *swap_pointer(void *_Atomic *p)
{
    return atomic_exchange(p, 0);
}
// expect add: atomic32_fetch_add(i325)
int add(_Atomic int *p)
{
    return atomic_fetch_add(p, 2);
}
// expect add_nothing: atomic32_fetch_add=0 loops=0
int add_nothing(_Atomic int *p)
{
    return atomic_load(p);
}
// expect sub: atomic16_fetch_sub
short sub(_Atomic short *p)
{
    return atomic_fetch_sub(p, 2);
}
// expect with_and: atomic8_fetch_and
char with_and(_Atomic char *p)
{
    return atomic_fetch_and(p, 2);
}
// expect with_or: atomic64_fetch_or
long with_or(_Atomic long *p)
{
    return atomic_fetch_or(p, 2);
}
// expect with_xor: atomic32_fetch_xor
int with_xor(_Atomic int *p)
{
    return atomic_fetch_xor(p, 2);
}
// expect with_nand: atomic32_fetch_nand
int with_nand(int *p)
{
    return __atomic_fetch_nand(p, 2, __ATOMIC_RELAXED);
}
// expect unused_exchange: atomic32_exchange !atomic32_store
void unused_exchange(_Atomic int *p)
{
    (void)atomic_exchange_explicit(p, 1, memory_order_release);
}
// expect largest: update(i648) update(i320,i325)
long largest(long *p, long v)
{
    return __atomic_fetch_max(p, v, __ATOMIC_SEQ_CST);
}
// expect smallest: update(i323)
unsigned char smallest(unsigned char *p)
{
    return __atomic_fetch_min(p, 3, __ATOMIC_RELAXED);
}
// expect float_add: update(i324)
float float_add(float *p, float v)
{
    return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
}

// expect strong: atomic32_compare_exchange_val(i324,i322) !cas_weak
int strong(_Atomic int *p, int e)
{
    return atomic_compare_exchange_strong_explicit(p, &e, 1, memory_order_acq_rel,
                                                   memory_order_acquire);
}
// expect weak: cas_weak(i644) cas_weak(i325,i320) !atomic32_compare_exchange_val
int weak(_Atomic int *p, int e)
{
    return atomic_compare_exchange_weak_explicit(p, &e, 1, memory_order_seq_cst,
                                                 memory_order_relaxed);
}
// expect weak_pointer: cas_weak(i648)
int weak_pointer(void *_Atomic *p, void *e)
{
    return atomic_compare_exchange_weak(p, &e, 0);
}
// expect expected_is_shared: cas_weak read4 write4
int expected_is_shared(_Atomic int *p, int *e)
{
    return atomic_compare_exchange_weak(p, e, 1);
}
// expect sync: atomic64_compare_exchange_val(i325,i325)
int sync(long *p)
{
    return __sync_bool_compare_and_swap(p, 1, 2);
}
// expect wide: atomic128_load
// compile: -mcx16
__int128 wide(_Atomic __int128 *p)
{
    return atomic_load(p);
}
// expect wide_weak: atomic128_compare_exchange_val !cas_weak
int wide_weak(_Atomic __int128 *p, __int128 e)
{
    return atomic_compare_exchange_weak(p, &e, 1);
}
// expect structure: atomic128_store
void structure(_Atomic pair *p, pair v)
{
    atomic_store(p, v);
}

// expect fences: atomic_signal_fence atomic_thread_fence(i325)
// expect fences -O0: atomic_thread_fence=4
void fences(void)
{
    atomic_thread_fence(memory_order_acquire);
    atomic_thread_fence(memory_order_release);
    atomic_thread_fence(memory_order_acq_rel);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_seq_cst);
}
// expect unchecked: atomic32_load
__attribute__((no_sanitize("thread"))) int unchecked(_Atomic int *p)
{
    return *p;
}
// expect volatile_atomic: atomic32_load !volatile_read4
int volatile_atomic(volatile _Atomic int *p)
{
    return *p;
}
// expect local: atomic32_fetch_add atomic32_load
int local(int n)
{
    _Atomic int a = n;
    a += 2;
    return a;
}
