/*
 * Every consistent execution graph of a program, each once: the TruSt algorithm
 * (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, POPL 2022).
 *
 * The target runs the program and asks at every event. A run first repeats the graph it was
 * given (the explorer says who moves and what each read returns), then adds to it: where an
 * event can be added in several ways, one is taken and the others are kept for later runs.
 *
 *     do {
 *         pl_trust_begin(x);
 *         … the target: thread = pl_trust_next(x, enabled); that thread makes one event …
 *     } while (pl_trust_end(x, every thread finished));
 *
 * Invariants:
 * I1  A stack of frames; each has a graph and the ways not yet taken from it. A backward
 *     revisit opens a frame with the restricted graph, so memory is linear in the length of
 *     an execution times the nesting of revisits.
 * I2  Ways are taken last first; the graph is cut back to the event of the way, so a frame
 *     needs no copies of its own past.
 * I3  Only consistent graphs are extended. An update whose source another update already
 *     took is never extended: it only revisits.
 */
#ifndef PL_EXPLORE_TRUST_H
#define PL_EXPLORE_TRUST_H

#include "explore/facts.h"
#include "explore/rounds.h"
#include "explore/sample.h"
#include "graph/graph.h"

struct pl_trust;

struct pl_trust_access;

struct pl_trust_counts {
    uint64_t executions; /* complete graphs */
    uint64_t blocked;    /* given up part way, or stuck */
    uint64_t runs;
    uint64_t revisits;
    uint64_t beyond; /* not explored or not counted: more preemptions than the bound */
};

struct pl_trust *pl_trust_new(const struct pl_model *model);
void pl_trust_free(struct pl_trust *x);
/* A number to count up while the explorer works, so that a watcher sees it is not stuck. */
void pl_trust_set_pulse(struct pl_trust *x, volatile uint64_t *pulse);
/* From now on a complete graph that was there before is a failure (once.h). Debug builds begin
 * with this. */
void pl_trust_prove(struct pl_trust *x);
const struct pl_graph *pl_trust_graph(const struct pl_trust *x);
const struct pl_trust_counts *pl_trust_counts(const struct pl_trust *x);
/* Why the exploration cannot go on (a limit, a program that does not repeat itself), or NULL. */
const char *pl_trust_failure(const struct pl_trust *x);

/* What is seen, and taken for granted, is noted there, with what the target has besides; NULL: by
 * the explorer itself, as at first. */
void pl_trust_set_facts(struct pl_trust *x, struct pl_facts *facts);

/* Forgets every graph and count: the search begins again, under another model if not NULL. */
void pl_trust_restart(struct pl_trust *x, const struct pl_model *model);

/* From now on only executions that can happen with at most so many preemptions under sc
 * (preemptions.h): all of them, each once. Complete ones with more are not counted. */
void pl_trust_bound(struct pl_trust *x, unsigned most);
/* Afterwards, if something was left out: do executions need more? `beyond` is 0 if not; nothing is
 * said of many. */
void pl_trust_confirm(struct pl_trust *x);
/* The same by way of all executions, for our own tests. */
void pl_trust_do_not_cut(struct pl_trust *x);
/* With a bound, the target says: a thread has to wait, and why if the graph may know (with the
 * step, for the end of a thread); it stands at the end of a void round. A step that awaits
 * nothing, and is no lock's, waits for another value than the newest. */
void pl_trust_blocked(struct pl_trust *x, unsigned thread);
void pl_trust_attempt(struct pl_trust *x, const struct pl_trust_access *a);
void pl_trust_attempt_join(struct pl_trust *x, unsigned joined);
void pl_trust_stood(struct pl_trust *x, struct pl_round round);
/* Must the thread wait before it asks for the lock? Without a bound it may ask at any time. */
bool pl_trust_is_held(const struct pl_trust *x, uint64_t key);
/* Threads that would have to wait if they moved. */
uint64_t pl_trust_waiting(const struct pl_trust *x);
/* Does nothing new come of this run, so that it may be given up? */
bool pl_trust_is_spent(const struct pl_trust *x);
/* Was the graph of this run, which has ended, there before? Asked once. */
bool pl_trust_was_there(struct pl_trust *x);
/* How the execution under way ended: at an event of thread `last` (-1: with all that was made),
 * after all events of the threads in `whole`; those in `waiting` could not have gone on. */
