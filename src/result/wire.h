/*
 * The one file shared between the tool (`plumb`) and the subject's process (the
 * program linked with libplumb_rt.so). Both map it. The tool fills the options,
 * starts the process with PLUMB_WIRE=<path of the file>, then reads counters and
 * findings. The process never formats text and never asks the clock: the tool
 * watches the time and sets `stop`.
 *
 *      0          PL_WIRE_FINDINGS      PL_WIRE_EVENTS    PL_WIRE_STACKS   PL_WIRE_BYTES
 *      +----------+---------------------+-----------------+----------------+-----------+
 *      | struct   | struct              | struct          | uint64_t pcs   | choices,  |
 *      | pl_wire  | pl_wire_finding[]   | pl_wire_event[] | of stacks      | texts     |
 *      +----------+---------------------+-----------------+----------------+-----------+
 *
 * Invariants:
 * I1  Only the tool writes `options`, `stop`, `poke`, `received`, `lines`; only the process writes
 *     the rest.
 * I2  findings[i] is complete, with its events, stacks and bytes, before `findings`
 *     (the count) passes i.
 * I3  A finding is written from a second, traced run of the same execution; the
 *     first run records nothing. If the second run differs from the first, the
 *     finding carries PL_FINDING_F_UNSTABLE.
 * I4  Stack 0 is the empty stack. stacks[] holds, at the index a finding or event
 *     names, first the depth, then that many code addresses, innermost first.
 *     Every address but that of a fault (PL_STACK_EXACT bit of the depth) is a
 *     return address: look up address - 1.
 */
#ifndef PL_RESULT_WIRE_H
#define PL_RESULT_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "result/finding.h"
#include "result/layout.h"

#define PL_WIRE_MAGIC 0x31656e696c626d75u /* "umbline1" */
#define PL_WIRE_ENV   "PLUMB_WIRE"

enum {
    PL_MAX_THREADS = 64,     /* threads of one execution, main included */
    PL_MAX_FINDINGS = 256,   /* distinct ones, with --keep-going */
    PL_MAX_TRACE = 1 << 16,  /* events kept of one execution: the last ones */
    PL_MAX_EVENTS = 1 << 20, /* of all findings together */
    PL_MAX_STACK_WORDS = 1 << 21,
    PL_MAX_BYTES = 1 << 26,
    PL_MAX_SUPPRESSIONS = 256, /* rules */
    PL_MAX_MAPS = 1 << 16,
    PL_PASSINGS = 32,
    PL_PASSING_KINDS = 2,
    PL_OUT_MARKS = 1 << 16,
    PL_OUT_DONE = 15, /* bits of a mark; the others are so much above */
    PL_OUT_LATER = 4,
    PL_MAX_RANGES = 1 << 14, /* code ranges of all rules */
    PL_MAX_PAUSES = 4096,
    PL_NONDET = 4,         /* values tried of a __VERIFIER_nondet_… of a wide type */
    PL_MAX_WORK = 1 << 20, /* bytes of work handed from one process to another */
    PL_MAX_DEPTH = 64,     /* frames of a stack */
};

