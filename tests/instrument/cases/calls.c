/* Calls into code that may be out of sight. */
#include <immintrin.h>
#include <stdio.h>
void declared(void);
static void defined(void)
{
    declared();
}
__attribute__((noinline)) static void kept(int *p)
{
    *p = 1;
}
extern inline __attribute__((gnu_inline)) int elsewhere(int n)
{
    return n + 1;
}
void __tsan_read4(void *);
void __plumb_pause(void);
typedef int function(int);
__attribute__((weak)) void replaceable(void) {}
extern void another(void) __attribute__((alias("replaceable")));

// expect to_declared: call(@declared)
void to_declared(void)
{
    declared();
}
// expect to_library: call(@puts)
void to_library(void)
{
    puts("x");
}
// expect to_pointer: call=1
int to_pointer(function *f)
{
    return f(1);
}
// expect to_defined: call=0
void to_defined(int *p)
{
    kept(p);
}
// expect to_defined_inline -O1 -O2: call(@declared)
void to_defined_inline(void)
{
    defined();
}
// expect to_elsewhere -O0: call(@elsewhere)
int to_elsewhere(int n)
{
    return elsewhere(n);
}
// expect to_alias: call=0
void to_alias(void)
{
    another();
}
// expect to_runtime: call=0 pause=1
void to_runtime(void)
{
    __plumb_pause();
}
// expect to_intrinsic: none
int to_intrinsic(unsigned n)
{
    return __builtin_popcount(n) + __builtin_ctz(n);
}
// expect to_arithmetic: none
double to_arithmetic(double x, int n, int *where)
{
    int sum = 0;
    where = __builtin_add_overflow(n, 1, &sum) ? 0 : where;
    return __builtin_fabs(x) + sum + (where != 0);
}
// expect masked: call(null)
// compile: -mavx
void masked(float *p, __m256i m, __m256 v)
{
    _mm256_maskstore_ps(p, m, v);
}
// expect barrier: none
void barrier(void)
{
    __asm__ volatile("" ::: "memory");
}
// expect hint: none
void hint(void)
{
    __asm__ volatile("pause" ::: "memory");
    __asm__ volatile("rep; nop");
}
// expect assembly: call(null)
void assembly(int *p)
{
    __asm__ volatile("lock incl %0" : "+m"(*p));
}