struct pl_trust_ending {
    int last;
    uint64_t whole, waiting;
    const struct pl_trust_edge { /* an order that the graph does not know of */
        struct pl_ref before, after;
    } * edge;
    unsigned edges;
};
/* How few preemptions show it. */
unsigned pl_trust_preemptions(const struct pl_trust *x, const struct pl_trust_ending *end);
/* A script with so few; 0: the graph is not sequentially consistent, or there is no room. */
uint64_t pl_trust_save_shortest(const struct pl_trust *x, const struct pl_trust_ending *end,
                                uint8_t *out, uint64_t room);
/* The thread has left a loop, at whose head it last was when it had made `since` events: if it made
 * one access since, it may have waited there. */
void pl_trust_left_loop(struct pl_trust *x, unsigned thread, unsigned since);
/* Values written in passing (passing.c): the thread is at the head of a loop (counted: no round of
 * it is void); its round is void, and is left out. */
void pl_trust_at_head(struct pl_trust *x, unsigned thread, bool counted);
void pl_trust_leave_out(struct pl_trust *x, struct pl_round round);
/* The event has seen what a round wrote in passing, and its thread did not just wait. */
void pl_trust_tell(struct pl_trust *x, struct pl_ref event);
enum { PL_TRUST_PASSINGS = 32 };
/* Names of location and thread: a value was written there in passing; one could have been read, or
 * followed by a write. Where both are the same, there are executions that are not explored. More
 * than there is room for are counted only. */
enum { PL_TRUST_READ, PL_TRUST_FOLLOWED, PL_TRUST_PASSING_KINDS };
struct pl_trust_passing {
    uint64_t written[PL_TRUST_PASSINGS], met[PL_TRUST_PASSINGS];
    uint32_t writtens, mets;
};
bool pl_trust_misses(const struct pl_trust *x);                            /* is that so? */
const struct pl_trust_passing *pl_trust_passing(const struct pl_trust *x); /* of each kind */
/* Races with rounds that are left out (left_out.c). There is a mark for what a thread does to
 * memory: reads it plainly; in rounds that are left out accesses it in any way, writes it in any
 * way, writes it plainly. If one of these bits is there and so is the same one PL_TRUST_LATER
 * above, there may be a race. Memory is any number that names it, an even one below 2^48;
 * that of an arena, which is thread + 1's, by where it is there. */
enum {
    PL_TRUST_READS = 1,
    PL_TRUST_TOUCHES = 2,
    PL_TRUST_WRITES = 4,
    PL_TRUST_STORES = 8,
    PL_TRUST_DONE = 15,
    PL_TRUST_LATER = 4,
    PL_TRUST_MARKS = 1 << 16,
};
#define PL_TRUST_HEAP                   ((uint64_t)1)
#define PL_TRUST_IN_ARENA(arena, place) ((uint64_t)(arena) << 48 | (place) | PL_TRUST_HEAP)
/* Where threads may be renamed their arenas are one, but for 0 and 1: what is from before main, and
 * main's. */
static inline uint64_t pl_trust_of_any(uint64_t memory)
{
    bool renamed = (memory & PL_TRUST_HEAP) && memory >> 48 > 1;
    return renamed ? memory << 16 >> 16 | (uint64_t)2 << 48 : memory;
}
static inline uint32_t pl_trust_mark(uint64_t memory, unsigned thread)
{
    return (uint32_t)((memory ^ (uint64_t)(thread + 1) << 56) * 0x9e3779b97f4a7c15u >> 48);
}
void pl_trust_set_marks(struct pl_trust *x, uint8_t *mark);
/* A round of the thread is left out, since it had made so many events; what it does. (What the
 * thread reads plainly counts wherever it does.) */
void pl_trust_left_out(struct pl_trust *x, unsigned thread, unsigned since);
void pl_trust_does(struct pl_trust *x, unsigned thread, unsigned since, uint64_t memory,
                   unsigned how);
/* Could there have been rounds that an access which the thread makes now is later than, and not
 * ordered? Then it is noted, with all that it would race with. Has the thread, since it had made so
 * many events, written where others could see it, but for this memory? */
