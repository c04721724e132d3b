/* The end of a command: the verdict's line, the suppressions, --json, the exit code. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/execute.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "explore/sample.h"

static size_t gather_suppressions(const struct pl_execute *e, struct pl_report_suppression *out)
{
    size_t used = 0;
    for (size_t i = 0; i < e->suppress.count; i++)
        if (e->session.suppressed[i])
            out[used++] = (struct pl_report_suppression){.text = e->suppress.rule[i].pattern,
                                                         .file = e->suppress.file,
                                                         .line = e->suppress.rule[i].line,
                                                         .count = e->session.suppressed[i]};
    return used;
}

static void print_suppressions(const struct pl_report_suppression *rules, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct pl_strbuf number;
        pl_strbuf_init(&number);
        pl_report_count(&number, rules[i].count);
        (void)printf("suppressed: %s race%s by race:%s (%s:%d)\n", number.text,
                     rules[i].count == 1 ? "" : "s", rules[i].text, rules[i].file, rules[i].line);
        pl_strbuf_release(&number);
    }
}

double pl_execute_chance(const struct pl_execute *e)
{
    const struct pl_settings *s = e->settings;
    double length = (double)e->session.pct_length;
    if (s->sampling != PL_SAMPLE_PCT || strcmp(pl_settings_model(s), "sc") != 0 || length < 1)
        return 0;
    double chance = 1.0 / e->session.threads;
    for (unsigned i = 1; i < s->depth; i++)
        chance /= length;
    return chance;
}

static bool write_junit(const struct pl_execute *e, const struct pl_outcome *outcome)
{
    struct pl_strbuf text;
    const char *subject = e->settings->inputs.count ? e->settings->inputs.text[0] : "plumb";
    pl_strbuf_init(&text);
    pl_outcome_junit(outcome, subject, e->cases, &text);
    bool fine = pl_output_write(e->junit_fd, text.text, text.length);
    pl_strbuf_release(&text);
    return fine;
}

int pl_execute_conclude(struct pl_execute *e, enum pl_verdict verdict, const char *message)
{
    struct pl_report_suppression rules[PL_MAX_SUPPRESSIONS];
    const struct pl_session *s = &e->session;
    const char *coverage = e->coverage                                       ? e->coverage
                           : !e->settings->explores || e->settings->sampling ? "sampled"
                           : s->exhausted && (s->bounded || s->beyond || s->woken_once) ? "bounded"
                           : s->exhausted ? "exhaustive"
                                          : "partial";
    struct pl_outcome outcome = {
        .verdict = verdict,
        .coverage = verdict == PL_VERDICT_ERROR ? NULL : coverage,
        .model = e->models ? e->models : pl_settings_model(e->settings),
        .robust = !e->settings->robust ? NULL
                  : s->weak            ? "no"
                  : s->exhausted       ? "yes"
                                       : "unknown",
        .command = e->command,
        .message = message,
        .diagnostics = verdict == PL_VERDICT_ERROR ? e->subject.built.diagnostics : NULL,
        .tests = e->tests,
        .histories = e->histories,
        .executions = s->executions,
        .blocked = s->blocked,
        .cut = s->cut,
        .steps = s->steps,
        .seed = e->settings->seed,
        .preemptions = e->settings->preemptions_given ? (int64_t)e->settings->preemptions : -1,
        .bound = e->bound,
        .threads = s->threads,
        .chance = pl_execute_chance(e),
        .estimate = s->exhausted ? 0 : s->estimate.executions,
        .estimate_low = s->estimate.low,
        .estimate_high = s->estimate.high,
        .seconds = s->took_seconds,
        .findings = e->findings,
        .warnings = e->warnings,
        .more = e->more,
        .suppressions = rules,
        .suppression_count = gather_suppressions(e, rules),
    };
    print_suppressions(rules, outcome.suppression_count);
    if (verdict == PL_VERDICT_ERROR)
        (void)fprintf(stderr, "%s\n", message);
    else
        (void)printf("%s%s%s: %s, %.1f s\n", pl_verdict_text(verdict),
                     verdict == PL_VERDICT_PASS ? ", " : "",
                     verdict == PL_VERDICT_PASS ? coverage : "", message, s->took_seconds);
    int code = (int)verdict;
    if (e->json_fd >= 0) {
        json_t *object = pl_outcome_json(&outcome);
        if (!pl_output_json(e->json_fd, object)) {
            (void)fprintf(stderr, "--json %s: cannot be written: %s\n", e->settings->json,
                          strerror(errno));
            code = PL_VERDICT_ERROR;
        }
        json_decref(object);
    }
    if (e->junit_fd >= 0 && !write_junit(e, &outcome)) {
        (void)fprintf(stderr, "--junit %s: cannot be written: %s\n", e->settings->junit,
                      strerror(errno));
        code = PL_VERDICT_ERROR;
    }
    if (fflush(stdout) != 0) {
        (void)fprintf(stderr, "the report cannot be written: %s\n", strerror(errno));
        code = PL_VERDICT_ERROR;
    }
    return code;
}

/* Who interrupts us does not want to hear what that has broken. */
int pl_execute_fail(struct pl_execute *e, const struct pl_error *error)
{
    return *pl_interrupt_stop()
               ? pl_execute_conclude(e, PL_VERDICT_UNKNOWN, "interrupted before its end")
               : pl_execute_conclude(e, PL_VERDICT_ERROR, error->text);
}
