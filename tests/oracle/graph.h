/*
 * What an oracle answers with, and the explorer's test target too: the graphs of a
 * program's executions, each as one canonical text, so that sets of them can be compared.
 *
 *     0: W x 1; R y 0 init          thread 0: event 0.0 stores 1, event 0.1 reads
 *     1: W y 1; U x 1->2 0.0        thread 1: event 1.1 reads 1 from 0.0, stores 2
 *     co x: 0.0 1.1                 the order of the writes to x
 *     co y: 1.0
 *     lock l: 0.2 1.4               the order of the acquisitions of l
 *     blocked: 1 l                  thread 1 waits for l for ever
 *
 * An event is an operation that was executed, SKIP_IF and ASSUME left out: T.i is the
 * i-th event of thread T, fences and lock operations counted. A read-modify-write is one
 * event, U; a compare-and-swap that fails is R. Memory orders are the program's and not
 * said again, so that graphs of two variants of a program can be compared.
 *
 * A graph in which an assumption is false is not kept by anyone: it is neither complete
 * nor blocked.
 */
#ifndef OR_GRAPH_H
#define OR_GRAPH_H

#include <stddef.h>

#include "program.h"

struct or_ref {
    int thread; /* -1: the initial write, or (rf of an event that does not read) nothing */
    int index;
};

enum or_event_kind { OR_EV_READ, OR_EV_WRITE, OR_EV_UPDATE, OR_EV_FENCE, OR_EV_LOCK, OR_EV_UNLOCK };

struct or_event {
    enum or_event_kind kind;
    int loc; /* a lock for LOCK and UNLOCK */
    int read, written;
    struct or_ref rf;       /* of a LOCK: the unlock it follows */
    const struct or_op *op; /* borrowed from the program; NULL is fine */
};

struct or_graph {
    int counts[OR_THREADS];
    struct or_event events[OR_THREADS][OR_OPS];
    int co_counts[OR_LOCS];
    struct or_ref co[OR_LOCS][OR_TOTAL]; /* the initial write left out */
    int lock_counts[OR_LOCKS];
    struct or_ref lock_order[OR_LOCKS][OR_TOTAL]; /* the LOCK events */
    int blocked[OR_THREADS];                      /* the lock waited for, -1: none */
    int regs[OR_THREADS][OR_REGS];                /* at the end */
};

void or_graph_init(struct or_graph *g);
bool or_graph_is_blocked(const struct or_graph *g);
void or_graph_render(const struct or_graph *g, const struct or_program *p, struct pl_strbuf *out);
/* "0:r0=1 1:r0=0 x=1": every register some operation sets, every location. */
void or_graph_render_outcome(const struct or_graph *g, const struct or_program *p,
                             struct pl_strbuf *out);

/* A set of texts. Ownership: its own copies, in the order of addition until sorted. */
struct or_set {
    char **items;
    size_t count, room;
    size_t *slots, slot_count; /* open addressing; 0: free, i + 1: items[i] */
};

void or_set_init(struct or_set *s);
void or_set_release(struct or_set *s);
bool or_set_add(struct or_set *s, const char *text); /* false: it was there already */
bool or_set_has(const struct or_set *s, const char *text);
/* Something of a that is not in b; NULL: a is a subset. Borrowed from a. */
const char *or_set_missing(const struct or_set *a, const struct or_set *b);

struct or_result {
    struct or_set graphs;   /* complete */
    struct or_set blocked;  /* some thread waits for a lock for ever, all others are done */
    struct or_set outcomes; /* of the complete ones */
    size_t repeated;        /* graphs given more than once */
    bool racy;              /* some graph has a data race */
    bool satisfied;         /* the program's `outcome:` was seen */
};

void or_result_init(struct or_result *r);
void or_result_release(struct or_result *r);
/* Files a graph under graphs or blocked. False: it was there already. */
bool or_result_add(struct or_result *r, const struct or_program *p, const struct or_graph *g,
                   bool racy);

#endif
