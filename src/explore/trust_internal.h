/* The explorer's own state: for trust.c (runs), events.c and steps.c (what a run adds), revisit.c,
 * walk.c, script.c and the files beside them that are a part of it. */
#ifndef PL_EXPLORE_TRUST_INTERNAL_H
#define PL_EXPLORE_TRUST_INTERNAL_H

#include "explore/facts.h"
#include "explore/once.h"
#include "explore/trust.h"
#include "graph/store.h"

enum { FRAMES = 4096, ITEMS = 1 << 20, HEADS = 64 };

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

/* turns.c: before each step of the order, who could move and who was tried; what it costs to be
 * there; whether the step is in conflict with a later one; whether leaving the thread that moved
 * last is free; the answers of a choice, and the one taken; what was made, as a hash. Who sleeps
 * (asleep.c); where the thread that moved last was about to make its next step, 0 = not known. */
struct turn {
    uint64_t enabled, tried, hash, asleep, about;
    uint16_t used, choices, choice;
    bool noted, waits, about_writes;
};
/* A thread had to wait, when so many events had been made: for something at the location (0 =
 * none), for the end of a thread (1 + its number). */
struct attempt {
    uint32_t at, location;
    uint16_t thread, joined;
};
/* The step it attempted there, as far as it says what it waits for. */
struct wish {
    uint8_t op, await, size, flags;
    uint64_t operand, expected, value; /* value: the newest then */
};
enum { ATTEMPTS = 1 << 14, WAITED = 64 };

/* left_out.c: a bit for each number of events that a thread can have made, modulo 64: its rounds
 * that begin there are left out; a write is later than such. */
struct left_out {
    uint8_t *mark; /* NULL: nothing is noted */
    bool noted;
    bool looks;     /* the search is for races, */
    bool anybody;   /* and what is noted of one thread is so of all */
    uint32_t races; /* bit per thread: there may be one with what it reads plainly somewhere */
    uint64_t left[PL_GRAPH_THREADS], later[PL_GRAPH_THREADS];
    uint64_t placed[PL_GRAPH_THREADS]; /* there may be one with what its rounds do there */
};

/* helping.c: the next step of a thread that has made so many events, a compare-exchange. */
struct intent {
    uint64_t address, expected, operand;
    uint16_t made;
    uint8_t size, order;
};