/* X(name, word in the report) */
#define PL_EVENT_TABLE(X)                                                                          \
    X(NONE, "")                                                                                    \
    X(READ, "read")                                                                                \
    X(WRITE, "write")                                                                              \
    X(VOLATILE_READ, "volatile read")                                                              \
    X(VOLATILE_WRITE, "volatile write")                                                            \
    X(LOAD, "load")                                                                                \
    X(STORE, "store")                                                                              \
    X(EXCHANGE, "exchange")                                                                        \
    X(FETCH_ADD, "fetch_add")                                                                      \
    X(FETCH_SUB, "fetch_sub")                                                                      \
    X(FETCH_AND, "fetch_and")                                                                      \
    X(FETCH_OR, "fetch_or")                                                                        \
    X(FETCH_XOR, "fetch_xor")                                                                      \
    X(FETCH_NAND, "fetch_nand")                                                                    \
    X(CAS_OK, "compare_exchange")                                                                  \
    X(CAS_FAIL, "compare_exchange fails")                                                          \
    X(FENCE, "fence")                                                                              \
    X(MALLOC, "malloc")                                                                            \
    X(FREE, "free")                                                                                \
    X(CREATE, "create thread")                                                                     \
    X(START, "starts")                                                                             \
    X(EXIT, "ends")                                                                                \
    X(JOIN, "join thread")                                                                         \
    X(DETACH, "detach thread")                                                                     \
    X(LOCK, "lock")                                                                                \
    X(TRYLOCK, "trylock")                                                                          \
    X(UNLOCK, "unlock")                                                                            \
    X(RDLOCK, "read lock")                                                                         \
    X(WRLOCK, "write lock")                                                                        \
    X(COND_WAIT, "condition wait")                                                                 \
    X(COND_WAKE, "wakes from condition")                                                           \
    X(COND_SIGNAL, "condition signal")                                                             \
    X(COND_BROADCAST, "condition broadcast")                                                       \
    X(BARRIER, "barrier wait")                                                                     \
    X(BARRIER_PASS, "passes barrier")                                                              \
    X(SEM_WAIT, "semaphore wait")                                                                  \
    X(SEM_POST, "semaphore post")                                                                  \
    X(FUTEX_WAIT, "futex wait")                                                                    \
    X(FUTEX_WAKE, "futex wake")                                                                    \
    X(ONCE, "once")                                                                                \
    X(ONCE_DONE, "once done")                                                                      \
    X(TIMEOUT, "times out")                                                                        \
    X(SPURIOUS, "spurious wake-up")                                                                \
    X(YIELD, "yield")                                                                              \
    X(SLEEP, "sleep")                                                                              \
    X(SPIN, "a loop that changes nothing")                                                         \
    X(BLOCKED, "blocks")                                                                           \
    X(FAULT, "faults")                                                                             \
    X(CALL, "calls")                                                                               \
    X(RETURN, "returns")                                                                           \
    X(EFFECT, "takes effect")

enum pl_event_kind {
#define X(name, word) PL_EVENT_##name,
    PL_EVENT_TABLE(X)
#undef X
        PL_EVENT_COUNT
};

/* C11 orders as the compilers pass them; PL_ORDER_NONE for plain accesses and calls. */
enum pl_memory_order {
    PL_ORDER_RELAXED,
    PL_ORDER_CONSUME,
    PL_ORDER_ACQUIRE,
    PL_ORDER_RELEASE,
    PL_ORDER_ACQ_REL,
    PL_ORDER_SEQ_CST,
    PL_ORDER_NONE = 255,
};

struct pl_wire_event {
    uint64_t address; /* of the memory or the modelled object; 0 where there is none */
    uint64_t value;   /* read (READ, LOAD, CAS_FAIL, old value of RMW), written (STORE), size
                         (MALLOC), thread (CREATE, JOIN), result 0/errno (TRYLOCK, TIMEOUT) */
    uint64_t value2;  /* what a read-modify-write or CAS_OK wrote */
    uint32_t stack;   /* index into stacks, 0 = none */
    uint32_t from;    /* 1 + index (within this trace), else 0: for a read of the write it read, for
                         a stale STORE of the write made before it that comes after it in co */
    uint32_t size;    /* of the access in bytes */
    uint8_t kind;     /* enum pl_event_kind */
    uint8_t thread;
    uint8_t order; /* enum pl_memory_order */
    uint8_t flags; /* PL_EVENT_F_ */
};
enum {
    PL_EVENT_F_VALUE = 1, /* `value` is known */
    PL_EVENT_F_STALE = 4, /* a write that comes after what it read, or wrote, in co had been made */
    PL_EVENT_F_SWITCH = 2, /* another thread was running before and could have gone on */
};

