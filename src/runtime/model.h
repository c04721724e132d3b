/*
 * The runtime as the target of the explorer: used while rt.exploring. Every function here
 * stands for the one of the same name that `run` uses.
 */
#ifndef PL_RUNTIME_MODEL_H
#define PL_RUNTIME_MODEL_H

#include "explore/trust.h"
#include "runtime/shadow.h"

/* Of the search; shared with other processes if it is shared. */
extern struct pl_facts pl_facts;
void pl_model_share_facts(void); /* before main */
void pl_model_init(const char *model);
void pl_model_sample(enum pl_sample_kind kind, unsigned depth); /* not every execution */
/* After the first execution, a complete one without a finding: does the search begin again, because
 * of what it tells? */
bool pl_model_learn(void);
/* After an execution: counts it; is there another? */
bool pl_model_next(bool complete, bool given_up);
bool pl_model_next_quietly(bool complete, bool given_up); /* without counting */
/* Is the graph of this execution not sequentially consistent? How many events has it? */
bool pl_model_is_weak(void);
const struct pl_graph *pl_model_graph(void);
bool pl_model_has_read_nothing(void); /* this thread: nothing that others could change */
uint32_t pl_model_events(void);
/* The search begins again, under sc: does a finding exist there, too? */
void pl_model_begin_sc(void);
void pl_model_begin_again(void); /* under the same model */
/* What is known by now is otherwise: the search begins again. */
void pl_model_search_again(void);

/* Sharing: hands over all work, and the run to come, when the tool asks for it; else false. */
bool pl_model_drain(void);
void pl_model_wait_for_leave(void); /* sharing: until another execution may be made */
/* Sharing: waits for work of another process; false: there is no more, the tool says. */
bool pl_model_receive(void);

/* With a bound: the thread has to wait, for the end of another; who would have to, if they moved;
 * was the execution there before? */
void pl_model_blocked(void);
uint64_t pl_model_waiting(void);
void pl_model_attempt_join(uint32_t joined);
bool pl_model_was_there(void);
/* --preemptions: does the execution that has just ended need more; and are those that do of no
 * interest? */
struct pl_trust_ending;
void pl_model_bound(void); /* from now on */
bool pl_model_exceeds_bound(const struct pl_trust_ending *end);
bool pl_model_is_beyond(const struct pl_trust_ending *end);
/* The execution that has just ended again, in an order with the fewest preemptions, by an explorer
 * of its own until _end_; false: there is no such order. */
bool pl_model_begin_shortest(const struct pl_trust_ending *end);
/* The complete execution just explored again, thread t of it as name[t]. False: it is too long. */
bool pl_model_begin_renamed(const uint8_t *name);
void pl_model_end_beside(void);                       /* of either: back to what was under way */
void pl_model_twin(uint32_t thread, uint32_t before); /* they do the same */
void pl_model_at_head(bool counted);     /* the running thread is at the head of a loop */
void pl_model_left_loop(unsigned since); /* with so many events made it was last at the head */
bool pl_model_may_pair(void);            /* pairs of accesses (explore/pairs.c) */
void pl_model_pair_ends(void);           /* a round of the running thread, without the second */
void pl_model_frees(void);               /* memory is given back */
bool pl_model_yields(void);              /* the thread that moved before could not go on */

/* The execution under way as bytes for a saved finding; only that one again. */
uint32_t pl_model_save(uint8_t *out, uint32_t room);
void pl_model_script(const uint8_t *bytes, uint64_t count);
/* The same with an outline (graph/store.h) in place of the script, behind *prefix bytes; fast. 0:
 * not of this execution, or there is no room. */
uint32_t pl_model_outline(uint8_t *out, uint32_t room, uint32_t *prefix);
uint32_t pl_model_outline_bytes(void); /* that it needs at most */

uint64_t pl_model_load(uint64_t address, unsigned size, unsigned order, uint64_t pc);
void pl_model_store(uint64_t address, unsigned size, unsigned order, uint64_t value, uint64_t pc);
struct pl_model_update {
    enum pl_event_kind kind; /* what it does; PL_EVENT_CAS_OK for a compare-exchange */
    uint64_t operand, expected;
    unsigned order, order_fail;
    bool weak; /* a compare-exchange that may fail for no reason */
};
/* Returns the old value. Values of 16 bytes are numbers: wide.h. */
uint64_t pl_model_update(uint64_t address, unsigned size, const struct pl_model_update *u, bool *ok,
                         uint64_t pc);
/* ---- plain and volatile accesses as events (model_plain.c) ----
 * A hook comes before the access: a read finds its value in memory, put there for it; the value
 * of a write is taken from memory when the thread next comes here, before anybody else runs. */