bool pl_trust_is_later(const struct pl_trust *x, unsigned thread);
void pl_trust_note_later(struct pl_trust *x, unsigned thread, uint64_t memory, unsigned how);
bool pl_trust_has_shown(const struct pl_trust *x, unsigned thread, unsigned since, uint64_t start,
                        uint64_t end);
/* The search is over: could there be races with rounds that were left out? Then the next search is
 * for them: which rounds does it make? No longer. */
bool pl_trust_look_into(struct pl_trust *x);
bool pl_trust_looks_into(const struct pl_trust *x, unsigned thread, unsigned since);
void pl_trust_look_away(struct pl_trust *x);

/* Running a script: does it say that the thread that moved before could not go on? */
bool pl_trust_yields(const struct pl_trust *x);

/* Symmetry: the thread does what `before` does, and they may be renamed (symmetry.c). Before the
 * first run, or after a restart. */
void pl_trust_twin(struct pl_trust *x, unsigned thread, unsigned before);
/* Did a thread have to go on before its twin did, or can an execution not be put in the order of
 * twins? Then the search must begin again, without them. */
bool pl_trust_is_astray(const struct pl_trust *x);

/* May it be taken for sure that the location does not get this value, which it has had, again,
 * because that was never seen (assumed.c)? Never again from now on; was it seen after all, so that
 * the search must begin again? */
bool pl_trust_assume_once(struct pl_trust *x, uint32_t location, uint64_t value);
void pl_trust_assume_nothing(struct pl_trust *x);
void pl_trust_begin_again(struct pl_trust *x); /* as if something had been assumed that was seen */
bool pl_trust_is_mistaken(const struct pl_trust *x);

/* Helping (helping.c): from now on threads do not do for others what these are about to do; where
 * the heap is. The thread's next step is a compare-exchange that others may help with; is this one
 * such help, in a round that began when its thread had made `since` events? Then it is not to be
 * made. Something was seen that spoils it, at the location (0: anywhere in the heap). */
void pl_trust_help(struct pl_trust *x, uint64_t heap, uint64_t heap_end);
void pl_trust_intend(struct pl_trust *x, const struct pl_trust_access *a);
bool pl_trust_is_helped(struct pl_trust *x, const struct pl_trust_access *a, unsigned since);
#define PL_TRUST_ANYWHERE UINT64_MAX
void pl_trust_help_not(struct pl_trust *x, uint64_t key);

/* Pairs (pairs.c), which accesses announce by their flag PL_GRAPH_F_PAIR: may there be any; no
 * more, and if there were the search begins again. The round of the thread, with a load of a pair,
 * ends without the compare-exchange. Does nothing come of this run any more, so that it is to be
 * left at once? */
bool pl_trust_may_pair(const struct pl_trust *x);
void pl_trust_pair_not(struct pl_trust *x);
void pl_trust_pair_ends(struct pl_trust *x, unsigned thread);
bool pl_trust_is_over(const struct pl_trust *x);

/* A script of the complete graph of this run in which thread t is name[t]; main, which creates
 * them and joins them, is thread 0. 0: there is no room. */
uint64_t pl_trust_save_renamed(const struct pl_trust *x, const uint8_t *name, uint8_t *out,
                               uint64_t room);

/* From now on executions are drawn at random and nothing is kept; there is always another. The
 * sample stays the caller's, who begins it before each. */
void pl_trust_sample(struct pl_trust *x, struct pl_sample *sample);
/* Sampling: would a step that awaits something find it now? If not, the thread must wait with
 * it: there will be no revisit. */
bool pl_trust_ready(struct pl_trust *x, const struct pl_trust_access *a);

/* From now on the runs are walks from the root of the search tree to a leaf, each way as probable
 * as the others, several runs a walk; nothing is counted but the estimate (Knuth, "Estimating the
 * efficiency of backtrack programs", 1975), which is right on average. */
void pl_trust_probe(struct pl_trust *x, uint64_t seed);
struct pl_trust_estimate {
    uint64_t walks;
    double sum, squares; /* of the executions each walk stands for, and their squares */
};
const struct pl_trust_estimate *pl_trust_estimate(const struct pl_trust *x);

void pl_trust_begin(struct pl_trust *x);
/* Stations (stations.c): moments of a run that a later one can begin at, in place of the start. The
 * target keeps its own state, and of the explorer's what is in `span`; stations are numbered, and
 * made and forgotten last first. May one be made now? Made: its number. How many are there now?
 * With which can the run that is to come begin, after how many events (-1: none)? How many could it
 * have begun with, and before which event? It begins with that one, the spans put back. */