enum {
    PL_FINDING_F_UNSTABLE = 1, /* the traced run did not show it again: the program depends on
                                  something outside our control */
    PL_FINDING_F_ATOMIC = 2,   /* race: this access was atomic */
    PL_FINDING_F_OTHER_ATOMIC = 4,
    PL_FINDING_F_WRITE = 8, /* this access was a write */
    PL_FINDING_F_OTHER_WRITE = 16,
    PL_FINDING_F_SC = 64,        /* explore, not under sc: found under sc, too */
    PL_FINDING_F_NOT_SC = 128,   /* likewise: not there under sc */
    PL_FINDING_F_UNORDERED = 32, /* use after free: seen by order, not by time (not ordered after
                                    the malloc or before the free) */
};

struct pl_wire_finding {
    uint32_t kind; /* enum pl_finding_kind */
    uint32_t flags;
    uint64_t execution; /* its number, from 0 */
    uint64_t seed;      /* of this execution alone */
    uint64_t steps;     /* at which it was seen */
    uint64_t address;   /* of the access, the fault, the block */
    uint64_t block;     /* heap: start of the block that concerns it, 0 = none */
    uint64_t block_size;
    uint64_t blocked; /* deadlock: bit per blocked thread */
    uint32_t size;
    uint32_t code;                 /* signal number, exit status, leaked blocks */
    uint32_t thread, other_thread; /* other: the earlier access; who freed it */
    uint32_t alloc_thread, free_thread;
    uint32_t stack, other_stack; /* of the access; of the earlier access */
    uint32_t alloc_stack, free_stack;
    uint32_t first_event, events;     /* its trace, in events[] */
    uint32_t dropped;                 /* events of the execution before the first one kept */
    uint32_t this_event, other_event; /* 1 + index within the trace, 0 = not there */
    uint32_t first_choice, choices;   /* in bytes[]: one byte a choice, to replay it */
    uint32_t text, text_length;       /* in bytes[]: assertion text, message of abort, … */
    uint32_t output, output_length; /* in bytes[]: what the execution wrote to stdout and stderr */
    uint32_t waits_for[PL_MAX_THREADS]; /* deadlock: 1 + thread it waits for, 0 = no single one */
    uint64_t waits_at[PL_MAX_THREADS];  /* object it is blocked on */
    uint32_t waits_stack[PL_MAX_THREADS];
    uint8_t waits_kind[PL_MAX_THREADS]; /* enum pl_event_kind it is blocked in */
    uint8_t called[PL_MAX_THREADS];     /* 1 + the number by which a thread is to be called; 0: by
                                           its own */
};

struct pl_wire_range {
    uint64_t start, end; /* code addresses as in the running process */
    uint32_t rule;
    uint32_t pad;
};

/*
 * `plumb check`: the test an execution runs. The invocations of a test are numbered: those of
 * the initial sequence, of each column, of the final sequence. Column 0 is main.
 */
