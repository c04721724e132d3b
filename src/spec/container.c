/*
 * Containers with a take that answers one certain value, or empty: queue, stack, priority queues.
 * State: the values; of a queue first to last, of a stack from the bottom up, of a priority queue
 * (whose values are numbers) so that the one to be taken next is the last.
 */
#include "spec/spec.h"

enum kind { QUEUE, STACK, LEAST_FIRST, GREATEST_FIRST };

/* Where a value belongs in a priority queue. */
static uint32_t place_of(const struct pl_state *s, pl_value v, enum kind kind)
{
    uint32_t low = 0, high = s->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (kind == LEAST_FIRST ? s->at[middle] > v : s->at[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static inline bool step(enum kind kind, const struct pl_state *from, const struct pl_operation *o,
                        unsigned which, struct pl_state *to, pl_value *result)
{
    if (which)
        return false;
    if (o->code == PL_PUT) {
        bool sorted = kind == LEAST_FIRST || kind == GREATEST_FIRST;
        pl_state_copy(to, from, 1);
        pl_state_insert(to, sorted ? place_of(to, o->argument[0], kind) : to->count,
                        o->argument[0]);
        *result = PL_NIL;
        return true;
    }
    if (!from->count)
        return pl_step_stay(from, o, to, PL_NIL, result);
    uint32_t place = kind == QUEUE ? 0 : from->count - 1;
    *result = from->at[place];
    if (!pl_agrees(o, *result))
        return false;
    pl_state_copy(to, from, 0);
    pl_state_remove(to, place);
    return true;
}

/* An empty take. */
static bool pure(const struct pl_operation *o)
{
    return o->code == PL_TAKE && o->result == PL_NIL;
}

bool pl_fits_put(const struct pl_operation *o)
{
    return o->argument[0] != PL_NIL; /* takes have none: 0 */
}

static bool fits_priority(const struct pl_operation *o)
{
    return o->code != PL_PUT || pl_is_number(o->argument[0]);
}

#define A_VALUE    PL_A_VALUE_PUT, pl_fits_put
#define A_PRIORITY "what is put into a priority queue is a whole number below 2^62", fits_priority

/* clang-format off */
#define CONTAINER(...) DEFINE(__VA_ARGS__)
#define DEFINE(variable, kind, called, helped, demands, fit, first, puts, takes)                   \
    static bool variable##_step(const struct pl_values *values, const struct pl_state *from,       \
                                const struct pl_operation *o, unsigned which,                      \
                                struct pl_state *to, pl_value *result)                             \
    {                                                                                              \
        (void)values;                                                                              \
        return step(kind, from, o, which, to, result);                                             \
    }                                                                                              \
    static const struct pl_word variable##_words[] = {                                             \
        {puts, PL_PUT, 1, PL_ANSWER_NONE},                                                         \
        {takes, PL_TAKE, 0, PL_ANSWER_TAKE},                                                       \
    };                                                                                             \
    const struct pl_spec pl_spec_##variable = {                                                    \
        .name = called,                                                                            \
        .help = helped,                                                                            \
        .words = {variable##_words, sizeof variable##_words / sizeof variable##_words[0]},         \
        .head = first,                                                                             \
        .start = pl_start_empty,                                                                   \
        .step = variable##_step,                                                                   \
        .pure = pure,                                                                              \
        .fits = fit,                                                                               \
        .demand = demands,                                                                         \
    }
/* clang-format on */

CONTAINER(fifo, QUEUE, "fifo", "queue: enq(v), deq() -> v or empty", A_VALUE, PL_HEAD_OLDEST,
          "enq|enqueue|put|push|add|append|offer|send|insert|write|produce|publish|pushback|tryenq|"
          "tryenqueue|tryput|trypush|tryoffer",
          "deq|dequeue|take|pop|poll|get|receive|recv|remove|read|consume|trydeq|trydequeue|"
          "trytake|trypop|trypoll|popfront");
CONTAINER(lifo, STACK, "lifo", "stack: push(v), pop() -> v or empty", A_VALUE, PL_HEAD_NEWEST,
          "push|put|add|enq|enqueue|insert|write|offer|pushfront|pushback|trypush",
          "pop|take|get|remove|deq|dequeue|trypop|trytake|read|poll|popfront|popback");
CONTAINER(pqueue, LEAST_FIRST, "pqueue",
          "priority queue: insert(v), take() -> the least v or empty", A_PRIORITY, PL_HEAD_BEST,
          "insert|put|add|push|enq|enqueue|offer",
          "take|takemin|removemin|deletemin|delmin|extractmin|popmin|pop|poll|deq|dequeue|remove|"
          "get");
CONTAINER(max_pqueue, GREATEST_FIRST, "max-pqueue",
          "priority queue: insert(v), take() -> the greatest v or empty", A_PRIORITY, PL_HEAD_BEST,
          "insert|put|add|push|enq|enqueue|offer",
          "take|takemax|removemax|deletemax|delmax|extractmax|popmax|pop|poll|deq|dequeue|remove|"
          "get");
