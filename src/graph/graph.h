/*
 * An execution graph: the events of one execution and the relations among them.
 *
 *   thread 0:  e[0] ─po→ e[1] ─po→ …          location x:  init ─co→ w ─co→ w'
 *   thread 1:  e[0] ─po→ …                                  └─rf→ r
 *
 * An event is named by its thread and its place there. A read-modify-write is two
 * events, read then write, next to each other in po. A lock is a read-modify-write on
 * the lock's own location that reads from the lock before it; its thread goes on only
 * when that one has been unlocked, so the unlock is ordered before it too.
 *
 * Invariants:
 * I1  `order` lists all events in an order that respects po, rf and the edges of
 *     create, join and unlock: the order in which an execution can be run again.
 * I2  Stamps grow along po. The stamp says when the event was first added; a read that
 *     was revisited keeps it, though it then stands last in `order`.
 * I3  porf[t] is the number of events of thread t in the causal past (po ∪ rf)+ of the
 *     event, itself included; hb[t] likewise for happens-before. Neither changes after
 *     the event is added, because an event's past is never changed without it.
 * I4  co[] of a location lists its writes, oldest first; the initial value is not listed. A
 *     write's `place` is where it stands there.
 * I5  The reads and writes of one thread at one location form a chain, the last in last[],
 *     each `before` the next. In a consistent graph their places never fall along po.
 * I6  The reads that take their value from a write (from the initial value: of the location)
 *     form a list, the last one set first.
 *
 * Memory is address space: a graph is mapped at its greatest size, and only the pages it
 * touches count. Nothing allocates while an execution runs.
 */
#ifndef PL_GRAPH_GRAPH_H
#define PL_GRAPH_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PL_GRAPH_THREADS = 32,
    PL_GRAPH_LENGTH = 2048, /* events of one thread, writes to one location */
    PL_GRAPH_EVENTS = 2048,
    PL_GRAPH_LOCATIONS = 1024
};

enum pl_graph_kind {
    PL_GRAPH_READ,
    PL_GRAPH_WRITE,
    PL_GRAPH_FENCE,
    PL_GRAPH_BEGIN,  /* of a thread; value: who created it */
    PL_GRAPH_CREATE, /* value: the thread */
    PL_GRAPH_END,
    PL_GRAPH_JOIN,   /* value: the thread */
    PL_GRAPH_UNLOCK, /* loc: the lock */
    PL_GRAPH_CHOICE, /* value: what was chosen, of `other` possibilities */
};

enum {
    PL_GRAPH_F_RMW = 1,   /* a read whose write follows, or that write */
    PL_GRAPH_F_LOCK = 2,  /* either half of a lock */
    PL_GRAPH_F_QUIET = 4, /* a lock that orders without synchronising: no happens-before */
    PL_GRAPH_F_SPIN = 16, /* a read, the only access of the last round of a loop */
    PL_GRAPH_F_DEAD = 8,  /* a write that its own thread overwrites before anything reads it */
    PL_GRAPH_F_OWN = 32,  /* a compare-exchange that others may help with (explore/helping.c) */
    PL_GRAPH_F_PAIR = 64, /* a load, or the compare-exchange that goes with it (explore/pairs.c) */
    PL_GRAPH_F_BETWEEN = 128, /* what the thread does between these */
};

/* What a read-modify-write does; its read node keeps it, so that the write can be made again. */
enum pl_graph_op {
    PL_OP_NONE,
    PL_OP_EXCHANGE,
    PL_OP_ADD,
    PL_OP_SUB,
    PL_OP_AND,
    PL_OP_OR,
    PL_OP_XOR,
    PL_OP_NAND,
    PL_OP_CAS,
    PL_OP_LOCK,
    PL_OP_TAKE,  /* one less, unless it is 0: then it does not write */
    PL_OP_SHARE, /* one more, unless it is `expected`: then it does not write */
    PL_OP_LEAVE, /* one less, but 0 if it is `expected`; if it is 0 it does not write */
};

/* What a read of a blocking object waits for. With another value its thread stands still. */
enum pl_await {
    PL_AWAIT_NONE,
    PL_AWAIT_WRITE, /* an update: that it can write */
    PL_AWAIT_EQUAL, /* a read: `expected` */
    PL_AWAIT_OTHER, /* a read: any value but `expected` */
};

/* The memory orders of C11 as numbers, the same as enum pl_memory_order of result/wire.h. */
enum { PL_RLX = 0, PL_CNS = 1, PL_ACQ = 2, PL_REL = 3, PL_AR = 4, PL_SC = 5 };