enum {
    PL_CHECK_COLUMNS = 16, /* with main */
    PL_CHECK_OPERATIONS = 31,
    PL_CHECK_RESPONSE = 128, /* bytes of one response */
    PL_CHECK_NAMES = 1 << 15,
    PL_CHECK_TABLE = 200, /* operations of a subject */
    PL_CHECK_STEPS = 64,  /* of a written spec */
    PL_SPEC_STATE = 1024, /* bytes of its state */
    PL_SPEC_ANSWERS = 64, /* of one step */
    PL_CHECK_MARKS = 32,  /* lines about them */
    PL_CHECK_ARGUMENTS = 3,
    PL_CHECK_DOMAIN = 16, /* values of an argument */
    PL_CHECK_RING = 1 << 24,
    PL_CHECK_EFFECTS = 64, /* points of one execution */
    PL_CHECK_CANDIDATES = 512,
    PL_CHECK_ANSWERS = 16,      /* different ones of an invocation that have a number */
    PL_CHECK_VECTORS = 1 << 12, /* answers of all invocations, likewise */
    PL_CHECK_LINE_STEPS = 1 << 22,
    PL_CHECK_STATES = 1 << 12, /* of which all steps are told ahead */
    PL_CHECK_KEYS = 1 << 22,   /* of histories that were there: runtime/given.c */
};
enum pl_check_mode {
    PL_CHECK_OFF,
    PL_CHECK_ON,
    PL_CHECK_SHOW,
    PL_CHECK_SHOW_SERIAL,
    PL_CHECK_LIST,
    PL_CHECK_SPEC,      /* answer for the written spec until `stop` */
    PL_CHECK_SEQUENCES, /* run sequences of the test's invocations, as they are asked for */
};
struct pl_wire_check {
    uint8_t mode;                           /* enum pl_check_mode */
    uint8_t columns;                        /* with main */
    uint8_t init, final;                    /* invocations of main before and after the rest */
    uint8_t length[PL_CHECK_COLUMNS];       /* of each column; main: init + final */
    uint8_t operation[PL_CHECK_OPERATIONS]; /* of each invocation: place in the subject's table */
    int64_t argument[PL_CHECK_OPERATIONS][PL_CHECK_ARGUMENTS];
    uint8_t serial[PL_CHECK_OPERATIONS]; /* SHOW_SERIAL: whose turn it is, by column */
    uint8_t no_serial;                   /* the spec is given: no serial runs */
    uint8_t publication;                 /* enum pl_publication */
    uint8_t points;                      /* and where operations took effect: PLUMB_POINT */
    uint8_t infer;                  /* instead of that, where they could have: their accesses */
    uint8_t only_serial;            /* a golden implementation: nothing else */
    uint8_t no_histories;           /* none is asked for */
    uint8_t lines;                  /* enum pl_lines */
    uint32_t start;                 /* the spec's first state, there */
    uint8_t shown;                  /* SHOW: enum pl_finding_kind to show it as */
    uint8_t like[PL_CHECK_COLUMNS]; /* columns with the same number are alike but for the value
                                       that they put in; 0: like no other */
    uint8_t late_calls; /* SHOW: a thread makes its next call when it is its turn, no sooner */
    uint8_t shortest;   /* SHOW: with the fewest preemptions, in the order of `after` */
    uint32_t after[PL_CHECK_OPERATIONS]; /* of each invocation: those that have returned before */
};

/* What the values of a response are. */
enum pl_response_kind {
    PL_RESPONSE_VOID,
    PL_RESPONSE_SIGNED,
    PL_RESPONSE_UNSIGNED,
    PL_RESPONSE_BOOL,
    PL_RESPONSE_POINTER,
    PL_RESPONSE_FLOAT,
    PL_RESPONSE_BYTES,
    PL_RESPONSE_EMPTY,
    PL_RESPONSE_TEXT,
    PL_RESPONSE_BLOCKS, /* of a written spec only */
    PL_RESPONSE_THROWS, /* an exception has left the call: the name of its type, mangled */
};

/*
 * A pointer into the heap, in a response, is named by the allocation that the block is of, for its
 * address may be another's before and after:
 *
 *   | PL_BLOCK_TAG: 16 | whose: 6 | which of those: 10 | bytes from its start: 32 |
 *
 * whose: the number of the invocation that made it; outside of them PL_BLOCK_THREAD + the thread.
 */
enum { PL_BLOCK_TAG = 0x7b1c, PL_BLOCK_THREAD = 32, PL_BLOCK_OWNERS = 64, PL_BLOCK_NUMBERS = 1024 };

/* LIST: an operation of the subject's table. Texts are places in `names`; 0: none. */
struct pl_wire_operation {
    uint32_t name, group;
    uint32_t limit;   /* most calls in a test; 0: any number */
    uint8_t is_table; /* it has arguments of its own: it is not the text of a call */
    uint8_t blocking, may_fail, late, data_independent;
    uint8_t values[PL_CHECK_ARGUMENTS]; /* in the domain of each argument */
    int64_t value[PL_CHECK_ARGUMENTS][PL_CHECK_DOMAIN];
};

