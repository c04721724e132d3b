/*
 * A test: which invocations each thread makes, in which order; an initial and a final sequence
 * that run alone. Written `enq(1),deq() | enq(2)`, a part for each thread.
 *
 * Invocations of a test are numbered: those of the initial sequence, of each thread, of the
 * final sequence. Thread 0 is main, which makes the initial and the final ones.
 */
#ifndef PL_PLAN_TEST_H
#define PL_PLAN_TEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/prng.h"
#include "base/strbuf.h"
#include "plan/call.h"

enum { PL_TEST_THREADS = 16, PL_TEST_OPERATIONS = 31 };

struct pl_test {
    uint8_t threads;     /* with main */
    uint8_t init, final; /* how many */
    uint8_t length[PL_TEST_THREADS];
    uint8_t operation[PL_TEST_OPERATIONS]; /* of each invocation: which call */
};

unsigned pl_test_count(const struct pl_test *test); /* of invocations */
/* Who makes an invocation; which of its thread's it is. */
unsigned pl_test_thread(const struct pl_test *test, unsigned invocation);

/* `init` and `final` are sequences, `enq(1),enq(2)`; NULL: none. The text may have its own, as
 * pl_test_print writes them; NULL: main is the only thread. Errors: PL_ERR_INPUT. */
enum pl_status pl_test_parse(struct pl_test *out, const char *text, const char *init,
                             const char *final, const struct pl_call *calls, size_t count,
                             struct pl_error *error);
/* The matrix as it is parsed; with the sequences around it, if there are any. */
void pl_test_print(const struct pl_test *test, const struct pl_call *calls, struct pl_strbuf *out);

/*
 * Every test of so many threads with so many invocations each, once up to a renaming of threads:
 * cells hold the columns one after the other, in an order that does not fall. Starts with all
 * zero; false: that was the last.
 */
bool pl_test_next(uint8_t *cells, unsigned threads, unsigned length, unsigned calls);
/* How many of them there are; UINT64_MAX if that is more than 64 bits hold. */
uint64_t pl_test_all(unsigned threads, unsigned length, unsigned calls);
void pl_test_draw(uint8_t *cells, unsigned threads, unsigned length, unsigned calls,
                  struct pl_prng *prng);

/* Without one invocation; a thread without any is gone, too. */
void pl_test_without(const struct pl_test *test, unsigned invocation, struct pl_test *out);

#endif
