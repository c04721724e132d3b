/* Which tests are run: see check_parts.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/check_parts.h"
#include "plan/distinct.h"
#include "plan/marks.h"

static const double USUAL_SECONDS = 60;

static enum pl_status read_size(const char *text, unsigned *threads, unsigned *length,
                                struct pl_error *error)
{
    char end;
    if (sscanf(text, "%2ux%2u%c", threads, length, &end) != 2 || *threads < 1 || *length < 1 ||
        *threads >= PL_TEST_THREADS || *threads * *length > PL_TEST_OPERATIONS)
        return pl_fail(error, PL_ERR_INPUT,
                       "--size: '%s' is not THREADSxCALLS, as 3x2: at most %d threads and %d calls",
                       text, PL_TEST_THREADS - 1, PL_TEST_OPERATIONS);
    return PL_OK;
}

/* The option that a sentence is about, in front of it. */
static enum pl_status name_option(const char *option, enum pl_status status, struct pl_error *error)
{
    struct pl_error inner;
    if (!status)
        return PL_OK;
    inner = *error;
    return pl_fail(error, inner.status, "%s: %.900s", option, inner.text);
}

static enum pl_status read_test(const struct pl_checker *c, struct pl_test *out, const char *text,
                                struct pl_error *error)
{
    enum pl_status status = pl_test_parse(out, text, c->init, c->final, c->calls, c->count, error);
    status = status ? status : pl_marks_check(out, c->calls, error);
    return name_option("--test", status, error);
}

static enum pl_status read_tests(struct pl_checker *c, struct pl_error *error)
{
    enum pl_status status = PL_OK;
    c->given = calloc(c->tests.count + 1, sizeof *c->given);
    PL_ASSERT(c->given);
    for (size_t i = 0; i < c->tests.count && !status; i++) {
        struct pl_test *test = &c->given[c->given_count];
        status = read_test(c, test, c->tests.text[i], error);
        if (!status) {
            pl_distinct(test, c->calls, c->count);
            c->given_count++;
        }
    }
    return status;
}

/* --cell 'enq(1);deq()': parts as in a test. Without any, each call is a cell. */
static enum pl_status read_cells(struct pl_checker *c, struct pl_error *error)
{
    size_t count = c->cell_texts.count ? c->cell_texts.count : pl_check_calls(c);
    enum pl_status status = PL_OK;
    if (count > PL_CELLS)
        return pl_fail(error, PL_ERR_INPUT, "--cell: at most %d", PL_CELLS);
    free(c->cells);
    c->cells = calloc(count, sizeof *c->cells);
    PL_ASSERT(c->cells);
    for (size_t i = 0; i < count && !c->cell_texts.count; i++)
        c->cells[i] = (struct pl_cell){.length = 1, .call = {(uint8_t)i}};
    for (size_t i = 0; i < c->cell_texts.count && !status; i++) {
        struct pl_test sequence;
        char *text = strdup(c->cell_texts.text[i]);
        PL_ASSERT(text);
        for (char *at = text; *(at = (char *)(uintptr_t)pl_call_find(at, ";"));)
            *at = ',';
        status = pl_test_parse(&sequence, text, NULL, NULL, c->calls, c->count, error);
        status = name_option("--cell", status, error);
        free(text);
        if (!status && (sequence.threads != 2 || sequence.length[1] > PL_CELL_CALLS))
            status = pl_fail(error, PL_ERR_INPUT,
                             "--cell: '%s' is not one to %d calls of one thread, as enq(1);deq()",
                             c->cell_texts.text[i], PL_CELL_CALLS);
        if (!status) {
            c->cells[i].length = sequence.length[1];
            memcpy(c->cells[i].call, sequence.operation, sequence.length[1]);
        }
    }
    c->cell_count = (unsigned)count;
    return status;
}

/* The longest cell: a matrix of them must fit. */
static unsigned longest_cell(const struct pl_checker *c)
{
    unsigned longest = 1;
    for (unsigned i = 0; i < c->cell_count; i++)
        longest = c->cells[i].length > longest ? c->cells[i].length : longest;
    return longest;
}

static void choose_stages(struct pl_checker *c, unsigned threads, unsigned length)
{
    if (c->tests.count)
        pl_agenda_given(&c->agenda, c->given, c->given_count);
    else if (c->random)
        pl_agenda_random(&c->agenda, threads, length, c->random);
    else if (c->size)
        pl_agenda_all(&c->agenda, threads, length);
    else if (c->automatic)
        pl_agenda_auto(&c->agenda);
    else
        pl_agenda_growing(&c->agenda);
    if (!c->asked && c->settings.seconds <= 0)
        c->settings.seconds = USUAL_SECONDS;
}

static enum pl_status check_options(const struct pl_checker *c, struct pl_error *error)
{
    if (c->automatic && (c->tests.count || c->random || c->size))
        return pl_fail(error, PL_ERR_INPUT,
                       "--auto chooses the tests itself: without --test, --size, --random");
    if ((c->tests.count || c->clients) && (c->random || c->size))
        return pl_fail(error, PL_ERR_INPUT,
                       "%s says which tests to run: without --size and --random",
                       c->tests.count ? "--test" : "--clients");
    if (c->tests.count && c->cell_texts.count)
        return pl_fail(error, PL_ERR_INPUT,
                       "--cell is for tests that are made: --test is written out, as in "
                       "'enq(1),deq() | deq()'");
    if (c->automatic && c->clients)
        return pl_fail(error, PL_ERR_INPUT, "--auto chooses the tests itself: without --clients");
    if (c->settings.jobs > 64)
        return pl_fail(error, PL_ERR_INPUT, "--jobs: at most 64");
    return PL_OK;
}

enum pl_status pl_check_make_agenda(struct pl_checker *c, struct pl_error *error)
{
    static const char *const both[] = {"sc", "rc11"};
    unsigned threads = 3, length = 3;
    enum pl_status status = check_options(c, error);
    if (!status && c->clients)
        status = pl_check_clients_test(c, error);
    c->asked = c->tests.count || c->random || c->size;
    if (!status)
        status = read_cells(c, error);
    if (!status && c->size)
        status = read_size(c->size, &threads, &length, error);
    if (!status)
        status = name_option(
            "--init, --final",
            pl_test_parse(&c->around, NULL, c->init, c->final, c->calls, c->count, error), error);
    if (!status)
        status = read_tests(c, error);
    if (status)
        return status;
    if ((c->size || c->random) &&
        c->around.init + c->around.final + threads * length * longest_cell(c) > PL_TEST_OPERATIONS)
        return pl_fail(error, PL_ERR_INPUT,
                       "a test has at most %d invocations, --init and --final included",
                       PL_TEST_OPERATIONS);
    pl_agenda_init(&c->agenda, c->model ? &c->model : both, c->model ? 1 : 2, c->cells,
                   c->cell_count, c->settings.seed, &c->around, c->calls);
    pl_agenda_distinct(&c->agenda, c->count);
    choose_stages(c, threads, length);
    if (!c->agenda.stages && !c->size && !c->random)
        return pl_fail(error, PL_ERR_INPUT,
                       "no test of any size respects the groups and limits of the operations; "
                       "--test takes one as it is given");
    if (!c->agenda.stages)
        return pl_fail(error, PL_ERR_INPUT,
                       "--size: no test of %ux%u respects the groups and limits of the operations",
                       threads, length);
    return PL_OK;
}