/* X(name, word): what kind of access a candidate for a point is. */
#define PL_ACCESS_TABLE(X)                                                                         \
    X(LOAD, "load")                                                                                \
    X(STORE, "store")                                                                              \
    X(UPDATE, "read-modify-write")                                                                 \
    X(CAS, "compare_exchange")                                                                     \
    X(CAS_FAILS, "compare_exchange that fails")                                                    \
    X(LOCK, "lock")
enum pl_access_kind {
#define X(name, word) PL_ACCESS_##name,
    PL_ACCESS_TABLE(X)
#undef X
};

/* A point: where an operation took effect, as its thread, or one that helped it, said. */
struct pl_wire_effect {
    uint64_t before,
        after;             /* calls and returns (2i, 2i + 1) that come before it, that come after */
    uint64_t earlier;      /* points that come before it */
    uint64_t with;         /* the other points of the same access */
    uint64_t past, future; /* calls and returns, in the order of the points (graph/effects.h) */
    uint64_t pc;           /* of the mark */
    uint8_t operation;     /* whose it is */
    uint8_t by;            /* the operation that passed the mark: another one if it helped, or
                              PL_BY_THREAD; of a candidate enum pl_access_kind */
    uint8_t pad[6];
};
enum { PL_BY_THREAD = 0xff }; /* a thread that the object made for itself */

/*
 * One history on its way to the tool, in the ring `history` of the wire. Behind it, without gaps:
 * uint64_t before[2 * operations]; if it has clients, uint64_t cause[2 * operations],
 * global[2 * operations] and uint32_t barred[operations] (graph/clients.h); if publication is asked
 * for, uint32_t passed[operations], the calls that happen before the return; if points are, or
 * candidates for them, a uint64_t with their number and so many struct pl_wire_effect, of a history
 * with clients also uint64_t reach[2 * operations] (graph/effects.h); for each operation that
 * returned a byte of length and so many of response (values: enum pl_response_kind, size, bytes);
 * `stored` bytes, if the graph has to be asked (uint16_t thread, call, return of each operation,
 * and the graph as graph/store.h has it); `graph` bytes that show it again: `prefix` of them and
 * the outline of the graph (graph/store.h), if it has one, or a script.
 */
enum pl_history_clients { PL_CLIENTS_NONE, PL_CLIENTS_EXACT, PL_CLIENTS_ASK };
enum pl_history_kind { PL_HISTORY_SERIAL, PL_HISTORY_WHOLE, PL_HISTORY_STUCK, PL_HISTORY_WRAP };
struct pl_wire_history {
    uint32_t bytes; /* of all, a multiple of 8 */
    uint32_t graph, stored, prefix;
    uint64_t execution;
    uint64_t distinct;                  /* how many there were with it, serial ones aside */
    uint64_t executions, blocked;       /* likewise */
    uint32_t vector;                    /* all answers, PL_CHECK_VECTORS: without a number */
    uint32_t key;                       /* of all but `global`; PL_CHECK_KEYS: none */
    uint32_t called, returned;          /* bit per invocation */
    uint8_t kind;                       /* enum pl_history_kind */
    uint8_t clients;                    /* enum pl_history_clients */
    uint8_t operations;                 /* of the test */
    uint8_t ran;                        /* serial: how many were called, and in which order: */
    uint8_t order[PL_CHECK_OPERATIONS]; /* invocations. Whole: the answer of each, or
                                           PL_CHECK_ANSWERS: without a number */
    uint8_t outlined; /* there is an outline; then, who moves only if nobody else can: */
    uint8_t late;     /* a thread */
};

/* Histories say what happens before their returns; and what has to be is told by pairs. */
enum pl_publication { PL_PUBLICATION_OFF, PL_PUBLICATION_ON, PL_PUBLICATION_BY_PAIRS };