struct pl_ref {
    uint16_t thread, index;
};
#define PL_INIT ((struct pl_ref){0xffff, 0xffff})

/* What is looked at when a graph is gone through stands first, together. */
struct pl_node {
    uint8_t kind, order, flags, size;
    uint8_t op, order_ok, order_fail; /* updates: enum pl_graph_op; orders if it writes, if not */
    uint8_t await;                    /* enum pl_await */
    struct pl_ref self;
    struct pl_ref rf;      /* reads: PL_INIT or a write */
    struct pl_ref readers; /* writes: the first of the list, PL_INIT at its end (I6) */
    struct pl_ref next;    /* reads: in that list */
    uint32_t location;     /* 1 + number, 0 = none */
    uint32_t stamp;
    int16_t place; /* writes: in co, PL_NOWHERE if not there (I4) */
    /* 1 + the index of an earlier event of the thread, 0 = none: */
    uint16_t before;        /* access to the same location */
    uint16_t head;          /* release write to the same location */
    uint16_t release_fence; /* release fence */
    uint16_t sc, sc_fence;  /* seq_cst access or fence, seq_cst fence */
    bool linked;            /* a read: it is in the list of its source (I6) */
    bool gained;            /* its hb has more than itself and that of the event before it */
    uint64_t value, other;  /* other of an update's read: bits that the program does not look at */
    uint64_t operand, expected; /* updates, awaits */
    uint16_t porf[PL_GRAPH_THREADS];
    uint16_t hb[PL_GRAPH_THREADS];
    uint16_t release[PL_GRAPH_THREADS]; /* writes: what an acquiring reader's hb gains */
};
enum { PL_NOWHERE = 0x7fff };

struct pl_location {
    uint64_t key; /* names it across executions */
    uint64_t initial;
    uint32_t uses;                   /* events of the graph there */
    uint32_t writes;                 /* in co */
    struct pl_ref readers;           /* of the initial value (I6) */
    uint16_t last[PL_GRAPH_THREADS]; /* 1 + index of the thread's last read or write (I5) */
    struct pl_ref co[PL_GRAPH_LENGTH];
};

struct pl_graph_thread {
    uint32_t count;
    struct pl_node node[PL_GRAPH_LENGTH];
    uint8_t pad[1400]; /* or the first nodes of all threads would share a few sets of the cache */
};

struct pl_graph {
    uint32_t threads, locations, events, stamps;
    struct pl_graph_thread thread[PL_GRAPH_THREADS];
    struct pl_location location[PL_GRAPH_LOCATIONS];
    struct pl_ref order[PL_GRAPH_EVENTS]; /* I1 */
};

/*
 * A memory model says how old a value an event may have to do with. `lowest` is asked of a read
 * that reads nothing yet, or a write that stands nowhere in co, the last event of its thread
 * with only its thread's past in its views. The answer is a place L (-1: the initial value):
 * the graph stays consistent exactly if the read reads a write at a place ≥ L, the write goes
 * to a place > L, as far as the model's order goes; that nothing comes between the halves of a
 * read-modify-write is for the asker to see.
 */
struct pl_model {
    const char *name;
    int (*lowest)(const struct pl_graph *g, const struct pl_node *e);
};
extern const struct pl_model pl_model_sc, pl_model_tso, pl_model_rc11;
const struct pl_model *pl_model_named(const char *name); /* NULL if there is none */

struct pl_graph *pl_graph_new(void);
void pl_graph_free(struct pl_graph *g);
/* The part of `from` without the read and whatever was added after it, except the past of the
 * write; the write is there but not in co. Then the read, with its stamp, is the last event and
 * reads nothing yet: a backward revisit (trust.h). */
void pl_graph_revisit(struct pl_graph *to, const struct pl_graph *from, const struct pl_node *read,
                      const struct pl_node *write);
void pl_graph_clear(struct pl_graph *g);
uint64_t pl_graph_hash(const struct pl_graph *g); /* of po, rf, co: the same for the same graph */

uint32_t pl_graph_location(struct pl_graph *g, uint64_t key, uint64_t initial);
/* Appends an event to its thread; views as if it read nothing yet. location: 0 = none. */
struct pl_node *pl_graph_add(struct pl_graph *g, unsigned thread, enum pl_graph_kind kind,
                             uint32_t location);
