/*
 * What `plumb stress` shares with the natively compiled subject: one file that both map.
 *
 *   tool                            subject: the server            its child, one a round
 *   waits for a FULL place   ◄──    forks, waits for its end  ◄──  setup, threads, final calls
 *   reads it, makes it FREE  ──►    next round
 *
 * There are two places, so that one is decided while the next is filled. Every round has a process
 * of its own: the subject's variables are as they were at the start, whatever it has no setup for,
 * and a crash takes only its round down.
 *
 * A round of several windows fills a place with each. Between two the threads meet, so that no
 * call is under way; the child itself says FULL and goes on in the other place. The place of the
 * last window (of a crash, too) is made FULL by the server, as `last`.
 *
 * Behind the struct: for each round and each thread `room` bytes of records. A record is a
 * struct pl_stress_record and `length` bytes of response (values: enum pl_response_kind, size,
 * bytes), padded to eight.
 */
#ifndef PL_STRESS_WIRE_H
#define PL_STRESS_WIRE_H

#include <stdint.h>

#define PL_STRESS_MAGIC UINT64_C(0x706c756d62737472)
#define PL_STRESS_ENV   "PLUMB_STRESS_WIRE"

enum {
    PL_STRESS_THREADS = 64,
    PL_STRESS_CALLS = 256,
    PL_STRESS_ARGUMENTS = 3,
    PL_STRESS_RESPONSE = 128, /* bytes of one response */
    PL_STRESS_STACK = 32,
    PL_STRESS_ROUNDS = 2,
};

struct pl_stress_record {
    uint64_t call, ret; /* ticks of a clock that all processors share */
    uint16_t operation; /* which of the calls */
    uint8_t length;     /* of the response */
    uint8_t pad[5];
    int64_t argument; /* a value of its own, where the call takes one; else 0 */
};

enum pl_stress_state { PL_ROUND_FREE, PL_ROUND_FULL };

/* Each on a line of its own. An operation counts as under way until its record is complete, and
 * before its stamp is taken: it is, if `call` is not that of the last record. */
struct pl_stress_thread {
    volatile uint64_t used;      /* bytes of records */
    volatile uint64_t call;      /* of the operation under way */
    volatile int64_t argument;   /* likewise */
    volatile uint32_t under_way; /* 1 + operation, 0 = none */
    uint32_t pad[9];
};
_Static_assert(sizeof(struct pl_stress_thread) == 64, "a line");

struct pl_stress_round {
    volatile uint32_t state;
    uint32_t status; /* of the child, as of waitpid */
    volatile int32_t pid;
    uint64_t number;
    uint32_t window; /* of the round: 0, 1, … */
    uint32_t last;   /* the round is over */
    uint32_t whole;  /* likewise, and it came to its end by itself */
    uint32_t broken; /* the invariant did not hold */
    uint32_t full;   /* a thread ran out of room and ended early */
    /* A crash: who, and where. */
    volatile uint32_t signal, thread, depth;
    uint64_t address;
    uint64_t stack[PL_STRESS_STACK];
    struct pl_stress_thread of[PL_STRESS_THREADS + 1]; /* the last one used: main's */
};

/* A call that is drawn. */
struct pl_stress_call {
    uint16_t place; /* in the subject's table */
    uint8_t fresh;  /* 1 + the argument that is a new value each time; 0: none is */
    uint8_t group;  /* only one thread makes those of a group; 0: none */
    uint32_t limit; /* of calls in a round; 0: any number */
    int64_t argument[PL_STRESS_ARGUMENTS];
};

struct pl_stress_options {
    uint64_t seed;
    uint64_t room; /* bytes of a thread's records, a multiple of 8 */
    uint64_t rounds;
    uint32_t windows; /* of a long round, at most; the others have one */
    uint32_t every;   /* so many rounds, the last is a long one */
    uint32_t threads;
    uint32_t operations; /* of a thread in a window, at most; they differ in length */
    uint32_t processors; /* to pin threads to; 0: not pinned */
    uint32_t drain; /* 1 + the call that main makes at the end, and after some windows, until it
                       answers `empty` */
    uint32_t empty_length;
    uint8_t empty[PL_STRESS_RESPONSE];
    uint32_t calls;
    struct pl_stress_call call[PL_STRESS_CALLS];
};

struct pl_stress_wire {
    uint64_t magic, bytes_total;
    volatile uint32_t stop;
    volatile uint32_t ready, done;
    volatile uint64_t filled, taken; /* places, in all */
    volatile uint64_t enough;        /* 1 + a round that should end with its window under way */
    double cost_ns;                  /* of recording one operation, measured at the start */
    char error[256];
    struct pl_stress_options options;
    struct pl_stress_round round[PL_STRESS_ROUNDS];
};

static inline uint8_t *pl_stress_records(const struct pl_stress_wire *w, unsigned round,
                                         unsigned thread)
{
    uint8_t *first = (uint8_t *)(uintptr_t)(w + 1);
    return first + (round * (w->options.threads + 1u) + thread) * w->options.room;
}

#endif
