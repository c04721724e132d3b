/*
 * A golden implementation: another one with the same operations, or the subject built with other
 * flags. What it answers serially is the spec of each test; it is built with the same driver.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/check_parts.h"
#include "cli/sequences.h"

static void copy_texts(struct pl_texts *to, const struct pl_texts *from, size_t first)
{
    for (size_t i = first; i < from->count; i++)
        pl_texts_add(to, from->text[i]);
}

/* "-DK=0 -DJ=1", at blanks. */
static void add_flags(struct pl_checker *c, struct pl_golden *g)
{
    copy_texts(&g->settings.flags, &c->settings.flags, 0);
    if (!c->golden_flags)
        return;
    g->flags = strdup(c->golden_flags);
    PL_ASSERT(g->flags);
    for (char *rest = g->flags, *flag; (flag = strtok_r(rest, " \t", &rest));)
        pl_texts_add(&g->settings.flags, flag);
}

static enum pl_status write_driver(struct pl_checker *c, struct pl_golden *g,
                                   struct pl_error *error)
{
    const char *file = c->golden_file ? c->golden_file : c->settings.inputs.text[0];
    struct pl_driver driver = c->driver;
    struct pl_strbuf text;
    char path[PATH_MAX];
    if (!realpath(file, path))
        return pl_fail_errno(error, "--golden: %s", file);
    driver.file = path;
    driver.spec_file = NULL;
    pl_strbuf_init(&text);
    pl_driver_write(&driver, &text);
    g->driver = pl_strbuf_detach(&text);
    g->settings.driver = g->driver;
    pl_texts_add(&g->settings.inputs, file);
    if (!c->golden_file)
        copy_texts(&g->settings.inputs, &c->settings.inputs, 1);
    return PL_OK;
}

static enum pl_status refusal(struct pl_golden *g, struct pl_error *error)
{
    struct pl_error inner;
    pl_execute_refusal(&g->execute, &inner);
    return pl_fail(error, inner.status, "--golden: %.900s", inner.text);
}

static enum pl_status run(struct pl_checker *c, struct pl_golden *g, struct pl_trial *trial,
                          struct pl_error *error)
{
    struct pl_execute *e = &g->execute;
    const struct pl_plan plan = {
        .program = e->subject.built.program,
        .argv = e->subject.argv,
        .options = e->options,
        .choices = trial ? NULL : (const uint8_t *)"",
        .jobs = 1,
        .hang_seconds = c->settings.hang_seconds,
        .watch = trial ? pl_trial_take : NULL,
        .context = trial,
    };
    pl_session_release(&e->session);
    enum pl_status status = pl_session_run(&e->session, &plan, error);
    return !status && e->session.refused ? refusal(g, error) : status;
}

/* A subject file: its table has to have the same operations at the same places. */
static enum pl_status compare_tables(struct pl_checker *c, struct pl_golden *g,
                                     struct pl_error *error)
{
    g->execute.options->check = (struct pl_wire_check){.mode = PL_CHECK_LIST, .columns = 1};
    enum pl_status status = run(c, g, NULL, error);
    if (status)
        return status;
    struct pl_wire *w = g->execute.session.process[0]->wire;
    w->names[sizeof w->names - 1] = '\0';
    for (size_t i = 0; i < c->count; i++) {
        const struct pl_call *call = &c->calls[i];
        const char *name = "";
        if (call->place < w->table_count && w->table[call->place].name < sizeof w->names)
            name = w->names + w->table[call->place].name;
        size_t length = call->is_table ? pl_call_name_length(call) : strlen(name);
        if (!*name || strncmp(name, call->is_table ? call->shown : name, length) != 0 ||
            (call->is_table && name[length]))
            return pl_fail(error, PL_ERR_INPUT,
                           "--golden: it has no %s where the subject has it: both need the same "
                           "operations in the same order",
                           call->shown);
    }
    return PL_OK;
}