/*
 * What the tool has found out of the spec while it decided histories, so that the process can
 * explain others itself, by one line (graph/line.h), and need not send them. Answers have numbers,
 * in the order in which the process met them; the tool learns them with the histories it gets.
 * What stands here never changes; what does not yet is 0.
 */
enum pl_lines {
    PL_LINES_OFF,
    PL_LINES_ON,
    PL_LINES_IN_STEP, /* the process waits until the tool has taken what it sent: for our tests */
};
enum { PL_LINES_REFUSED = 1, PL_LINES_FIRST = 2 /* plus a state */ };
enum pl_settled { PL_SETTLED_UNKNOWN, PL_SETTLED, PL_SETTLED_NOT };
struct pl_wire_lines {
    /* If publication is asked for, and of some specs (check/publish.h) that is: the invocations
     * that bring about the answer of j, if their own is this: bringers[j][answer of j][own]. One of
     * those has to be in `passed` of j. All is there of answers that both are `told`. */
    uint8_t told[PL_CHECK_OPERATIONS][PL_CHECK_ANSWERS];
    uint32_t bringers[PL_CHECK_OPERATIONS][PL_CHECK_ANSWERS][PL_CHECK_ANSWERS];
    /* Of the others: a history with these answers was decided and is good, and as far as that goes
     * others are as long as `needed` of each invocation is in its `passed`: needed[vector *
     * operations]. */
    uint8_t decided[PL_CHECK_VECTORS];
    uint32_t needed[PL_CHECK_VECTORS * PL_CHECK_OPERATIONS];
    /* [(state * operations + invocation) * PL_CHECK_ANSWERS + answer] */
    uint16_t step[PL_CHECK_LINE_STEPS];
    /* Of each key: are histories that have it good whatever their `global` is? */
    uint8_t settled[PL_CHECK_KEYS]; /* enum pl_settled */
    /* The tool's own notes: the answers, states of which it has told the steps, and how many. */
    int64_t answer[PL_CHECK_OPERATIONS][PL_CHECK_ANSWERS];
    uint8_t met[PL_CHECK_STATES];
    uint32_t ahead;
};

/*
 * SPEC, SEQUENCES: the tool asks. It counts `asked` up, the process `answered`; both sleep on the
 * other's count (futex).
 */
struct pl_wire_question {
    volatile uint32_t asked, answered;
    /* SEQUENCES: invocations of options.check, the test, in any order and not all of them; what
     * came of each way to run them is in the ring before the answer: at most two ways, which then
     * contradict each other. */
    uint8_t count, invocation[PL_CHECK_OPERATIONS];
};

/* SPEC: what a step of the written spec answers in a state. */
struct pl_wire_spec {
    uint32_t step; /* PL_CHECK_STEPS: the start */
    int64_t argument[PL_CHECK_ARGUMENTS];
    uint8_t state[PL_SPEC_STATE];
    uint32_t contradicts; /* asked twice, it answered otherwise */
    uint32_t answers;
    struct pl_wire_answer {
        uint32_t length; /* of the response */
        uint8_t response[PL_CHECK_RESPONSE];
        uint8_t state[PL_SPEC_STATE];
    } answer[PL_SPEC_ANSWERS];
};

enum pl_races { PL_RACES_REPORT, PL_RACES_ALLOW, PL_RACES_OFF };

