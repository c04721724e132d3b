/* Showing what is wrong with a test: see check_parts.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/again.h"
#include "cli/check_parts.h"
#include "cli/show.h"
#include "cli/why.h"

/* Was a violation like this one shown before? */
bool pl_check_is_known(struct pl_checker *c, const char *signature)
{
    if (pl_words_has(&c->known, signature))
        return true;
    pl_words_add(&c->known, signature);
    return false;
}

/* Which group of the observations it missed. */
static void refer(struct pl_checker *c, const struct pl_trial *t, const struct pl_bad *bad)
{
    unsigned group = pl_observe_group(t, bad);
    if (group)
        pl_strbuf_addf(&c->ending,
                       "    Observations: group %u of this test in %s has these answers, but no "
                       "history in an order that fits.\n",
                       group, c->observations);
    else
        pl_strbuf_addf(&c->ending,
                       "    Observations: no group of this test in %s has these "
                       "answers.\n",
                       c->observations);
}

/* What it is wrong by, as a replay finds it again. The caller frees it. */
static enum pl_status spec_of(struct pl_checker *c, const struct pl_trial *t, char **out,
                              struct pl_error *error)
{
    if (!t->against && !c->golden)
        return pl_again_serial(&c->execute, out, error);
    *out = strdup(c->golden || c->against.written ? PL_AGAIN_CODE : PL_AGAIN_GIVEN);
    PL_ASSERT(*out);
    return PL_OK;
}

enum pl_status pl_check_tell(struct pl_checker *c, const struct pl_test *test, const char *model,
                             enum pl_finding_kind kind, struct pl_error *error)
{
    const struct pl_session *s = &c->execute.session;
    if (!s->interrupted && !s->out_of_time)
        return pl_fail(error, PL_ERR_SYSTEM,
                       "a violation did not show again: the program depends on something outside "
                       "our control");
    struct pl_strbuf text, message;
    pl_strbuf_init(&text);
    pl_strbuf_init(&message);
    pl_test_print(test, c->calls, &text);
    pl_strbuf_addf(&message, "%s, found before %s; it is not known in which execution",
                   pl_finding_text(kind),
                   s->interrupted ? "the interruption" : "the time was over");
    (void)printf("\n%s\n    Test: %s\n\n", message.text, text.text);
    json_array_append_new(c->execute.findings,
                          json_pack("{s:s, s:s, s:s, s:s}", "kind", pl_finding_text(kind), "test",
                                    text.text, "model", model, "message", message.text));
    c->shown++;
    pl_strbuf_release(&text);
    pl_strbuf_release(&message);
    return PL_OK;
}

/* The bad history once more, traced. */
enum pl_status pl_check_show_bad(struct pl_checker *c, struct pl_trial *t, const struct pl_bad *bad,
                                 struct pl_error *error)
{
    struct pl_execute *e = &c->execute;
    struct pl_why why;
    const struct pl_wire_history *h = &bad->seen.head;
    struct pl_wire_check *check = &c->settings.check;
    if (pl_check_is_alike(c, t->test, bad) && c->keep_going)
        return PL_OK;
    json_t *suggestions = pl_check_suggest(c, t, bad);
    if (c->observe)
        refer(c, t, bad);
    pl_why_bad(&why, t, bad, c->calls);
    *check = e->options->check;
    check->mode = h->kind == PL_HISTORY_SERIAL ? PL_CHECK_SHOW_SERIAL : PL_CHECK_SHOW;
    check->shown = (uint8_t)bad->kind;
    check->late_calls = 1;
    memcpy(check->after, why.before, sizeof check->after);
    for (unsigned i = 0; i < h->ran; i++)
        check->serial[i] = (uint8_t)pl_test_thread(t->test, h->order[i]);
    struct pl_wire_options before = *e->options;
    e->options->check = *check;
    e->options->check.shortest = check->mode == PL_CHECK_SHOW; /* saved is what comes of it */
    e->options->replaying = 1;
    e->options->replay = h->graph;
    why.report.suggestions = suggestions;
    why.report.ending = c->ending.text;
    why.report.under = t->model;
    c->settings.report = &why.report;
    char *spec = NULL;
    enum pl_status status = pl_check_session(c, t, bad->seen.graph, error);
    *e->options = before;
    if (!status && !e->session.findings)
        status = pl_check_tell(c, t->test, t->model, bad->kind, error);
    else if (!status)
        status = spec_of(c, t, &spec, error);
    c->settings.spec = spec;
    if (!status && spec)
        status = pl_show_finding(e, &e->session.seen[0], why.sentence, c->shown++, error);
    c->settings.spec = NULL;
    free(spec);
    c->settings.report = NULL;
    pl_why_release(&why);
    json_decref(suggestions);
    return status;
}

char *pl_check_place(struct pl_checker *c, const struct pl_seen *seen)
{
    struct pl_report report;
    struct pl_error ignored;
    struct pl_strbuf text, place;
    pl_strbuf_init(&text);
    pl_strbuf_init(&place);
    if (pl_execute_report(&c->execute, seen, NULL, &report, &ignored) == PL_OK)
        pl_report_message(&report, seen->finding, &text);
    const char *line = strchr(text.text, ':'), *end = line ? strchr(line + 1, ':') : NULL;
    bool has_line = end && strspn(line + 1, "0123456789") == (size_t)(end - line - 1);
    size_t length = has_line ? (size_t)(end - text.text) : strlen(text.text);
    pl_strbuf_add_bytes(&place, text.text, length); /* which thread it is may differ */
    pl_strbuf_addf(&place, ": %s", pl_finding_text((enum pl_finding_kind)seen->finding->kind));
    pl_strbuf_release(&text);
    return pl_strbuf_detach(&place);
}

static const struct pl_seen *seen_at(struct pl_checker *c, const char *place)
{
    const struct pl_session *s = &c->execute.session;
    for (size_t i = 0; place && i < s->findings; i++) {
        char *here = pl_check_place(c, &s->seen[i]);
        bool same = strcmp(here, place) == 0;
        free(here);
        if (same)
            return &s->seen[i];
    }
    return &s->seen[0];
}

/* A race, a crash, an assertion: as explore shows it. */
enum pl_status pl_check_show_other(struct pl_checker *c, struct pl_trial *t, const char *place,
                                   struct pl_error *error)
{
    struct pl_execute *e = &c->execute;
    const struct pl_seen *seen = seen_at(c, place);
    struct pl_report report;
    struct pl_strbuf message;
    struct pl_why why;
    pl_why_other(&why, t, c->calls);
    why.report.ending = c->ending.text;
    why.report.under = t->model;
    c->settings.report = &why.report;
    c->settings.check = e->options->check;
    if (seen->process->wire->serial_phase) {
        c->settings.check.mode = PL_CHECK_SHOW_SERIAL;
        memcpy(c->settings.check.serial, seen->process->wire->serial,
               sizeof c->settings.check.serial);
    }
    pl_strbuf_init(&message);
    enum pl_status status = pl_execute_report(e, seen, NULL, &report, error);
    if (!status) {
        pl_report_message(&report, seen->finding, &message);
        if (!pl_check_is_known(c, message.text))
            status = pl_show_finding(e, seen, message.text, c->shown++, error);
    }
    pl_strbuf_release(&message);
    c->settings.report = NULL;
    pl_why_release(&why);
    return status;
}