enum { PL_TRUST_STATIONS = 512, PL_TRUST_SPANS = 1 + 2 * PL_GRAPH_THREADS };
struct pl_trust_span {
    void *at;
    uint32_t bytes;
};
bool pl_trust_may_stop(const struct pl_trust *x);
uint32_t pl_trust_stop(struct pl_trust *x);
void pl_trust_unstop(struct pl_trust *x);       /* that one was not made */
uint32_t pl_trust_at(const struct pl_trust *x); /* events made so far in this run */
uint32_t pl_trust_stations(const struct pl_trust *x);
unsigned pl_trust_spans(struct pl_trust *x, struct pl_trust_span *span);
int pl_trust_station(const struct pl_trust *x, uint32_t *after, uint32_t *most,
                     struct pl_ref *before);
void pl_trust_resume(struct pl_trust *x);
void pl_trust_forget_stations(struct pl_trust *x);

/* Which thread makes the next event; enabled has a bit for each that could. */
unsigned pl_trust_next(struct pl_trust *x, uint64_t enabled);
/* The first run of a search is over, and every thread finished: does it tell in which order threads
 * should move (readers.c)? Then the search begins again, as if there had been no run. */
bool pl_trust_learn(struct pl_trust *x);
/* Threads move in the order that the other one has learnt. */
void pl_trust_follow(struct pl_trust *x, const struct pl_trust *other);
/* The run is over. `complete`: every thread finished. Returns whether there is another. */
bool pl_trust_end(struct pl_trust *x, bool complete);
/* The run is given up: its graph counts as blocked. */
bool pl_trust_give_up(struct pl_trust *x);

/* The last event of the run, a new write, is read by `victim`, which stands still (so does, at its
 * last event, every thread of `standing`), in this run: what a revisit would delete, and the victim
 * itself, are then not made yet, and all else is as it is. False: that cannot be done. (inplace.c)
 */
bool pl_trust_revisit_here(struct pl_trust *x, const struct pl_node *victim, uint64_t standing);

/* The graph of this run as bytes, and an explorer that runs only that one: 6 bytes an event,
 * thread, then what it reads or where in co it stands or what it chose. `late`: the thread that has
 * found something goes as late as it can, so that it finds it again, and nobody else before it. */
uint64_t pl_trust_save(const struct pl_trust *x, unsigned late, uint8_t *out, uint64_t room);
/* Is all of the graph made, and no script run? Then its outline (graph/store.h) says as much as the
 * script that is saved of it. */
bool pl_trust_is_whole(const struct pl_trust *x);
void pl_trust_script(struct pl_trust *x, const uint8_t *bytes, uint64_t count);
bool pl_trust_is_scripted(const struct pl_trust *x);

/* Work for another process: the oldest of the ways not yet taken, and its graph; it is then no
 * longer this explorer's. 0: there is none, or no room. Between runs only. */
uint64_t pl_trust_give(struct pl_trust *x, uint8_t *out, uint64_t room);
/* Likewise the run that is to come next, before it has begun. Then nothing of it is left here. */
uint64_t pl_trust_give_next(struct pl_trust *x, uint8_t *out, uint64_t room);
/* Takes such work over, when the explorer has nothing left to do. Is there a run in it? If the
 * bytes are no work, that is a failure. */
bool pl_trust_receive(struct pl_trust *x, const uint8_t *bytes, uint64_t count);

/* Of the load of a pair: the compare-exchange comes after it for sure, unless it finds that value.
 */
struct pl_trust_pair {
    bool sure, has_unless;
    uint64_t unless;
};