struct pl_wire_options {
    uint64_t seed;
    uint64_t first;       /* number of the first execution */
    uint64_t stride;      /* 1; N with N processes side by side */
    uint64_t executions;  /* how many executions in all (numbers below it); 0 = until `stop` */
    uint64_t max_steps;   /* of one execution */
    uint32_t unroll;      /* explore: most rounds of a loop; 0 = no limit */
    uint32_t preemptions; /* explore, sc: 1 + the most of an execution; 0 = any number */
    uint32_t nondet; /* how many values of a __VERIFIER_nondet_… of a wide type; 0 = PL_NONDET */
    uint32_t stack_kib; /* of a thread */
    uint32_t facts;     /* sharing: the file of what is known in common (explore/facts.h) */
    uint32_t replay;    /* choices in bytes[0, replay): run that one execution; 0 = random */
    uint8_t replaying;  /* 1: replay (also with zero choices) */
    uint8_t races;      /* enum pl_races */
    uint8_t volatile_plain;
    uint8_t reuse_off;
    uint8_t leaks;
    uint8_t spurious; /* condition variables and weak compare-exchange may wake or fail */
    uint8_t keep_going;
    uint8_t limited;  /* explore: it may end before all is explored, by time or number */
    uint8_t robust;   /* explore: keep the smallest execution that is not sequentially consistent */
    char explore[8];  /* the memory model: every execution, not random ones; "" = random */
    uint8_t symmetry; /* threads that do the same may be renamed: one execution for all names */
    uint8_t helping;  /* check: threads leave to each other what they could help with */
    uint8_t beyond_too;      /* findings with more preemptions than that are shown, too */
    uint8_t sharing;         /* explore: one of several; all but the first wait for work */
    uint8_t resumes;         /* explore, sharing: all wait for work, the first one, too */
    uint8_t uncounted;       /* explore: only findings count, others have explored it all */
    uint8_t strategy, depth; /* of explore: enum pl_sample_kind, 0 = every execution; of pct */
    uint8_t expect_hang;     /* replay of a hang: see trace.c */
    uint8_t float_control;   /* the program's own code sets rounding modes and the like */
    uint8_t thread_pointer;  /* the program may look at it: a switch must set it */
    uint8_t unseen;          /* part of the program's own code is not instrumented */
    uint8_t coverage;        /* the program has stores to PL_COVER */
    uint8_t gdb;             /* call plumb_stop_here() at the finding */
    struct pl_wire_check check;
    uint32_t ranges, rules;
    uint32_t pauses;               /* pause instructions in the program's own code: they yield */
    uint64_t pause[PL_MAX_PAUSES]; /* their addresses */
    struct pl_wire_range range[PL_MAX_RANGES]; /* sorted by start */
};

enum pl_want {
    PL_WANT_NOTHING,
    PL_WANT_WORK,  /* the tool asks */
    PL_WANT_DONE,  /* it is given */
    PL_WANT_BATCH, /* draining: several are given, each after its number of bytes (uint32_t) */
};

struct pl_wire {
    uint64_t magic;
    uint64_t bytes_total;   /* of the file */
    volatile uint32_t stop; /* the tool asks: end after this execution */
    volatile uint32_t poke; /* the tool asks (with SIGALRM): is the heartbeat still `poke_at`? */
    volatile uint64_t poke_at;

