/*
 * `plumb check` inside the subject's process: runs a test (a matrix of invocations) and notes of
 * each invocation what it answered and when, counted in events of its thread. Calls and returns
 * are no steps: they cost no executions.
 *
 * Two ways to run it: freely, explored; or serially, one invocation at a time in a given order,
 * each on its own thread, with an edge of happens-before to the next. Serial orders are those that
 * keep each thread's, or a sequence that somebody asks for (SEQUENCES): any order, of some of them.
 */
#ifndef PL_RUNTIME_HARNESS_H
#define PL_RUNTIME_HARNESS_H

#include "runtime/rt.h"

struct pl_invocation {
    uint16_t call, ret; /* events its thread had made */
    uint8_t thread;     /* number in the runtime */
    bool called, returned;
    uint8_t zero; /* so far like struct pl_graph_call, which is copied from it in one go */
    uint8_t
        number; /* of its answer, when it has returned in a run that is not serial (explain.h) */
    uint16_t bytes;
    uint8_t response[PL_CHECK_RESPONSE];
};

/* A mark that was passed (PLUMB_POINT); of the marks of one operation that a thread passes the last
 * one counts. */
struct pl_effect {
    uint8_t operation, by, thread; /* of a candidate `by` is an enum pl_access_kind */
    uint16_t event;                /* of its thread: the access it belongs to */
    uint64_t pc;
};

struct pl_harness {
    uint32_t count; /* invocations of the test */
    struct pl_invocation invocation[PL_CHECK_OPERATIONS];
    bool serial, stuck;
    uint32_t length; /* SEQUENCES: of the sequence; its invocations are on the wire */
    uint8_t turn[PL_CHECK_OPERATIONS]; /* serial: whose turn it is, by column, as far as decided */
    uint32_t turns;                    /* taken so far */
    uint8_t ran[PL_CHECK_OPERATIONS];  /* invocations in the order of their calls */
    uint32_t running;                  /* how many were called */
    uint32_t effects;
    struct pl_effect effect[PL_CHECK_EFFECTS]; /* in the order in which they were passed */
};
extern struct pl_harness pl_harness;

static inline bool pl_checking(void)
{
    return rt.options->check.mode != PL_CHECK_OFF;
}

void pl_harness_begin(void); /* an execution */
void pl_harness_keep(void);  /* station.h */
/* Nobody can go on. While checking this is a history if an invocation is under way: then the
 * execution ends here. */
void pl_harness_stuck(void);
bool pl_harness_pending(void);
/* Threads of the test are called by their columns, those of the subject's own come after them:
 * struct pl_wire_finding. */
void pl_harness_call_threads(uint8_t called[PL_MAX_THREADS]);
/* To the tool: what the execution that is shown has come to. */
void pl_harness_tell_answers(void);
/* What the history to be shown orders besides the graph of the execution that has just ended. */
struct pl_trust_edge;
const struct pl_trust_edge *pl_harness_edges(unsigned *count);
/* 1 + the invocation that the running thread is in, and how many steps it has made; 0: none. */
uint32_t pl_harness_steps(uint32_t *steps);
unsigned pl_harness_under_way(void); /* 1 + the invocation of the running thread, 0 = none */

/* A number for the allocation that the thread makes: who makes it, and how many it has made (0: not
 * known). In another execution, that of the same invocation has the same. */
uint16_t pl_harness_allocates(void);

/* Serial runs begin; whose turn is next is a choice, so a search makes every order. */
void pl_harness_serial(void);
/* Of the execution that has just ended: of the order of its calls and of what they answered. */
uint64_t pl_harness_sum(void);
/* The sequence that is asked for. */
void pl_harness_sequence(void);
/* Do the invocations answer as they did when this was last asked? The first time of a sequence they
 * do not. */
bool pl_harness_is_same(bool first);

/* question.c: false: the tool wants no more. */
bool pl_wait_for_question(void);
void pl_answer(void);

/* listing.c: the subject's table, to the tool. */
struct plumb_subject;
void pl_harness_list(const struct plumb_subject *subject);
/* written.c: answers for the written spec until the tool wants no more. */
_Noreturn void pl_written_serve(const struct plumb_subject *subject);
unsigned pl_written_choose(unsigned n); /* plumb_choose in one of its steps; else 0 */

/* effects.c: an execution begins; the running thread has made an event; the accesses that the
 * operations of the execution could have taken effect at, by code address the last of each. */
void pl_effects_begin(void);
void pl_effects_made(uint64_t pc);
uint32_t pl_effects_candidates(struct pl_effect *out); /* at most PL_CHECK_CANDIDATES */

/* project.c: the execution that just ended, as a history, to the tool. */
void pl_harness_give(enum pl_history_kind kind);

#endif
