// Objects with virtual functions, and exceptions through loops.
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
