/* The marks as they arrive: balanced whatever way a loop is entered and left, with values that
 * are complete and zero-extended. */
#include <assert.h>
#include <setjmp.h>
#include <stdlib.h>

#include "marks.h"

static int left;
/* A call, so that the loop is marked. */
__attribute__((noinline)) static int again(void)
{
    return left-- > 0;
}

/* Loops of the test itself are not marked. */
#define UNMARKED __attribute__((disable_sanitizer_instrumentation, noinline))

UNMARKED static void expect_words(struct marks m, int visits, const uint64_t *words, int count)
{
    assert(m.visits == visits && m.words == count);
    for (int i = 0; i < count; i++)
        assert(m.word[i] == words[i]);
}
#define EXPECT(visits, ...)                                                                        \
    do {                                                                                           \
        static const uint64_t words[] = {__VA_ARGS__};                                             \
        expect_words(marks_take(), visits, words, (int)(sizeof words / sizeof *words));            \
    } while (0)

__attribute__((noinline)) static int small(void)
{
    signed char c = -1;
    while (again())
        c = (signed char)(c - 1);
    return c;
}
__attribute__((noinline)) static float real(void)
{
    float f = 1;
    while (again())
        f *= 2;
    return f;
}
__attribute__((noinline)) static double real2(void)
{
    double f = 1;
    while (again())
        f *= 2;
    return f;
}
__attribute__((noinline)) static __int128 wide(void)
{
    __int128 n = 1;
    while (again())
        n <<= 65;
    return n;
}
__attribute__((noinline)) static int extended(void)
{
    long double n = 1;
    while (again())
        n *= 2;
    return n > 1;
}
__attribute__((noinline)) static int *pointer(int *p)
{
    while (again())
        p = p ? 0 : p + 1;
    return p;
}

/* Two entries; the sum is live wherever one comes in. */
__attribute__((noinline)) static int two_entries(int from)
{
    int sum = 0;
    if (from)
        goto second;
first:
    sum += 3;
second:
    if (again())
        goto first;
    return sum;
}

static jmp_buf out;
__attribute__((noinline)) static int jumps(void)
{
    volatile int from = setjmp(out);
    while (again())
        if (!from)
            longjmp(out, 1);
    return from;
}

__attribute__((noinline)) static int nested(int n)
{
    for (int i = 0; i < n; i++) {
        left = 2;
        while (again())
            if (i == 2)
                return i;
    }
    return n;
}

__attribute__((noinline)) static int recursive(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += recursive(i) + again();
    return sum + 1;
}

__attribute__((noinline)) static int machine(const char *code)
{
    static const void *const label[] = {&&stop, &&step};
    int n = 0;
    goto *label[(int)*code];
step:
    n += 1 + again();
    goto *label[(int)*++code];
stop:
    return n;
}

UNMARKED int main(void)
{
    left = 1;
    assert(small() == -2);
    EXPECT(2, 0xff, 0xfe);
    left = 1;
    assert(real() == 2);
    EXPECT(2, 0x3f800000, 0x40000000);
    left = 1;
    assert(real2() == 2);
    EXPECT(2, 0x3ff0000000000000, 0x4000000000000000);
    left = 1;
    assert(wide() == (__int128)1 << 65);
    EXPECT(2, 0, 1, 0, 2);
    left = 1;
    assert(extended());
    EXPECT(2, 0x3fff, 0x8000000000000000, 0x4000, 0x8000000000000000);
    left = 1;
    assert(pointer(&left) == 0);
    struct marks m = marks_take();
    assert(m.words == 2 && m.word[0] == (uint64_t)&left && m.word[1] == 0);

    left = 2;
    assert(two_entries(1) == 6);
    m = marks_take();
    assert(m.visits == 2 || m.visits == 3);
    for (int i = 1; i < m.words; i++)
        assert(m.word[i] != m.word[i - 1]); /* the sum is among the values */
    assert(m.words >= m.visits);

    left = 3;
    assert(jumps() == 1);
    m = marks_take_after_jump();
    assert(m.entered == 2);
    assert(nested(5) == 2);
    m = marks_take();
    assert(m.entered >= 4 && m.visits >= 3 + 3 + 3 + 1);
    left = 3;
    (void)recursive(4);
    (void)marks_take();
    static const char code[] = {1, 1, 1, 0};
    left = 3;
    assert(machine(code) == 6);
    m = marks_take();
    assert(m.entered == 1 && (m.visits == 3 || m.visits == 4)); /* where the jump itself is */
    return 0;
}
