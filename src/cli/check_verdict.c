/* What is said at the beginning and at the end: see check_parts.h. */
#include <stdio.h>
#include <string.h>

#include "cli/check_parts.h"

void pl_check_print_head(const struct pl_checker *c)
{
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    pl_execute_inputs(&c->settings, &text);
    pl_strbuf_add(&text, ": ");
    if (c->tests.count)
        pl_strbuf_addf(&text, "%zu test%s", c->tests.count, c->tests.count == 1 ? "" : "s");
    else if (c->random)
        pl_strbuf_addf(&text, "%llu random tests of %s, seed %llu", (unsigned long long)c->random,
                       c->size ? c->size : "3x3", (unsigned long long)c->settings.seed);
    else if (c->size)
        pl_strbuf_addf(&text, "every test of %s", c->size);
    else
        pl_strbuf_add(&text, "every test of 2x1, 2x2, 3x1, then random ones of 2x3, 3x2, 3x3");
    pl_strbuf_addf(&text, " (threads x calls); model %s", c->model ? c->model : "sc, then rc11");
    if (c->settings.seconds > 0)
        pl_strbuf_addf(&text, "; at most %g s", c->settings.seconds);
    (void)printf("%s\n", text.text);
    (void)fflush(stdout);
    pl_strbuf_release(&text);
}

/* ---- the verdict ---- */

/* "2x1 (6 of 6)": the stages of a kind, those that were done or those that were not. */
static unsigned add_stages(const struct pl_checker *c, bool whole, struct pl_strbuf *out)
{
    unsigned count = 0;
    for (unsigned i = 0; i < c->agenda.stages; i++) {
        const struct pl_stage *s = &c->agenda.stage[i];
        if (s->kind == PL_STAGE_ENDLESS || (s->done == s->total) != whole || !s->done)
            continue;
        pl_strbuf_add(out, count++ ? ", " : "");
        if (s->kind == PL_STAGE_GIVEN)
            pl_strbuf_add(out, whole ? "every test given" : "the tests given");
        else
            pl_strbuf_addf(out, "%stests of %ux%u",
                           s->kind == PL_STAGE_RANDOM ? "random "
                           : whole                    ? "all "
                                                      : "",
                           s->threads, s->length);
        pl_strbuf_addf(out, " under %s (", s->model);
        pl_report_count(out, s->done);
        if (!whole) {
            pl_strbuf_add(out, " of ");
            pl_report_count(out, s->total);
        }
        pl_strbuf_add(out, ")");
    }
    return count;
}

static enum pl_verdict judge(const struct pl_checker *c, struct pl_strbuf *out)
{
    const struct pl_agenda *a = &c->agenda;
    if (c->shown) {
        json_t *first = json_array_get(c->execute.findings, 0);
        pl_strbuf_add(out, json_string_value(json_object_get(first, "kind")));
        if (c->shown > 1)
            pl_strbuf_addf(out, " and %u more", c->shown - 1);
        return PL_VERDICT_VIOLATION;
    }
    struct pl_strbuf stages;
    pl_strbuf_init(&stages);
    unsigned whole = add_stages(c, true, &stages);
    bool all = whole == a->stages;
    bool pass = !c->interrupted && !c->undecided && !c->cut && (c->asked ? all : whole > 0);
    pl_strbuf_add(out, pass && c->deciding.none ? "no finding (histories were not checked) in "
                       : pass                   ? "linearizable in "
                       : c->interrupted         ? "interrupted; nothing wrong in "
                       : c->cut                 ? "some executions were cut; nothing wrong in "
                                                : "not all was explored; nothing wrong in ");
    pl_strbuf_add(out, whole ? stages.text : "what was");
    pl_strbuf_clear(&stages);
    if (add_stages(c, false, &stages))
        pl_strbuf_addf(out, "; some of %s", stages.text);
    pl_strbuf_release(&stages);
    const struct pl_stage *last = &a->stage[a->stages - 1];
    if (last->kind == PL_STAGE_ENDLESS && last->done) {
        pl_strbuf_add(out, "; of 2x3, 3x2, 3x3 only a sample of ");
        pl_report_count(out, last->done);
    }
    pl_strbuf_add(out, "; ");
    pl_report_count(out, c->executions);
    pl_strbuf_addf(out, " execution%s, ", c->executions == 1 ? "" : "s");
    pl_report_count(out, c->histories);
    pl_strbuf_addf(out, " histor%s", c->histories == 1 ? "y" : "ies");
    if (!c->model || strcmp(c->model, "sc") != 0)
        pl_strbuf_add(out, "; beyond sc only clients that do not synchronise their calls");
    return pass ? PL_VERDICT_PASS : PL_VERDICT_UNKNOWN;
}

int pl_check_conclude(struct pl_checker *c, enum pl_status status, const struct pl_error *error)
{
    struct pl_execute *e = &c->execute;
    struct pl_strbuf message;
    if (status)
        return pl_execute_conclude(e, PL_VERDICT_ERROR, error->text);
    e->more = json_pack("{s:s}", "criterion", c->deciding.none ? "none" : "linearizable");
    PL_ASSERT(e->more);
    if (c->show_stats)
        pl_check_print_stats(c);
    pl_strbuf_init(&message);
    enum pl_verdict verdict = judge(c, &message);
    struct pl_session *s = &e->session;
    s->executions = c->executions;
    s->blocked = c->blocked;
    s->cut = c->cut;
    s->steps = c->steps;
    s->threads = c->threads;
    s->took_seconds = pl_now() - c->started;
    e->coverage = verdict != PL_VERDICT_PASS ? "partial"
                  : c->tests.count           ? "exhaustive"
                  : c->random                ? "sampled"
                                             : "bounded";
    e->histories = c->histories;
    e->models = c->model ? c->model : "sc, rc11";
    int code = pl_execute_conclude(e, verdict, message.text);
    pl_strbuf_release(&message);
    return code;
}