/* model->lowest() of an event that is there: what it reads, or where it stands, is forgotten. */
int pl_graph_lowest(struct pl_graph *g, const struct pl_model *model, struct pl_node *e);
/* May a write go there without coming between the halves of a read-modify-write? */
bool pl_graph_fits(const struct pl_graph *g, uint32_t location, unsigned position);
/* Sets what a read reads and computes its views; it is the last event of its thread. */
void pl_graph_set_rf(struct pl_graph *g, struct pl_node *read, struct pl_ref write);
/* Puts a write at a place of its location's co; it is not yet in it. */
void pl_graph_insert_co(struct pl_graph *g, struct pl_node *write, unsigned position);
void pl_graph_remove_co(struct pl_graph *g, struct pl_node *write);
/* Views of a write, from its thread's past; for a read-modify-write also from its source. */
void pl_graph_set_release(struct pl_graph *g, struct pl_node *write);
/* What a lock (its write) waits for: itself if it took a free lock, the unlock, or NULL while
 * that is not there. */
const struct pl_node *pl_graph_awaited(const struct pl_graph *g, const struct pl_node *lock);
/* The edge from the creation of a thread to its first event. */
void pl_graph_add_create(const struct pl_graph *g, struct pl_node *begin);
/* An edge of create, join or unlock: `from` is in the past of `to`. */
void pl_graph_add_past(struct pl_node *to, const struct pl_node *from);
/* Drops the events of `order` from place `count` on. */
void pl_graph_cut(struct pl_graph *g, uint32_t count);
/* The value an update writes after reading `old`; false if it does not write (a failed CAS). */
bool pl_graph_update(const struct pl_node *read, uint64_t old, uint64_t *written);
bool pl_graph_awaits(const struct pl_node *read); /* in vain: its thread stands still */
/* Is it the read of an update that would write, and has not? Its thread stands still in a round
 * that changes nothing, or is between the two. */
bool pl_graph_is_half(const struct pl_node *n);
void pl_graph_remove_last(struct pl_graph *g, unsigned thread); /* and its co, not its order */

static inline bool pl_is_init(struct pl_ref r)
{
    return r.thread == 0xffff;
}
static inline bool pl_same(struct pl_ref a, struct pl_ref b)
{
    return a.thread == b.thread && a.index == b.index;
}
static inline struct pl_node *pl_at(const struct pl_graph *g, struct pl_ref r)
{
    return (struct pl_node *)(uintptr_t)&g->thread[r.thread].node[r.index];
}
static inline bool pl_in_porf(const struct pl_node *of, struct pl_ref e)
{
    return e.index < of->porf[e.thread];
}
static inline bool pl_in_hb(const struct pl_node *of, struct pl_ref e)
{
    return e.index < of->hb[e.thread];
}
/* Place in co of the write that a read or write has to do with; -1 for the initial value. */
static inline int pl_place(const struct pl_graph *g, const struct pl_node *n)
{
    if (n->kind == PL_GRAPH_WRITE)
        return n->place;
    return pl_is_init(n->rf) ? -1 : pl_at(g, n->rf)->place;
}
/* The thread's last access to the location among its first `count` events, or NULL. */
static inline const struct pl_node *pl_last_access(const struct pl_graph *g, uint32_t location,
                                                   unsigned thread, unsigned count)
{
    unsigned k = g->location[location - 1].last[thread];
    while (k > count)
        k = g->thread[thread].node[k - 1].before;
    return k ? &g->thread[thread].node[k - 1] : NULL;
}
/* The chain of accesses to one location, backward. */
static inline const struct pl_node *pl_before(const struct pl_node *n)
{
    return n->before ? n - (n->self.index + 1 - n->before) : NULL;
}
static inline bool pl_is_access(const struct pl_node *n)
{
    return n->kind == PL_GRAPH_READ || n->kind == PL_GRAPH_WRITE;
}
static inline void pl_view_join(uint16_t *to, const uint16_t *from)
{
    typedef int16_t lanes __attribute__((vector_size(16), may_alias, aligned(2)));
    for (unsigned t = 0; t < PL_GRAPH_THREADS; t += 8) { /* PL_GRAPH_LENGTH has 15 bits at most */
        lanes a = *(const lanes *)(to + t), b = *(const lanes *)(from + t), more = a > b;
        *(lanes *)(to + t) = (a & more) | (b & ~more);
    }
}
/* The greatest place among the accesses to the location that a view holds; -1: none. */
int pl_view_place(const struct pl_graph *g, uint32_t location, const uint16_t *view);
static inline bool pl_acquires(unsigned order)
{
    return order == PL_CNS || order == PL_ACQ || order >= PL_AR;
}
static inline bool pl_releases(unsigned order)
{
    return order >= PL_REL;
}

#endif