enum pl_status pl_golden_prepare(struct pl_checker *c, struct pl_error *error)
{
    if (!c->golden_file && !c->golden_flags)
        return PL_OK;
    if (c->spec && strcmp(c->spec, "derived") != 0)
        return pl_fail(error, PL_ERR_INPUT,
                       "--golden: there is a spec already (%s); --spec derived puts that of a "
                       "subject file aside",
                       c->spec);
    struct pl_golden *g = calloc(1, sizeof *g);
    PL_ASSERT(g);
    c->golden = g;
    g->settings = c->settings;
    g->settings.json = NULL;
    g->settings.inputs = g->settings.flags = (struct pl_texts){0};
    g->settings.arguments = (struct pl_texts){0};
    add_flags(c, g);
    enum pl_status status = write_driver(c, g, error);
    if (!status)
        status = pl_execute_init(&g->execute, &g->settings, "check", error);
    if (!status)
        status = pl_execute_build(&g->execute, error);
    if (!status && !c->call_texts.count)
        status = compare_tables(c, g, error);
    return status;
}

/* Static objects of two programs stand at different addresses. */
static enum pl_status refuse_addresses(const struct pl_trial *t, struct pl_error *error)
{
    for (size_t i = 0; i < t->responses.count; i++)
        if (pl_response_has_address(&t->responses.at[i]))
            return pl_fail(error, PL_ERR_INPUT,
                           "--golden: an answer is the address of something that is not on the "
                           "heap (%s), which is elsewhere in another program; let the call answer "
                           "what is there",
                           t->responses.at[i].text);
    return PL_OK;
}

/* What the golden implementation answers to the test is what the trial will compare with. */
enum pl_status pl_golden_run(struct pl_checker *c, struct pl_trial *t, struct pl_error *error)
{
    struct pl_golden *g = c->golden;
    struct pl_wire_options *o = g->execute.options;
    o->check = c->execute.options->check;
    o->check.only_serial = 1;
    memcpy(o->explore, c->execute.options->explore, sizeof o->explore);
    enum pl_status status = run(c, g, t, error);
    if (!status)
        status = refuse_addresses(t, error);
    if (status)
        return status;
    struct pl_strbuf test;
    pl_strbuf_init(&test);
    pl_test_print(t->test, c->calls, &test);
    if (t->bads)
        status = pl_fail(error, PL_ERR_INPUT,
                         "--golden: it contradicts itself: two serial runs of %.500s give "
                         "different answers",
                         test.text);
    else if (g->execute.session.findings)
        status = pl_fail(
            error, PL_ERR_INPUT, "--golden: run serially, %.500s ends in an error (%s)", test.text,
            pl_finding_text((enum pl_finding_kind)g->execute.session.seen[0].finding->kind));
    pl_strbuf_release(&test);
    c->execute.options->check.no_serial = 1;
    return status;
}

/* Alone, a program does the same under every model: all that was done happens before. */
static void prepare_answerer(struct pl_checker *c, struct pl_golden *g)
{
    struct pl_wire_options *o = g->execute.options;
    o->strategy = o->sharing = o->keep_going = 0;
    o->check = (struct pl_wire_check){.mode = PL_CHECK_SEQUENCES, .columns = 1};
    memset(o->explore, 0, sizeof o->explore);
    memcpy(o->explore, "sc", sizeof "sc");
    g->answerer = (struct pl_answerer){.program = g->execute.subject.built.program,
                                       .argv = g->execute.subject.argv,
                                       .options = o,
                                       .hang_seconds = c->settings.hang_seconds,
                                       .title = "--golden"};
}

void pl_golden_attach(struct pl_checker *c, struct pl_trial *t)
{
    if (!c->golden->answerer.program)
        prepare_answerer(c, c->golden);
    pl_sequences_attach(t, &c->golden->answerer, c->golden_runs);
    c->execute.options->check.no_serial = 1;
}

void pl_golden_release(struct pl_checker *c)
{
    struct pl_golden *g = c->golden;
    if (!g)
        return;
    pl_answerer_release(&g->answerer);
    if (g->execute.settings)
        pl_execute_release(&g->execute);
    pl_texts_release(&g->settings.inputs);
    pl_texts_release(&g->settings.flags);
    free(g->flags);
    free(g->driver);
    free(g);
    c->golden = NULL;
}