struct pl_trust_access {
    unsigned thread;
    uint64_t key;     /* of the location: the same in every run; the low 48 bits: its address */
    uint64_t initial; /* its value before any event */
    unsigned size, order, order_fail;
    enum pl_graph_op op;
    enum pl_await await;
    uint8_t flags; /* PL_GRAPH_F_… of a lock, a store or a pair */
    uint64_t operand, expected;
    uint64_t unseen; /* an update: bits of what it read that the program does not look at */
    /* Values with which a round ends that changes nothing and shows nothing (rounds.h): of such,
     * only the newest is read. */
    const uint64_t *idle;
    unsigned idle_count;
    bool undefined; /* the initial value is, so that to read it shows something: it is never left
                       out */
    const struct pl_trust_pair *pair; /* with PL_GRAPH_F_PAIR: a load */
    /* A compare-exchange: all but `expected` are such values, of a round that began when the thread
     * had made so many events, plus one; 0 = they are not. */
    unsigned retries;
};
/* The event the thread makes next, if this run only repeats it, made; else NULL, and nothing has
 * happened: the functions below are for new events, and say what is wrong if it is another. A
 * read-modify-write is repeated by its read, and what comes back is its write if it has one.
 * value: of a write. */
const struct pl_node *pl_trust_repeat(struct pl_trust *x, unsigned thread, enum pl_graph_kind kind,
                                      uint64_t address, uint64_t value);
/* What the read returns. */
uint64_t pl_trust_read(struct pl_trust *x, const struct pl_trust_access *a);
void pl_trust_write(struct pl_trust *x, const struct pl_trust_access *a, uint64_t value);
/* A read-modify-write: returns what it read; *ok says whether it wrote. Or its halves: between
 * them its thread may only stand still. */
uint64_t pl_trust_update(struct pl_trust *x, const struct pl_trust_access *a, bool *ok);
const struct pl_node *pl_trust_update_read(struct pl_trust *x, const struct pl_trust_access *a);
bool pl_trust_update_write(struct pl_trust *x, const struct pl_trust_access *a);
/* The different values at the location of the access, the newest first; returns how many. */
unsigned pl_trust_values(struct pl_trust *x, const struct pl_trust_access *a, uint64_t *out,
                         unsigned room);
/* Would the access change a location that has this value? */
bool pl_trust_changes(const struct pl_trust_access *a, uint64_t value);
void pl_trust_fence(struct pl_trust *x, unsigned thread, unsigned order);
void pl_trust_start(struct pl_trust *x, unsigned thread, int creator); /* its first event */
void pl_trust_create(struct pl_trust *x, unsigned thread, unsigned created);
void pl_trust_finish(struct pl_trust *x, unsigned thread);
void pl_trust_join(struct pl_trust *x, unsigned thread, unsigned joined);
/* A lock is asked for; the thread may go on when pl_trust_locked() says so. A quiet one orders
 * without happens-before. */
void pl_trust_lock(struct pl_trust *x, unsigned thread, uint64_t key, bool quiet);
bool pl_trust_locked(struct pl_trust *x, unsigned thread);
void pl_trust_unlock(struct pl_trust *x, unsigned thread, uint64_t key);
/* Is the thread's next event a new one? If it is a read, the last event the graph has of the
 * thread, or the first half of an update: that, else NULL. */
bool pl_trust_is_fresh(const struct pl_trust *x, unsigned thread);
const struct pl_node *pl_trust_next_is_last(const struct pl_trust *x, unsigned thread);
/* Events the thread has made in this run; does the graph have more of it? */
unsigned pl_trust_made(const struct pl_trust *x, unsigned thread);
bool pl_trust_goes_on(const struct pl_trust *x, unsigned thread);
/* The last event the thread has made in this run; the unlock its last lock waited for, or NULL. */
const struct pl_node *pl_trust_last(const struct pl_trust *x, unsigned thread);
const struct pl_node *pl_trust_awaited(const struct pl_trust *x, unsigned thread);
/* Does the thread stand at a read that awaits another value? For ever, if no later write of
 * this run can give it one. */
bool pl_trust_waits(const struct pl_trust *x, unsigned thread, bool *for_ever);
/* Is the graph not sequentially consistent? */
bool pl_trust_is_weak(const struct pl_trust *x);
/* The first write after this one in co (of PL_INIT: any) that has been made in this run, or
 * PL_INIT; is there one? */
struct pl_ref pl_trust_overwriter(const struct pl_trust *x, uint32_t location, struct pl_ref write);
bool pl_trust_is_stale(const struct pl_trust *x, uint32_t location, struct pl_ref write);
/* Is the thread's last event, a write, the last in co of those made in this run? */
bool pl_trust_is_latest(const struct pl_trust *x, unsigned thread);
unsigned pl_trust_choose(struct pl_trust *x, unsigned thread, unsigned n);

#endif
