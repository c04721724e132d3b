/* An atomic of sixteen bytes and plain accesses to one half of it: each half is looked at, by
 * itself. HALF: which; FREE: the memory goes while a thread may still access it. Without either,
 * the half is written again before there are threads, and two values are there to read.
 */
// finding: -mcx16 -DHALF=a sc=data-race tso=data-race rc11=data-race
// finding: -mcx16 -DHALF=b sc=data-race tso=data-race rc11=data-race
// finding: -mcx16 -DHALF=b -DREADS sc=data-race tso=data-race rc11=data-race
// finding: -mcx16 -DFREE sc=use-after-free tso=use-after-free rc11=use-after-free
// counts: -mcx16 sc=2 tso=2 rc11=2
#include "threads.h"

struct pair {
    uint64_t a, b;
};
static union number {
    _Atomic(struct pair) both;
    struct pair plain;
} * u;
static volatile uint64_t seen;

static struct pair load(void)
{
    return atomic_load_explicit(&u->both, memory_order_relaxed);
}

static void store(uint64_t a, uint64_t b)
{
    struct pair p = {a, b};
    atomic_store_explicit(&u->both, p, memory_order_relaxed);
}

static void *work(void *unused)
{
    store(1, 2);
    return unused;
}

int main(void)
{
    u = aligned_alloc(16, sizeof *u);
    store(7, 8);
    u->plain.b = 9;
    assert(load().a == 7 && load().b == 9);
    start_all(1, work);
#if defined FREE
    free(u);
#elif defined HALF && defined READS
    seen = u->plain.HALF;
#elif defined HALF
    u->plain.HALF = 3;
#else
    struct pair p = load();
    assert((p.a == 7 && p.b == 9) || (p.a == 1 && p.b == 2));
#endif
    join_all(1);
    return 0;
}