    char maps[PL_MAX_MAPS];       /* the text of /proc/self/maps, once `ready` */
    volatile uint32_t ready;      /* 1: main is about to run */
    volatile uint32_t done;       /* 1: ended by itself, in order */
    volatile uint32_t findings;   /* complete ones */
    volatile uint32_t repeats;    /* findings seen again (same kind and place), not written */
    volatile uint64_t executions; /* complete ones */
    volatile uint64_t blocked;    /* given up part way: a finding, a step limit */
    volatile uint64_t cut;        /* of which by the step limit with the program still at work */
    volatile uint64_t steps;      /* of all finished executions */
    volatile uint64_t current;    /* number of the execution under way */
    volatile uint32_t depth;      /* explore: events of the longest execution so far */
    volatile uint64_t heartbeat;  /* grows while steps are made */
    volatile uint64_t beyond;     /* --preemptions: graphs and findings left out */
    volatile uint32_t renamed;    /* check: some executions stand for others with other names */
    volatile uint64_t weak;       /* --robust: executions that are not sequentially consistent */
    /* explore: names of places, see explore/passing.c; more than there is room for are counted
     * only; marks, see explore/left_out.c */
    struct pl_passing {
        struct pl_passed {
            uint64_t written[PL_PASSINGS], met[PL_PASSINGS];
            uint32_t writtens, mets;
        } of[PL_PASSING_KINDS];
        uint8_t mark[PL_OUT_MARKS];
    } passing;
    volatile uint32_t woken_once; /* --spurious: a thread could have woken for no reason again */
    volatile uint32_t bounded;    /* of the values of a wide __VERIFIER_nondet_… only so many */
    /* explore: walks through the search tree, the executions they stand for, and squares of it */
    volatile uint64_t walks;
    volatile double walks_sum, walks_squares;
    volatile uint64_t pct_length; /* explore, pct: events its changes are among; 0: not known */
    volatile uint32_t exhausted;  /* explore: there is no other execution */
    /* explore, sharing: work goes from one process through the tool to another */
    volatile uint64_t allowed;      /* it makes no more executions than so many for now */
    volatile uint32_t idle;         /* it has nothing left to do */
    volatile uint32_t want;         /* enum pl_want */
    volatile uint32_t drain;        /* the tool asks: hand over everything */
    volatile uint32_t given, taken; /* bytes in work[]: by the process, for the process */
    volatile uint32_t wants_again;  /* all must begin again, with what is known now */
    volatile uint32_t threads;      /* most threads in an execution */
    volatile uint32_t events, stack_words, bytes; /* used so far */
    volatile uint64_t suppressed[PL_MAX_SUPPRESSIONS];
    /* check: bytes of histories written and taken so far; the ring is full when they differ by
     * its size. Which serial order is under way, by column. */
    volatile uint64_t sent, received;
    volatile uint64_t distinct, explained; /* histories; of which by a line, in the process */
    volatile uint64_t unknown; /* histories that met a step that is not in `lines` yet */
    volatile uint64_t serial_runs;
    uint64_t serial_sum; /* over them, of their orders and answers: the same for the same spec */
    volatile uint8_t serial_phase;
    volatile uint8_t setting_up; /* the subject's setup is under way */
    uint8_t serial[PL_CHECK_OPERATIONS];
    /* SHOW: what the invocations of the execution shown have answered; bit for each that has. */
    struct pl_wire_answers {
        uint32_t returned;
        uint8_t length[PL_CHECK_OPERATIONS];
        uint8_t response[PL_CHECK_OPERATIONS][PL_CHECK_RESPONSE];
    } shown;
    /* Bit per invocation, of all executions: it answered; and a variable that stands behind `->`
     * was looked at, too. */
    volatile uint64_t answered, looked_at;
    /* LIST: the subject's table, and lines about it ("group", "push,pop") */
    uint32_t table_count, mark_count;
    struct pl_wire_operation table[PL_CHECK_TABLE];
    uint32_t mark[PL_CHECK_MARKS][2]; /* places in `names` */
    char names[PL_CHECK_NAMES];       /* texts, each with its end; the first is empty */
    char spec[64];                    /* empty: none */
    uint32_t step_count, step[PL_CHECK_STEPS], state_bytes; /* names of the written spec's steps */
    struct pl_wire_question question;
    struct pl_wire_spec written;
    char title[64];  /* likewise */
    char error[512]; /* a clear sentence: the subject asks for what cannot be done; verdict error */
    uint64_t error_pc;
    uint32_t error_call, error_steps; /* check: 1 + the invocation under way, its steps; 0: none */

    struct pl_wire_options options;
    struct pl_wire_finding finding[PL_MAX_FINDINGS];
    struct pl_wire_event event[PL_MAX_EVENTS];
    uint64_t stack[PL_MAX_STACK_WORDS];
    uint8_t work[PL_MAX_WORK];
    uint8_t byte[PL_MAX_BYTES];
    uint8_t history[PL_CHECK_RING];
    struct pl_wire_lines lines;
    /* coverage: mapped at PL_COVER, too; the program's own stores set bytes */
    uint8_t reached[PL_COVER_BYTES] __attribute__((aligned(4096)));
};
#define PL_STACK_EXACT (1u << 31) /* in the depth word: the innermost address is of a fault */

#endif
