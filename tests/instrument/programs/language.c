/* What C can do around a loop, and accesses of every type: the same results as ever. */
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static atomic_int zero;

/* Ones that run before main, in the order of their priorities. */
static int order[4], ordered;
__attribute__((constructor(202))) static void second(void)
{
    order[ordered++] = 2;
}
__attribute__((constructor(101))) static void first(void)
{
    order[ordered++] = 1;
}
__attribute__((constructor)) static void last(void)
{
    order[ordered++] = 3;
}
static int *ended;
__attribute__((destructor)) static void at_end(void)
{
    assert(!ended || *ended == 5);
}

static void constructors(void)
{
    assert(ordered == 3 && order[0] == 1 && order[1] == 2 && order[2] == 3);
}

/* A cycle with two entries. */
static int two_entries(int n, int from)
{
    int steps = 0;
    if (from)
        goto second;
first:
    steps += 10;
    n--;
second:
    steps++;
    if (n > atomic_load(&zero))
        goto first;
    return steps;
}

/* A little machine: + - loop until zero. */
static int machine(const unsigned char *code, int accumulator)
{
    static const void *const labels[] = {&&stop, &&add, &&sub, &&jump};
    const unsigned char *at = code;
#define NEXT goto *labels[*at++]
    NEXT;
add:
    accumulator += *at++ + atomic_load(&zero);
    NEXT;
sub:
    accumulator -= *at++;
    NEXT;
jump:
    if (accumulator > 0)
        at = code;
    NEXT;
stop:
    return accumulator;
}

static jmp_buf out;
static void leap(int n)
{
    if (n == 3)
        longjmp(out, n);
}
static int leaps(void)
{
    volatile int rounds = 0;
    int from = setjmp(out);
    if (from)
        return from * 100 + rounds;
    for (int i = 0; atomic_load(&zero) == 0; i++) {
        rounds++;
        leap(i);
    }
    return 0;
}

static int switches(int n)
{
    int sum = 0;
    for (int i = 0; i < 12 + atomic_load(&zero); i++)
        switch ((i + n) % 5) {
        case 0:
        case 1:
            continue;
        case 2:
            sum += 1;
            break;
        case 3:
            sum += 100;
            /* fallthrough */
        default:
            sum += 10000;
        }
    return sum;
}

static long double sums(int count, ...)
{
    va_list list;
    long double sum = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        sum += i % 2 ? va_arg(list, double) : va_arg(list, int);
    va_end(list);
    return sum;
}

struct big {
    long a[6];
};
static struct big shared_big = {{1, 2, 3, 4, 5, 6}};
static long total(struct big b)
{
    long sum = 0;
    for (int i = 0; i < 6; i++)
        sum += b.a[i], b.a[i] = 0;
    return sum;
}

struct bits {
    unsigned a : 3, b : 13;
    signed c : 7;
    _Bool d : 1;
};

static int arrays(int n)
{
    int sum = 0;
    for (int i = 1; i <= n; i++) {
        int vla[i];
        char *block = alloca((size_t)i);
        for (int k = 0; k < i; k++)
            vla[k] = k + atomic_load(&zero), block[k] = 1;
        for (int k = 0; k < i; k++)
            sum += vla[k] * block[k];
    }
    return sum;
}

static __int128 wide = 1;
static long double extended = 1;
static float real = 1;
static _Bool truth;
static uint8_t byte;
static struct bits bits;

static void types(void)
{
    for (int i = 0; i < 20; i++) {
        wide = wide * 7 + i;
        extended = extended * 1.5L + i;
        real = real * 0.5f + (float)i;
        truth = !truth;
        byte = (uint8_t)(byte * 5 + 3);
        bits.a++;
        bits.b += 1000;
        bits.c--;
        bits.d ^= 1;
    }
    __int128 w = 1;
    long double e = 1;
    float r = 1;
    uint8_t b = 0;
    for (int i = 0; i < 20; i++) {
        w = w * 7 + i;
        e = e * 1.5L + i;
        r = r * 0.5f + (float)i;
        b = (uint8_t)(b * 5 + 3);
    }
    assert(wide == w && extended == e && real == r && byte == b && !truth);
    assert(bits.a == 20 % 8 && bits.b == 20000 % 8192 && bits.c == -20 && !bits.d);
}

static void atomics(void)
{
    static _Atomic float f = 1;
    static _Atomic double d = 2;
    static _Atomic __int128 w = 3;
    static _Atomic(struct big *) p;
    static _Atomic _Bool t;
    static long n = 5;
    static unsigned char c = 200;
    static float g = 1;
    float f1 = 1;
    assert(atomic_exchange(&f, 2.5f) == 1 && atomic_load(&f) == 2.5f);
    assert(!atomic_compare_exchange_strong(&f, &f1, 7.f) && f1 == 2.5f);
    d += 0.5;
    assert(d == 2.5);
    w += 1;
    assert(w == 4);
    atomic_store(&p, &shared_big);
    assert(atomic_load(&p) == &shared_big);
    t = 1;
    assert(atomic_fetch_xor((_Atomic unsigned char *)&t, 1) == 1 && !t);
    assert(__atomic_fetch_max(&n, 9L, __ATOMIC_SEQ_CST) == 5 && n == 9);
    assert(__atomic_fetch_max(&n, -3L, __ATOMIC_SEQ_CST) == 9 && n == 9);
    assert(__atomic_fetch_min(&n, -3L, __ATOMIC_SEQ_CST) == 9 && n == -3);
    assert(__atomic_fetch_min(&c, 100, __ATOMIC_SEQ_CST) == 200 && c == 100);
    assert(__atomic_fetch_add(&g, 0.25f, __ATOMIC_SEQ_CST) == 1 && g == 1.25f);
    assert(__atomic_nand_fetch(&c, 4, __ATOMIC_SEQ_CST) == (unsigned char)~(100 & 4));
}

static atomic_int turn;
static int handed;
static void *partner(void *p)
{
    for (int i = 0; i < 2; i++) {
        while (atomic_load(&turn) != 1)
            ;
        handed++;
        atomic_store(&turn, 0);
    }
    return p;
}

static int (*const operation[])(int) = {abs};

int main(void)
{
    static const unsigned char code[] = {1, 5, 2, 9, 3, 0};
    pthread_t t;
    int five = 5;

    constructors();
    assert(two_entries(3, 0) == 33 && two_entries(3, 1) == 34);
    assert(machine(code, 10) == -2);
    assert(leaps() == 304);
    assert(switches(0) == 2 + 100 * 2 + 10000 * 4);
    assert(sums(4, 1, 2.5, 3, 4.5) == 11);
    assert(total(shared_big) == 21 && shared_big.a[5] == 6);
    assert(arrays(5) == 20);
    assert(operation[0](-4) == 4);
    types();
    atomics();
    pthread_create(&t, NULL, partner, NULL);
    for (int i = 0; i < 2; i++) {
        atomic_store(&turn, 1);
        while (atomic_load(&turn) != 0)
            ;
    }
    pthread_join(t, NULL);
    assert(handed == 2);
    ended = &five;
    memset(&five, 0, sizeof five);
    five = 5;
    ended = NULL;
    return 0;
}
