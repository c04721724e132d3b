/*
 * In place of the runtime: checks that no loop is entered twice in a row or visited without
 * having been entered, and notes the values. Everything else does nothing, natively.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "marks.h"

struct plumb_loop {
    uint32_t words, flags;
};

static struct active {
    const struct plumb_loop *loop;
    const uint64_t *values;
} active[64];
static int depth;
static struct marks marks;

static int find(const uint64_t *values)
{
    for (int i = depth - 1; i >= 0; i--)
        if (active[i].values == values)
            return i;
    return -1;
}

void __plumb_loop_enter(const struct plumb_loop *loop, const uint64_t *values)
{
    assert(find(values) < 0 && depth < 64);
    active[depth++] = (struct active){loop, values};
    marks.entered++;
}

static int by_value(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

void __plumb_loop_head(const struct plumb_loop *loop, const uint64_t *values)
{
    int i = find(values);
    assert(i >= 0 && active[i].loop == loop && marks.words + (int)loop->words <= 64);
    if (loop->words)
        memcpy(marks.word + marks.words, values, loop->words * 8);
    qsort(marks.word + marks.words, loop->words, 8, by_value);
    marks.words += (int)loop->words;
    marks.visits++;
}

void __plumb_loop_leave(const struct plumb_loop *loop, const uint64_t *values)
{
    int i = find(values);
    (void)loop;
    if (i < 0)
        return; /* an edge that cannot be divided */
    memmove(active + i, active + i + 1, (size_t)(--depth - i) * sizeof *active);
    marks.left++;
}

struct marks marks_take_after_jump(void)
{
    struct marks taken = marks;
    memset(&marks, 0, sizeof marks);
    depth = 0;
    return taken;
}

struct marks marks_take(void)
{
    assert(depth == 0 && marks.entered == marks.left);
    return marks_take_after_jump();
}

void __plumb_call(const void *function)
{
    (void)function;
}
void __plumb_local_write(const void *p, uint64_t n)
{
    (void)p, (void)n;
}
void __plumb_dead_write(const void *p, uint64_t n)
{
    (void)p, (void)n;
}
void __plumb_bits_used(const void *p, uint64_t n, uint64_t bits)
{
    (void)p, (void)n, (void)bits;
}
void __plumb_bits_kept(const void *p, uint64_t n, uint64_t bits)
{
    (void)p, (void)n, (void)bits;
}
void __plumb_unseen(const void *p, uint64_t bits)
{
    (void)p, (void)bits;
}
int __tsan_atomic32_load(const int *p, int order)
{
    return (void)order, *p;
}
void *__tsan_memcpy(void *to, const void *from, size_t n)
{
    return memcpy(to, from, n);
}
void *__tsan_memset(void *to, int c, size_t n)
{
    return memset(to, c, n);
}
void __tsan_read_range(const void *p, uint64_t n)
{
    (void)p, (void)n;
}
#define HOOK(name)                                                                                 \
    void __tsan_##name(const void *p)                                                              \
    {                                                                                              \
        (void)p;                                                                                   \
    }
#define HOOKS(n) HOOK(read##n) HOOK(write##n) HOOK(volatile_read##n) HOOK(volatile_write##n)
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
