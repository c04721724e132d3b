/*
 * Snark, the deque of Detlefs and others that takes a double compare-and-swap: published with a
 * proof, and wrong twice (Doherty and others). A node points left and right; the hats point to the
 * ends; the dummy stands where there is nothing; a node that points to itself is out. A pop that
 * finds one node left exchanges both hats for the dummy, else it moves its hat along and turns the
 * node's link to itself.
 *
 * (1) A pop says "empty" when the node under its hat points to itself; between reading the hat
 * and that link the node may have been popped from the other end, while others were pushed.
 * (2) A pop on each side takes the same node: each saw another node beside it when it read the
 * other hat, and moves its own hat along; neither exchange looks at what the other one changes.
 *
 * There is no double compare-and-swap in C. So hats and links are numbers of nodes, half a byte
 * each, and all of them stand in one word: then any two can be compared and swapped at once.
 */
#include <plumb.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef STILL
#define STILL(node, end) 1
#endif

enum { NODES = 7, DUMMY = 0 };
enum side { LEFT, RIGHT };
/* Where the numbers stand in the word. The dummy, node 0, has no links: its place has the hats. */
#define LINK(node, end) (8 * (node) + 4 * (int)(end))
#define HAT(end)        LINK(DUMMY, end)

static _Atomic unsigned long words; /* all DUMMY: empty */
static int value_of[NODES + 1];
static atomic_int given_out;

static int field(unsigned long all, int place)
{
    return (int)(all >> place & 15);
}

static unsigned long with(unsigned long all, int place, int node)
{
    return (all & ~(15UL << place)) | (unsigned long)node << place;
}

static int hat(enum side end)
{
    return field(atomic_load_explicit(&words, memory_order_acquire), HAT(end));
}

static int link(int node, enum side end) /* the dummy points to itself */
{
    if (node == DUMMY)
        return DUMMY;
    return field(atomic_load_explicit(&words, memory_order_acquire), LINK(node, end));
}

/* Where nobody else changes it. */
static void set(int place, int from, int to)
{
    atomic_fetch_xor_explicit(&words, (unsigned long)(from ^ to) << place, memory_order_release);
}

#ifndef DCAS
#define DCAS dcas
static bool dcas(int a, int b, int old_a, int old_b, int new_a, int new_b)
{
    unsigned long all = atomic_load_explicit(&words, memory_order_acquire);
    do {
        if (field(all, a) != old_a || field(all, b) != old_b)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&words, &all,
                                                    with(with(all, a, new_a), b, new_b),
                                                    memory_order_acq_rel, memory_order_acquire));
    return true;
}
#endif

static enum side other(enum side end)
{
    return end == LEFT ? RIGHT : LEFT;
}

static void push(enum side end, int value)
{
    int n = atomic_fetch_add_explicit(&given_out, 1, memory_order_relaxed) + 1;
    int inner = DUMMY; /* both links of a new node are the dummy */
    value_of[n] = value;
    for (;;) {
        int last = hat(end), beyond = link(last, end);
        bool empty = beyond == last;
        int neighbour = empty ? DUMMY : last;
        if (inner != neighbour)
            set(LINK(n, other(end)), inner, neighbour);
        inner = neighbour;
        if (empty ? DCAS(HAT(end), HAT(other(end)), last, hat(other(end)), n, n)
                  : DCAS(HAT(end), LINK(last, end), last, beyond, n, n)) {
            PLUMB_POINT();
            return;
        }
    }
}

static int pop(enum side end) /* 0: empty */
{
    for (;;) {
        int last = hat(end), first = hat(other(end));
        if (link(last, end) == last) {
            if (STILL(last, end))
                return 0;
            continue;
        }
        if (last == first) {
            if (DCAS(HAT(end), HAT(other(end)), last, first, DUMMY, DUMMY)) {
                PLUMB_POINT();
                return value_of[last];
            }
        } else {
            int next = link(last, other(end));
            if (DCAS(HAT(end), LINK(last, other(end)), last, next, next, last)) {
                PLUMB_POINT();
                atomic_fetch_and_explicit(&words, ~(15UL << LINK(last, end)), memory_order_release);
                return value_of[last];
            }
        }
    }
}

static void push_left(int value)
{
    push(LEFT, value);
}

static void push_right(int value)
{
    push(RIGHT, value);
}

static int pop_left(void)
{
    return pop(LEFT);
}

static int pop_right(void)
{
    return pop(RIGHT);
}

PLUMB_CALL(push_right(4))
PLUMB_CALL(push_right(5))
PLUMB_CALL(push_right(6))
PLUMB_CALL(push_left(7))
PLUMB_CALL(pop_right())
PLUMB_CALL(pop_left())