struct pl_trust {
    const struct pl_model *model;
    struct pl_graph *frame[FRAMES];
    uint32_t base[FRAMES];  /* items below belong to the frames below */
    uint32_t given[FRAMES]; /* of the items from there on, to other processes: no longer ours */
    uint32_t depth;
    struct item *item;
    uint32_t items;
    struct pl_graph *g; /* of the top frame */
    /* The run under way, from here to `looped`, head[] and intent[]: stations.c */
    uint32_t at;                     /* events of `order` made in this run */
    uint32_t made[PL_GRAPH_THREADS]; /* events of each thread made in this run */
    uint64_t intends;                /* bit per thread that has one in intent[] */
    unsigned current;
    uint16_t heads[PL_GRAPH_THREADS]; /* passing.c: how many there are in head[] */
    /* pairs.c: bit per thread that is between the halves of a pair; whose load has a `since`; the
     * run is over, and ways come of it */
    uint64_t within, open;
    bool over, fruitful;
    bool looped;           /* somebody came to the head of a loop */
    const uint8_t *script; /* the one graph to run, or NULL */
    uint64_t script_events;
    uint32_t scripted[PL_GRAPH_THREADS]; /* how many of them each thread makes */
    bool yields;                         /* the script says: whoever moved before could not go on */
    volatile uint64_t *pulse;            /* grows while the explorer works */
    struct pl_sample *sample;            /* NULL: every execution */
    struct pl_once *seen;                /* the complete graphs, or NULL: not kept */
    bool probing;
    struct pl_prng prng;            /* of the walks */
    uint32_t fork[PL_GRAPH_EVENTS]; /* the first way of each event of this run that has several */
    uint32_t forks;
    double weight; /* of the walk so far */
    struct pl_trust_estimate estimate;
    struct pl_facts *facts, *own; /* of the search; own: where they are, but for those shared */
    bool mistaken;                /* the search must begin again */
    bool no_pairs;                /* in this one, whatever others see meanwhile */
    struct {
        bool on;
        uint64_t heap, heap_end;
        uint64_t relied,
            spoilt; /* a bit for several locations: somebody stands because of it; not so */
    } helping;
    struct intent intent[PL_GRAPH_THREADS];
    struct left_out out;
    bool astray; /* twins cannot be told apart as they must be: the search is worth nothing */
    bool twins;  /* some threads have a twin: */
    uint8_t twin[PL_GRAPH_THREADS]; /* 1 + the twin before it, 0 = none */
    uint64_t is_twin;               /* bit per thread */
    /* readers.c: bit per thread that comes last, after so many events of it; is it no longer to be
     * learnt? */
    uint64_t readers;
    uint16_t reads_after[PL_GRAPH_THREADS];
    bool learnt;
    bool bounded; /* only executions with at most so many preemptions: */
    unsigned most;
    bool uncut;      /* by way of all executions */
    bool turning;    /* schedule by schedule: */
    bool confirms;   /* and then, if not too many, all executions: does one need more? */
    bool confirming; /* that is so now, until so many runs; how often something was left out */
    uint64_t confirm_until, left_out;
    struct turn turn[PL_GRAPH_EVENTS + 2];
    struct attempt attempt[ATTEMPTS];
    struct wish wish[ATTEMPTS];
    struct attempt reason; /* of the next one */
    struct wish wants;
    uint32_t attempts, cut;  /* the run repeats so many events */
    uint32_t decided;        /* 1 + where it was last decided who moves */
    uint8_t forced;          /* who moves then */
    bool asked, repeated;    /* was the graph of this run there before? */
    bool spent, again;       /* nothing new comes of this run; the search begins again */
    bool met;                /* because it came to what was visited */
    uint64_t waited[WAITED]; /* places where a thread may wait in a loop: more than there is room */
    uint32_t waited_for;     /* for are counted only, and are any place */
    struct pl_once *ended;   /* the executions so far */
    struct pl_once *visited; /* what was explored to its end, or is being so */
    uint32_t checked;        /* where that was last asked: 1 + events, and who moved last */
    /* passing.c: how many events a thread had made when it came to the head of a loop; the first of
     * those in this run, more are counted only */
    uint16_t head[PL_GRAPH_THREADS][HEADS];
    bool marked; /* the program says so, of loops whose rounds count, too */
    struct pl_trust_passing passing[PL_TRUST_PASSING_KINDS];
    /* stations.c: of which frame each is, and when; how many events the order of a frame has in
     * common with that of the frame below, from the start */
    struct station {
        uint32_t depth, at;
    } station[PL_TRUST_STATIONS];
    uint32_t stations, shared[FRAMES];
    bool revisited; /* the way taken last is the first of its frame */
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
/* The number of the location; if there is no room for another the exploration cannot go on. */
uint32_t pl_trust_location(struct pl_trust *x, uint64_t key, uint64_t initial);

/* revisit.c. Keeps as a way every read that could take its value from the new write, which is not
 * in co yet; most: no younger reads. */
void pl_trust_push_revisits(struct pl_trust *x, struct pl_node *w, struct item way, uint32_t most);
/* How many reads are there? */
uint32_t pl_trust_count_revisits(struct pl_trust *x, const struct pl_node *w, uint32_t most);
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
/* The first step that has not been made yet; the script's word on an event. False: there is none.
 */
bool pl_trust_script_next(const struct pl_trust *x, struct step *out);
bool pl_trust_scripted(const struct pl_trust *x, struct pl_ref event, struct step *out);
/* What is at this place of co if the events that are not in the script do not count: where it is,
 * or would come. */
unsigned pl_trust_scripted_place(const struct pl_trust *x, uint32_t location, unsigned place);
/* The events of `order` as a script; preempts: before which of them a thread that could have gone
 * on is left, NULL: not known. */
uint64_t pl_trust_write_script(const struct pl_trust *x, const struct pl_ref *order,
                               const bool *preempts, uint32_t count, uint8_t *out, uint64_t room);

/* trust.c. The search is where it was before its first run. */
void pl_trust_forget_runs(struct pl_trust *x);
/* readers.c. Which of the threads only read from now on, as far as is known. */
uint64_t pl_trust_only_read(const struct pl_trust *x, uint64_t enabled);

/* stations.c. The top frame is new; its graph was cut back to so many events, or it is gone. */
void pl_trust_share(struct pl_trust *x);
void pl_trust_drop_stations(struct pl_trust *x, uint32_t count);

/* passing.c. A new read that may take what is as old as place `least`; if it may write, or a write:
 * right after such. */
void pl_trust_read_in_passing(struct pl_trust *x, const struct pl_node *m, int least);
void pl_trust_write_in_passing(struct pl_trust *x, const struct pl_node *m, int least);

/* assumed.c. A new write stands in co: was its value there before? */
void pl_trust_note_again(struct pl_trust *x, const struct pl_node *w);
/* Has the location had the value that the write gives it? */
bool pl_trust_had_value(const struct pl_graph *g, const struct pl_location *l,
                        const struct pl_node *w);

/* helping.c. A new write stands in co; there is a seq_cst event. */
void pl_trust_note_help(struct pl_trust *x, const struct pl_node *w);
void pl_trust_note_sc(struct pl_trust *x);

/* pairs.c. The load of a pair; does it find another write than its compare-exchange, and which does
 * that one find? The load that goes with a compare-exchange; of other events the event itself. */
static inline bool pl_is_pair_load(const struct pl_node *n)
{
    return (n->flags & PL_GRAPH_F_PAIR) && n->kind == PL_GRAPH_READ && n->op == PL_OP_NONE;
}
static inline bool pl_pair_has_since(const struct pl_node *n)
{
    return pl_is_pair_load(n) && n->operand != 0;
}
struct pl_ref pl_pair_since(const struct pl_node *load);
void pl_pair_set_since(struct pl_node *load, struct pl_ref v); /* {0, 0}: to none */
const struct pl_node *pl_pair_load(const struct pl_node *compare);
void pl_pairs_made(struct pl_trust *x, const struct pl_node *n, bool fresh); /* by its thread */
void pl_pairs_begin(struct pl_trust *x);                                     /* there is one */
/* between.c. A new access: does it spoil pairs? The event stands between the halves of one. */
void pl_pairs_check(struct pl_trust *x, const struct pl_node *n);
void pl_pairs_note_between(struct pl_trust *x, struct pl_node *n);
/* Does nothing come of a new load that finds what stands at this place, and its compare-exchange
 * what stands at that one? Ways in which that is a newer write of the same value; in which a load
 * that is revisited finds an older one than the new write. pair: NULL: to find it shows something.
 */
bool pl_pairs_is_idle(struct pl_trust *x, struct pl_node *load, const struct pl_trust_pair *pair,
                      int found, int compared);
void pl_pairs_push_older(struct pl_trust *x, struct pl_node *load, const struct pl_trust_pair *pair,
                         int place);
void pl_pairs_push_places(struct pl_trust *x, struct pl_node *load, struct pl_node *w);
/* Says what a new compare-exchange finds, in a round that began when its thread had made `since`
 * events; false: it is one like others. */
bool pl_pairs_choose(struct pl_trust *x, struct pl_node *compare, unsigned since);
bool pl_pair_is_vain(const struct pl_node *compare); /* the run was over with it */
/* events.c. An update reads what another has taken. */
void pl_trust_push_conflicts(struct pl_trust *x, struct pl_node *read);

/* left_out.c. The search begins again; not that for races. */
void pl_trust_forget_left_out(struct pl_trust *x);

/* symmetry.c. Which of the threads wait for their twins; the least place in co that an event's
 * twins leave to it; a causal past with what its events' twins add to it. */
uint64_t pl_trust_must_wait(const struct pl_trust *x, uint64_t enabled);
int pl_trust_twin_place(const struct pl_trust *x, const struct pl_node *e);
void pl_trust_close(const struct pl_trust *x, uint16_t *view);
/* The write may come to that place of co: does it contradict the order of twins? */
void pl_trust_check_twins(struct pl_trust *x, const struct pl_node *w, unsigned place);

/* bound.c. Does the graph need too many preemptions? Counts it. */
bool pl_trust_is_beyond(struct pl_trust *x);

/* turns.c. Before the first run; who moves; an event was added; the answer of a choice; the next
 * run, if there is one, also of those that confirm. */
void pl_turns_restart(struct pl_trust *x);
unsigned pl_turns_next(struct pl_trust *x, uint64_t enabled);
void pl_turns_added(struct pl_trust *x);
unsigned pl_turns_choose(struct pl_trust *x, unsigned choices);
bool pl_turns_next_run(struct pl_trust *x);
bool pl_turns_confirm(struct pl_trust *x);

/* Who made the last of so many events. */
enum { NOBODY = 0xff };
static inline unsigned pl_turns_mover(const struct pl_graph *g, uint32_t at)
{
    return at ? g->order[at - 1].thread : NOBODY;
}

/* conflicts.c. Notes which steps of the run are in conflict with later ones; forgets what is known
 * of all runs. */
void pl_turns_note(struct pl_trust *x);
void pl_turns_forget(void);

/* asleep.c. Somebody attempts a step and has to wait; who sleeps after the event just added, which
 * leaves a thread that could have gone on; the turn's first step is known. */
void pl_turns_wake(struct pl_trust *x, const struct attempt *a);
uint64_t pl_turns_sleepers(const struct pl_trust *x, const struct pl_node *e, bool leaves);
void pl_turns_set_about(struct pl_trust *x, uint32_t at);
void pl_turns_wake_by_wait(struct pl_trust *x, uint32_t at);

/* waits.c. A loop was left after this read; may the thread that moved last be left there for
 * nothing; was that wrong, as this new event of it shows; is it not known yet of anybody but
 * `last`? */
void pl_turns_left_loop(struct pl_trust *x, const struct pl_node *read);
bool pl_turns_may_wait(const struct pl_trust *x, uint32_t at);
bool pl_turns_must_pay(const struct pl_trust *x, const struct pl_node *n);
bool pl_turns_somebody_owes(const struct pl_trust *x, unsigned last);
/* The step that the thread has attempted since its last event, and had to wait with; false: none is
 * known. */
bool pl_turns_attempted(const struct pl_trust *x, unsigned thread, struct pl_node *out);

#endif
