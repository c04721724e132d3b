// Objects with virtual functions, and exceptions through loops.
#include <atomic>
#include <new>

struct base {
    virtual ~base() {}
    virtual int f() { return 1; }
    int x = 1;
};
struct derived : base {
    int f() override { return x; }
};

extern "C" {
// expect dispatch: vptr_read !read8 call
int dispatch(base *p)
{
    return p->f();
}
// expect make -O1 -O2: vptr_update(@_ZTV7derived)
void make(void *place)
{
    new (place) derived;
}
}

struct node {
    node *next;
};
static std::atomic<node *> head;
extern "C" {
// expect push -O1 -O2: words=0 dead_write,write8 atomic64_compare_exchange_val
void push(node *n)
{
    node *old = head.load();
    do
        n->next = old;
    while (!head.compare_exchange_strong(old, n));
}
// expect push_in_memory -O1 -O2: words=0 dead_write,write8 cas_weak
void push_in_memory(node *n)
{
    n->next = head.load(std::memory_order_relaxed);
    while (!head.compare_exchange_weak(n->next, n, std::memory_order_release,
                                       std::memory_order_relaxed))
        ;
}
// expect pop -O1 -O2: words=0 !dead_write
node *pop()
{
    node *old = head.load(std::memory_order_acquire);
    while (old && !head.compare_exchange_weak(old, old->next))
        ;
    return old;
}
// expect twice -O1 -O2: words=0
void twice(std::atomic<int> &x)
{
    int v = x.load();
    while (!x.compare_exchange_weak(v, v * 2))
        ;
}
}

int may_throw(int);
extern "C" {
// expect tries: loops=1 call(@_Z9may_throwi) loop_enter
int tries(int *p)
{
    for (;;) {
        try {
            if (may_throw(*p))
                return 1;
        } catch (int n) {
            if (n == 3)
                return n;
        }
    }
}
// expect passes_through: loops=1 call(@_Z9may_throwi)
void passes_through(int *p)
{
    struct cleaner {
        int *p;
        ~cleaner() { *p = 0; }
    } c{p};
    while (may_throw(*p))
        ;
}
}
