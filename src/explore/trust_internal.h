/* The explorer's own state: for trust.c (runs), events.c and steps.c (what a run adds), revisit.c,
 * walk.c, script.c and the files beside them that are a part of it. */
#ifndef PL_EXPLORE_TRUST_INTERNAL_H
#define PL_EXPLORE_TRUST_INTERNAL_H

#include "explore/once.h"
#include "explore/trust.h"

enum { FRAMES = 4096, ITEMS = 1 << 20, HEADS = 64 };
enum { PL_SCRIPT_BYTES = 6 }; /* of one event: thread, and two numbers */

/* A way not yet taken. All cut the frame's graph back to `count` events first. */
enum item_kind {
    WAY_RF,       /* the read `event` reads `from` */
    WAY_CO,       /* the write `event` stands at `place` */
    WAY_REVISIT,  /* the write `event` is read by `victim` */
    WAY_CONFLICT, /* the update `event` reads `from`, which another has taken, and its write is
                     read by `victim` */
    WAY_CHOICE,   /* the choice `event` is `place` */
    WAY_PLACE,    /* first of a frame: the write `event` at `place`, read by `victim` */
    WAY_WHOLE,    /* the graph as it is */
};

struct item {
    enum item_kind kind;
    struct pl_ref event, from, victim;
    uint32_t place, count, stamps;
};

struct pl_trust {
    const struct pl_model *model;
    struct pl_graph *frame[FRAMES];
    uint32_t base[FRAMES];  /* items below belong to the frames below */
    uint32_t given[FRAMES]; /* of the items from there on, to other processes: no longer ours */
    uint32_t depth;
    struct item *item;
    uint32_t items;
    struct pl_graph *g;              /* of the top frame */
    uint32_t at;                     /* events of `order` made in this run */
    uint32_t made[PL_GRAPH_THREADS]; /* events of each thread made in this run */
    unsigned current;
    const uint8_t *script; /* the one graph to run, or NULL */
    uint64_t script_events;
    bool yields;              /* the script says: whoever moved before could not go on */
    volatile uint64_t *pulse; /* grows while the explorer works */
    struct pl_sample *sample; /* NULL: every execution */
    struct pl_once *seen;     /* the complete graphs, or NULL: not kept */
    bool probing;
    struct pl_prng prng;            /* of the walks */
    uint32_t fork[PL_GRAPH_EVENTS]; /* the first way of each event of this run that has several */
    uint32_t forks;
    double weight; /* of the walk so far */
    struct pl_trust_estimate estimate;
    bool astray; /* twins cannot be told apart as they must be: the search is worth nothing */
    bool twins;  /* some threads have a twin: */
    uint8_t twin[PL_GRAPH_THREADS]; /* 1 + the twin before it, 0 = none */
    uint64_t is_twin;               /* bit per thread */
    bool bounded;                   /* only executions with at most so many preemptions: */
    unsigned most;
    bool waits; /* a thread may have waited in one of the graphs so far */
    bool uncut; /* those with more are explored, too, and only not counted */
    /* passing.c: how many events a thread had made when it came to the head of a loop; the first of
     * those in this run, more are counted only */
    uint16_t head[PL_GRAPH_THREADS][HEADS], heads[PL_GRAPH_THREADS];
    bool looped; /* somebody did */
    bool marked; /* the program says so, of loops whose rounds count, too */
    struct pl_trust_passing passing;
    const char *failure;
    struct pl_trust_counts counts;
};

/* trust.c. The exploration cannot go on; a way to keep, which starts from the graph as it is; the
 * ways from place `first` on are all of one event; how old a value the event may have to do with
 * (graph.h). */
void pl_trust_fail(struct pl_trust *x, const char *why);
void pl_trust_push(struct pl_trust *x, struct item item);
void pl_trust_end_ways(struct pl_trust *x, uint32_t first);
int pl_trust_lowest(struct pl_trust *x, struct pl_node *e);

/* events.c. The event of this thread that the graph already has, or NULL when it is a new one; a
 * new one has been added to the graph. */
struct pl_node *pl_trust_known(struct pl_trust *x, unsigned thread, enum pl_graph_kind kind,
                               uint64_t key);
struct pl_node *pl_trust_added(struct pl_trust *x, struct pl_node *n);

/* revisit.c. Keeps as a way every read that could take its value from the new write, which is not
 * in co yet; most: no younger reads. */
void pl_trust_push_revisits(struct pl_trust *x, struct pl_node *w, struct item way, uint32_t most);
/* The places where a write may stand, by what it reads if it is an update's; may it stand there: is
 * it new enough, and no read-modify-write split? */
void pl_trust_places(const struct pl_graph *g, const struct pl_node *w, unsigned *low,
                     unsigned *high);
bool pl_trust_may_stand(const struct pl_graph *g, const struct pl_node *w, unsigned place,
                        int least);
struct pl_node *pl_trust_add_update_write(struct pl_trust *x, struct pl_node *read);
/* Takes a way of the top frame; false: it is a revisit, which has opened a frame with ways of its
 * own. */
bool pl_trust_take(struct pl_trust *x, const struct item *way);
/* Takes the next of the ways that were kept; false: there is none, or a failure. */
bool pl_trust_next_run(struct pl_trust *x);

/* walk.c. A run of a walk is over. */
void pl_trust_walk_on(struct pl_trust *x, bool complete);

/* script.c. One event: the thread's number has room for whether it is known if another one, which
 * could have gone on, is left for it, and if so. */
enum { THREAD = 0xfff, IS_KNOWN = 1 << 14, PREEMPTS = 1 << 15 };
struct step {
    uint16_t thread, a, b;
};
struct step pl_trust_script_at(const struct pl_trust *x, uint64_t i);
/* The script's word on the event that has just been added. */
bool pl_trust_scripted(const struct pl_trust *x, struct step *out);
/* The events of `order` as a script; preempts: before which of them a thread that could have gone
 * on is left, NULL: not known. */
uint64_t pl_trust_write_script(const struct pl_trust *x, const struct pl_ref *order,
                               const bool *preempts, uint32_t count, uint8_t *out, uint64_t room);

/* passing.c. A new read that may take what is as old as place `least`. */
void pl_trust_read_in_passing(struct pl_trust *x, const struct pl_node *m, int least);

/* symmetry.c. Which of the threads wait for their twins; the least place in co that an event's
 * twins leave to it; a causal past with what its events' twins add to it. */
uint64_t pl_trust_must_wait(const struct pl_trust *x, uint64_t enabled);
int pl_trust_twin_place(const struct pl_trust *x, const struct pl_node *e);
void pl_trust_close(const struct pl_trust *x, uint16_t *view);
/* The write may come to that place of co: does it contradict the order of twins? */
void pl_trust_check_twins(struct pl_trust *x, const struct pl_node *w, unsigned place);

/* bound.c. Can only executions with too many preemptions come of the graph; is it one itself? Both
 * count it. */
bool pl_trust_leads_beyond(struct pl_trust *x);
bool pl_trust_is_beyond(struct pl_trust *x);

#endif