void pl_model_access(uint64_t address, unsigned size, bool read, bool write, uint64_t pc);
void pl_model_settle(void);
void pl_model_forget_access(void); /* at the start of an execution */
/* --races=allow: which code takes part in races is learnt; each time, the search begins again
 * with the accesses there as relaxed atomics. */
bool pl_model_is_racy(uint64_t pc);
void pl_model_race(uint64_t pc, uint64_t other_pc);
/* What was learnt, as bytes, for a saved finding; returns how many. */
uint32_t pl_model_races_bytes(void);
uint32_t pl_model_races_save(uint8_t *out, uint32_t room);
uint32_t pl_model_races_load(const uint8_t *bytes, uint64_t count);
void pl_model_restart(void); /* does not return */
/* Between runs: was something that was assumed seen to be wrong? */
bool pl_model_begins_again(void);

/* A plain write to the bytes of an atomic, ordered after all its accesses (or it is a race):
 * it is initialised anew, and what follows has to do with another location. */
void pl_model_initialise(struct pl_cell *c, uint8_t mask);
void pl_model_fence(unsigned order, uint64_t pc);
void pl_model_start(int creator); /* the running thread's first event; -1: main */
void pl_model_create(uint32_t created, uint64_t pc);
void pl_model_finish(void);
void pl_model_join(uint32_t joined, uint64_t pc);
void pl_model_lock(const void *lock, uint64_t *waiters, uint64_t pc); /* returns when it has it */
void pl_model_unlock(const void *lock, uint64_t pc);

/* ---- modelled objects as locations of their own ----
 * A step on an object: a read, write or read-modify-write of one of its parts, below 4. With
 * `await` it returns only if it finds what it waits for; else the thread stands still in this
 * graph, and a later write of what it waits for makes another graph of it. */
struct pl_model_step {
    const void *object;
    unsigned part;
    enum pl_graph_op op; /* updates */
    enum pl_await await;
    uint64_t operand, expected, initial;
    unsigned order, order_fail;
    enum pl_event_kind in; /* while it waits: what it does */
    bool timed;            /* and it could give up waiting */
};
uint64_t pl_model_object_read(const struct pl_model_step *s, uint64_t pc);
void pl_model_object_write(const struct pl_model_step *s, uint64_t pc);
uint64_t pl_model_object_update(const struct pl_model_step *s, bool *ok, uint64_t pc);
/* What is too much for one event: an operation between enter and exit is one step, and all of
 * one object are made in one order, in which what it keeps in its record is right. A quiet one
 * orders without happens-before. */
void pl_model_enter(const void *object, bool quiet, uint64_t pc);
void pl_model_exit(const void *object, uint64_t pc);
/* The running thread stands still until it is roused. */
void pl_model_sleep(const void *object, enum pl_event_kind in, bool timed, uint64_t pc);
void pl_model_rouse(unsigned thread, uint64_t pc);
bool pl_model_has_slept(void); /* somebody, and was roused */
unsigned pl_model_choose(unsigned n, uint64_t pc);

/* Mutexes as words: what trylock and time-outs need. The first asks for it, and the search
 * begins again. */
bool pl_model_locks_are_words(void);
void pl_model_make_locks_words(void);

/* ---- rounds of loops (loops.c) ---- */
unsigned pl_model_made(void); /* events of the running thread so far */
/* Have the events of the running thread since then left everything as it was? `stored`: plain
 * memory is not as it was, which nobody must have been shown. */
bool pl_model_round_is_void(unsigned since, bool stored);
/* Have they only read? */
bool pl_model_only_read(unsigned since);
bool pl_model_changes_nothing(unsigned since, bool stored); /* as far as the graph can tell now */
/* Is the event that comes now a new one, and may rounds be left out of which it is known before
 * they are over that they are void? */
bool pl_model_may_leave_out(void);
/* They have, and so has all else that counts: the thread stands still in this graph, unless it is
 * known to go on, or somebody reads what the round wrote in passing. `same`: even what does not
 * count is as it was, so the next round would be this one again. */
void pl_model_void_round(unsigned since, bool same, uint64_t pc);
/* Is the void round of the running thread since then one that is made all the same (left_out.h)? */
bool pl_model_looks_into(unsigned since);
/* Is the search under way one for races only, after all executions were explored? */
bool pl_model_looks_for_races(void);
/* Nobody else can go on, so those do that wait (model_await.c); sampling: those go round again that
 * could read something newer. */
uint64_t pl_model_stir(void);
bool pl_model_waits(void); /* could somebody go on so? */
/* An execution has begun at a station: who stood there, and has events to repeat, goes on. */
void pl_model_resumed(void);
bool pl_model_spins(void); /* does some thread stand in a void round? */

/* Nobody can go on: for ever, or only because a value that has been written since was not read? */
bool pl_model_stuck(void);

#endif
