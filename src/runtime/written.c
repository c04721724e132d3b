/*
 * A spec that the user wrote (plumb/spec.h), run here for the tool: a step that crashes or never
 * ends takes this process down and not the tool.
 *
 * A step is run once for every way its plumb_choose can go: like a clock, the last choice moves on
 * first. Then all of them once more: a step that answers otherwise depends on something that is
 * not in its state, and no verdict could be trusted.
 */
#include <plumb/check.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/harness.h"

enum { MOST_CHOICES = 32, GUARD = 64, GUARD_BYTE = 0xa5 };

static struct {
    bool running;
    uint8_t at[MOST_CHOICES], of[MOST_CHOICES];
    unsigned depth; /* in this run of the step */
    unsigned known; /* choices that are given */
} choice;

unsigned pl_written_choose(unsigned n)
{
    if (!choice.running)
        return 0;
    if (choice.depth == MOST_CHOICES)
        pl_unsupported("a step of the spec makes more than 32 choices", 0);
    if (choice.depth == choice.known) {
        choice.at[choice.known] = 0;
        choice.of[choice.known++] = (uint8_t)(n - 1);
    }
    return choice.at[choice.depth++];
}

/* To the next way; false: that was the last. */
static bool next_way(void)
{
    while (choice.known && choice.at[choice.known - 1] == choice.of[choice.known - 1])
        choice.known--;
    if (!choice.known)
        return false;
    choice.at[choice.known - 1]++;
    return true;
}

/* The state with a guard behind it. */
static uint8_t state[PL_SPEC_STATE + GUARD] __attribute__((aligned(64)));

static void begin(const uint8_t *from)
{
    memset(state, 0, sizeof state);
    if (from)
        memcpy(state, from, rt.wire->state_bytes);
    memset(state + rt.wire->state_bytes, GUARD_BYTE, GUARD);
}

static void check_guard(const char *step)
{
    static const char before[] = "the step ", after[] =
                                                  " of the spec writes past its state, which has "
                                                  "no room for what the test puts into it";
    static char sentence[sizeof before + 40 + sizeof after];
    for (unsigned i = 0; i < GUARD; i++)
        if (state[rt.wire->state_bytes + i] != GUARD_BYTE) {
            size_t length = strnlen(step, 40);
            memcpy(sentence, before, sizeof before - 1);
            memcpy(sentence + sizeof before - 1, step, length);
            memcpy(sentence + sizeof before - 1 + length, after, sizeof after);
            pl_unsupported(sentence, 0);
        }
}

static bool same(const struct pl_wire_answer *a, const struct pl_wire_answer *b)
{
    return a->length == b->length && memcmp(a->response, b->response, a->length) == 0 &&
           memcmp(a->state, b->state, sizeof a->state) == 0;
}

static void run_step(const struct plumb_step *step, struct pl_wire_answer *out)
{
    struct pl_wire_spec *w = &rt.wire->written;
    plumb_args arguments;
    for (unsigned i = 0; i < PLUMB_ARGUMENTS; i++)
        arguments.i[i] = w->argument[i];
    begin(w->state);
    choice.depth = 0;
    choice.running = true;
    plumb_result result = step->step(state, arguments);
    choice.running = false;
    check_guard(step->name);
    memset(out, 0, sizeof *out);
    if (result.used < 2 || result.used > sizeof out->response)
        pl_unsupported("a step of the spec returns no result, or one of more than 126 bytes", 0);
    out->length = result.used;
    memcpy(out->response, result.bytes, result.used);
    if (result.bytes[0] != PLUMB_BLOCKS)
        memcpy(out->state, state, rt.wire->state_bytes);
}

static bool is_known(const struct pl_wire_answer *a)
{
    const struct pl_wire_spec *w = &rt.wire->written;
    for (uint32_t i = 0; i < w->answers; i++)
        if (same(&w->answer[i], a))
            return true;
    return false;
}

static void answer(const struct plumb_step *step)
{
    static struct pl_wire_answer one;
    struct pl_wire_spec *w = &rt.wire->written;
    unsigned ways = 0, again = 0;
    w->answers = w->contradicts = 0;
    choice.known = 0;
    do {
        run_step(step, &one);
        ways++;
        if (is_known(&one))
            continue;
        if (w->answers == PL_SPEC_ANSWERS)
            pl_unsupported("a step of the spec has more than 64 answers", 0);
        w->answer[w->answers++] = one;
    } while (next_way());
    choice.known = 0;
    do {
        run_step(step, &one);
        again++;
        w->contradicts |= !is_known(&one);
    } while (again <= ways && next_way());
    w->contradicts |= again != ways;
}

_Noreturn void pl_written_serve(const struct plumb_subject *subject)
{
    struct pl_wire_spec *w = &rt.wire->written;
    rt.active = false; /* from here on only the spec runs: nothing is to be explored */
    pl_harness_list(subject);
    for (;; pl_answer()) {
        if (!pl_wait_for_question())
            syscall(SYS_exit_group, 0);
        if (w->step < subject->steps) {
            answer(subject->step[w->step]);
        } else {
            begin(NULL);
            if (subject->start)
                subject->start(state);
            check_guard("PLUMB_START");
            memcpy(w->answer[0].state, state, rt.wire->state_bytes);
        }
    }
}
