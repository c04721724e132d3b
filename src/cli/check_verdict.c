/* What is said at the beginning, after each stage and at the end: see check_parts.h. */
#include <stdio.h>
#include <string.h>

#include "build/flags.h"
#include "cli/check_parts.h"
#include "cli/loosened.h"
#include "cli/passing.h"

/* ---- the beginning ---- */

static void add_models(const struct pl_agenda *a, const char *between, struct pl_strbuf *out)
{
    for (unsigned m = 0; m < a->model_count; m++)
        pl_strbuf_addf(out, "%s%s", m ? between : "", a->models[m]);
}

/* "factor deq=2, enq=0 (positions)". */
static void add_factor(const struct pl_checker *c, struct pl_strbuf *out)
{
    pl_strbuf_add(out, "factor ");
    if (c->relaxed.find)
        pl_relaxed_print_found(&c->relaxed, out);
    else
        pl_relaxed_print(&c->relaxed, c->relaxed.factor, out);
    pl_strbuf_addf(out, " (%s)", pl_relaxed_reading(&c->relaxed));
}

void pl_check_print_head(const struct pl_checker *c)
{
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    pl_execute_inputs(&c->settings, &text);
    pl_strbuf_addf(&text, ": %zu call%s, ", pl_check_calls(c), pl_check_calls(c) == 1 ? "" : "s");
    if (c->deciding.none)
        pl_strbuf_add(&text, "histories not checked");
    else if (c->golden)
        pl_strbuf_addf(&text, "spec what %s%s%s does alone",
                       c->golden_file ? c->golden_file : c->settings.inputs.text[0],
                       c->golden_flags ? " with " : "", c->golden_flags ? c->golden_flags : "");
    else
        pl_strbuf_addf(&text, "spec %s",
                       c->spec && strcmp(c->spec, "derived") != 0 ? c->spec
                                                                  : "derived from serial runs");
    if (c->against.relaxation.on) {
        pl_strbuf_add(&text, ", ");
        pl_loosened_print(&c->against.relaxation, &text);
        pl_strbuf_add(&text, c->find_relaxed ? " or the smallest number that does" : "");
    }
    if (c->deciding.relaxed) {
        pl_strbuf_add(&text, c->relaxed.find ? ", looking for the smallest factors" : ", ");
        if (!c->relaxed.find)
            add_factor(c, &text);
    }
    if (c->random)
        pl_strbuf_addf(&text, ", seed %llu", (unsigned long long)c->settings.seed);
    if (c->settings.seconds > 0)
        pl_strbuf_addf(&text, ", %g s", c->settings.seconds);
    pl_strbuf_addf(&text, ", model%s ", c->agenda.model_count == 1 ? "" : "s");
    add_models(&c->agenda, " then ", &text);
    (void)printf("%s\n", text.text);
    (void)fflush(stdout);
    pl_strbuf_release(&text);
}

/* ---- a stage ---- */

/* How many tests were explored to their end under every model. */
static uint64_t done_in(const struct pl_checker *c, const struct pl_stage *s)
{
    uint64_t least = s->under[0].done;
    for (unsigned m = 1; m < c->agenda.model_count; m++)
        least = s->under[m].done < least ? s->under[m].done : least;
    return least;
}

static bool is_whole(const struct pl_checker *c, const struct pl_stage *s)
{
    return s->kind != PL_STAGE_ENDLESS && s->total != UINT64_MAX && done_in(c, s) == s->total;
}

static uint64_t tests_in(const struct pl_stage *s)
{
    return s->kind == PL_STAGE_ENDLESS ? s->under[0].run : s->total;
}

/* "4", or where the models differ "4 under sc, 0 under rc11". */
static void add_done(const struct pl_checker *c, const struct pl_stage *s, struct pl_strbuf *out)
{
    bool differ = false;
    for (unsigned m = 1; m < c->agenda.model_count; m++)
        differ = differ || s->under[m].done != s->under[0].done;
    for (unsigned m = 0; m < (differ ? c->agenda.model_count : 1); m++) {
        pl_strbuf_add(out, m ? ", " : "");
        pl_report_count(out, s->under[m].done);
        if (differ)
            pl_strbuf_addf(out, " under %s", c->agenda.models[m]);
    }
}

void pl_check_print_stage(const struct pl_checker *c, const struct pl_stage *s)
{
    struct pl_strbuf text;
    bool wrong = false, sampled = s->kind == PL_STAGE_RANDOM || s->kind == PL_STAGE_ENDLESS;
    pl_strbuf_init(&text);
    if (s->kind == PL_STAGE_GIVEN)
        pl_strbuf_add(&text, "  given  ");
    else
        pl_strbuf_addf(&text, "  %u×%u  ", s->threads, s->length);
    pl_report_count(&text, tests_in(s));
    for (unsigned m = 0; m < c->agenda.model_count; m++)
        wrong = wrong || s->under[m].wrong;
    if (sampled)
        pl_strbuf_add(&text, " sampled, ");
    else
        pl_strbuf_addf(&text, " test%s  ", tests_in(s) == 1 ? "" : "s");
    if (wrong && !c->keep_going)
        pl_strbuf_add(&text, "stopped at the first violation");
    else if (is_whole(c, s) && !sampled)
        pl_strbuf_add(&text, "all executions explored");
    else {
        add_done(c, s, &text);
        pl_strbuf_addf(&text, " explored to the end, %s failed", wrong ? "some" : "none");
    }
    for (unsigned m = 0; m < c->agenda.model_count && (!wrong || c->keep_going); m++) {
        pl_strbuf_addf(&text, "  %s ", c->agenda.models[m]);
        pl_report_count(&text, s->under[m].executions);
    }
    (void)printf("%s\n", text.text);
    (void)fflush(stdout);
    pl_strbuf_release(&text);
}

/* ---- the verdict ---- */

/* "6 tests of 2x1, 45 tests of 2x2": the stages that were done, or those that were begun. */
static unsigned add_stages(const struct pl_checker *c, bool whole, struct pl_strbuf *out)
{
    unsigned count = 0;
    for (unsigned i = 0; i < c->agenda.stages; i++) {
        const struct pl_stage *s = &c->agenda.stage[i];
        if (s->kind == PL_STAGE_ENDLESS || is_whole(c, s) != whole || !s->under[0].run)
            continue;
        pl_strbuf_add(out, count++ ? ", " : "");
        if (!whole) {
            add_done(c, s, out);
            pl_strbuf_add(out, " of ");
        } else if (s->kind == PL_STAGE_ALL)
            pl_strbuf_add(out, tests_in(s) == 1 ? "the only" : "all ");
        if (!whole || s->kind != PL_STAGE_ALL || tests_in(s) != 1)
            pl_report_count(out, tests_in(s));
        pl_strbuf_add(out, s->kind == PL_STAGE_RANDOM ? " random test" : " test");
        pl_strbuf_add(out, tests_in(s) == 1 ? "" : "s");
        if (s->kind != PL_STAGE_GIVEN)
            pl_strbuf_addf(out, " of %ux%u", s->threads, s->length);
    }
    return count;
}

/* "of 2x3, 3x2 only a sample of 12": what was drawn without end. */
static void add_samples(const struct pl_checker *c, struct pl_strbuf *out)
{
    uint64_t run = 0, done = 0;
    for (unsigned i = 0; i < c->agenda.stages; i++) {
        const struct pl_stage *s = &c->agenda.stage[i];
        if (s->kind != PL_STAGE_ENDLESS || !s->under[0].run)
            continue;
        pl_strbuf_addf(out, "%s%ux%u", run ? ", " : "; of ", s->threads, s->length);
        run += s->under[0].run;
        done += done_in(c, s);
    }
    if (!run)
        return;
    pl_strbuf_add(out, " only a sample of ");
    pl_report_count(out, run);
    pl_strbuf_add(out, " (");
    pl_report_count(out, done);
    pl_strbuf_add(out, " explored to the end)");
}

static void add_opening(const struct pl_checker *c, bool pass, struct pl_strbuf *out)
{
    if (c->deciding.relaxed && c->relaxed.find && !pass)
        pl_strbuf_addf(out, "not less than a factor of %u is needed; ",
                       pl_relaxed_smallest(&c->relaxed));
    if (c->deciding.relaxed && pass) {
        pl_strbuf_add(out, "quasi linearizable with ");
        add_factor(c, out);
        if (c->relaxed.find)
            pl_strbuf_addf(out, ", none smaller; as one factor for all %u;",
                           pl_relaxed_smallest(&c->relaxed));
        pl_strbuf_add(out, " in ");
        return;
    }
    if (c->against.relaxation.on && pass) {
        pl_strbuf_addf(out, "linearizable to %s, ", c->against.spec->name);
        pl_loosened_print(&c->against.relaxation, out);
        pl_strbuf_add(out, c->find_relaxed ? ", none smaller; in " : "; in ");
        return;
    }
    if (c->find_relaxed) {
        pl_strbuf_add(out, "not less than --relax ");
        pl_loosened_write(&c->against.relaxation, out);
        pl_strbuf_add(out, " is needed; ");
    }
    if (!pass && !c->sums.interrupted && c->sums.passing)
        pl_strbuf_add(out, pl_passing_text(c->settings.unroll));
    const char *text =
        pass && c->deciding.none     ? "no finding (histories were not checked) in "
        : pass && c->deciding.points ? "the points are right, so linearizable, in "
        : pass                       ? "linearizable in "
        : c->sums.interrupted        ? "interrupted; nothing wrong in "
        : c->sums.passing            ? "nothing wrong in "
        : c->sums.sequences ? "the golden implementation was asked for more sequences of calls "
                              "than --golden-runs allows; nothing wrong in "
        : c->sums.cut       ? "some executions were cut; nothing wrong in "
        : c->sums.undecided ? "of some histories it is not known whether an order explains them; "
                              "nothing wrong in "
                            : "not all was explored; nothing wrong in ";
    pl_strbuf_add(out, text);
}

/* --preemptions: what is shown may need more. An execution is a graph; its calls and returns are no
 * steps of it, and to have them in the order of a history can take more switches. */
static void add_preemptions(const struct pl_checker *c, const json_t *first, struct pl_strbuf *out)
{
    const json_t *number = json_object_get(first, "preemptions");
    unsigned long long most = c->settings.preemptions,
                       shown = (unsigned long long)json_integer_value(number);
    if (!c->settings.preemptions_given || !number || shown <= most)
        return;
    pl_strbuf_addf(out, " with %llu preemption%s, more than asked for", shown,
                   shown == 1 ? "" : "s");
    static const enum pl_finding_kind of_histories[] = {
        PL_FINDING_NOT_LINEARIZABLE, PL_FINDING_NOT_QUASI_LINEARIZABLE, PL_FINDING_STUCK,
        PL_FINDING_UNPUBLISHED, PL_FINDING_POINT_MISMATCH};
    const char *kind = json_string_value(json_object_get(first, "kind"));
    bool of_history = false; /* other findings end an execution, before what needs fewer is met */
    for (unsigned i = 0; i < sizeof of_histories / sizeof *of_histories; i++)
        of_history = of_history || strcmp(kind, pl_finding_text(of_histories[i])) == 0;
    if (of_history)
        pl_strbuf_add(out, ": the execution is within the bound, this history of it is not");
}

static enum pl_verdict judge(const struct pl_checker *c, struct pl_strbuf *out)
{
    const struct pl_agenda *a = &c->agenda;
    const struct pl_check_sums *sums = &c->sums;
    if (c->shown) {
        json_t *first = json_array_get(c->execute.findings, 0);
        pl_strbuf_add(out, json_string_value(json_object_get(first, "kind")));
        if (c->shown > 1)
            pl_strbuf_addf(out, " and %u more", c->shown - 1);
        else
            add_preemptions(c, first, out);
        return PL_VERDICT_VIOLATION;
    }
    struct pl_strbuf stages;
    pl_strbuf_init(&stages);
    unsigned whole = add_stages(c, true, &stages);
    bool pass = !sums->interrupted && !sums->undecided && !sums->cut &&
                !(c->deciding.relaxed && c->relaxed.found.full) &&
                (c->asked ? whole == a->stages : whole > 0);
    add_opening(c, pass, out);
    pl_strbuf_add(out, whole ? stages.text : "what was run");
    pl_strbuf_clear(&stages);
    if (add_stages(c, false, &stages))
        pl_strbuf_addf(out, "; %s", stages.text);
    pl_strbuf_release(&stages);
    add_samples(c, out);
    pl_strbuf_add(out, "; under ");
    add_models(a, " and ", out);
    pl_strbuf_add(out, "; ");
    pl_report_count(out, sums->executions);
    pl_strbuf_addf(out, " execution%s, ", sums->executions == 1 ? "" : "s");
    pl_report_count(out, sums->stats.histories);
    pl_strbuf_addf(out, " histor%s", sums->stats.histories == 1 ? "y" : "ies");
    if (sums->renamed)
        pl_strbuf_add(out, ", up to the names of threads and values");
    if (sums->woken_once)
        pl_strbuf_add(out, PL_WOKEN_ONCE);
    if (sums->beyond)
        pl_strbuf_addf(out, "; only executions with at most %llu preemption%s",
                       (unsigned long long)c->settings.preemptions,
                       c->settings.preemptions == 1 ? "" : "s");
    return pass ? PL_VERDICT_PASS : PL_VERDICT_UNKNOWN;
}

/* What came of each stage, for machines. */
static json_t *stages_json(const struct pl_checker *c)
{
    static const char *const kind[] = {"given", "all", "random", "random"};
    json_t *array = json_array();
    for (unsigned i = 0; i < c->agenda.stages; i++) {
        const struct pl_stage *s = &c->agenda.stage[i];
        if (!s->under[0].run)
            continue;
        json_t *models = json_object();
        for (unsigned m = 0; m < c->agenda.model_count; m++)
            json_object_set_new(
                models, c->agenda.models[m],
                json_pack("{s:I, s:I, s:I, s:b}", "tests", (json_int_t)s->under[m].run, "explored",
                          (json_int_t)s->under[m].done, "executions",
                          (json_int_t)s->under[m].executions, "wrong", (int)s->under[m].wrong));
        json_t *stage =
            json_pack("{s:s, s:b, s:I, s:o}", "kind", kind[s->kind], "whole", (int)is_whole(c, s),
                      "tests", (json_int_t)tests_in(s), "models", models);
        PL_ASSERT(stage);
        if (s->kind != PL_STAGE_GIVEN)
            json_object_update_new(stage, json_pack("{s:i, s:i}", "threads", (int)s->threads,
                                                    "calls", (int)s->length));
        json_array_append_new(array, stage);
    }
    return array;
}

static const char *member(const json_t *finding, const char *name)
{
    const char *text = json_string_value(json_object_get(finding, name));
    return text ? text : "";
}

/* What was found under the model, a line each, and the kind of the first; with --keep-going there
 * may be several. What was found under another one stands for what is shown only once. */
static const char *found_under(const struct pl_checker *c, const char *model,
                               struct pl_strbuf *lines)
{
    const char *kind = NULL;
    size_t count = json_array_size(c->execute.findings);
    pl_strbuf_clear(lines);
    for (size_t i = 0; i < count; i++) {
        const json_t *finding = json_array_get(c->execute.findings, i);
        if (strcmp(member(finding, "model"), model) != 0)
            continue;
        pl_strbuf_addf(lines, "%s%s (%s)", kind ? "\n" : "", member(finding, "message"),
                       member(finding, "test"));
        kind = kind ? kind : member(finding, "kind");
    }
    if (!kind && count) {
        kind = member(json_array_get(c->execute.findings, 0), "kind");
        pl_strbuf_add(lines, member(json_array_get(c->execute.findings, 0), "message"));
    }
    return kind ? kind : "unknown";
}

static void add_case(json_t *cases, const char *name, const char *state, const char *type,
                     const char *message)
{
    json_array_append_new(cases, json_pack("{s:s, s:s, s:s, s:s}", "name", name, "state", state,
                                           "type", type, "message", message));
}

/* --junit: a case for each stage under each model. */
static json_t *cases_json(const struct pl_checker *c)
{
    json_t *cases = json_array();
    struct pl_strbuf found;
    pl_strbuf_init(&found);
    for (unsigned i = 0; i < c->agenda.stages; i++)
        for (unsigned m = 0; m < c->agenda.model_count; m++) {
            const struct pl_stage *s = &c->agenda.stage[i];
            const struct pl_stage_count *n = &s->under[m];
            char name[80];
            bool whole = n->done == tests_in(s);
            if (!n->run && !c->asked)
                continue;
            if (s->kind == PL_STAGE_GIVEN)
                (void)snprintf(name, sizeof name, "given tests under %s", c->agenda.models[m]);
            else
                (void)snprintf(name, sizeof name, "%s of %ux%u under %s",
                               s->kind == PL_STAGE_ALL ? "all tests" : "random tests", s->threads,
                               s->length, c->agenda.models[m]);
            const char *state = n->wrong                               ? "failure"
                                : whole || s->kind == PL_STAGE_ENDLESS ? "pass"
                                : c->asked && !c->shown                ? "error"
                                                                       : "skipped";
            const char *kind = found_under(c, c->agenda.models[m], &found);
            add_case(cases, name, state, n->wrong ? kind : "unknown",
                     n->wrong ? found.text : "not explored to the end");
        }
    pl_strbuf_release(&found);
    return cases;
}

/* Files that were built elsewhere: nothing tells which of their lines were reached. */
static json_t *unknown_files(const struct pl_checker *c)
{
    const struct pl_texts *all[] = {&c->settings.inputs, &c->settings.flags};
    json_t *files = json_array();
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < all[k]->count; i++)
            if (all[k]->text[i][0] != '-' && pl_kind_of(all[k]->text[i]) >= PL_KIND_OBJECT)
                json_array_append_new(files, json_string(all[k]->text[i]));
    return files;
}

/* Beside what was found nothing in: the code that no test has reached. */
static void say_reached(const struct pl_checker *c)
{
    if (!c->cover) {
        if (!c->shown)
            (void)printf("  which lines the tests reached is not known: not built by plumb's own "
                         "front end\n");
        return;
    }
    json_t *reached = pl_cover_json(c->cover), *unknown = unknown_files(c);
    if (!c->shown)
        pl_cover_print(c->cover);
    for (size_t i = 0; i < json_array_size(unknown) && !c->shown; i++)
        (void)printf("%s%s%s", i ? ", " : "  which lines of ",
                     json_string_value(json_array_get(unknown, i)),
                     i + 1 == json_array_size(unknown)
                         ? " the tests reached is not known: not built by plumb\n"
                         : "");
    json_object_set_new(reached, "unknown", unknown);
    json_object_set_new(c->execute.more, "reached", reached);
}

/* Beside what was found nothing in: variables behind `->` that say nothing, for the call never
 * answered that it is so. */
static void say_unread(const struct pl_checker *c)
{
    for (size_t i = 0; i < c->count && !c->shown; i++) {
        const struct pl_call *call = &c->calls[i];
        uint64_t answered = c->sums.answered[i / 64] >> i % 64 & 1,
                 looked_at = c->sums.looked_at[i / 64] >> i % 64 & 1;
        if (call->outs[0] && !call->always && answered && !looked_at)
            (void)printf("  %s was never looked at: %s answered 0, false or NULL every time; where "
                         "that is success, write '!%s -> %s'\n",
                         call->outs, call->shown, call->call, call->outs);
    }
}

static json_t *factor_json(const struct pl_relaxed *r, const unsigned *factor)
{
    if (r->reading == PL_QUASI_ALL_SUBSETS)
        return json_integer(factor[0]);
    json_t *object = json_object();
    for (unsigned g = 0; g < r->groups; g++)
        json_object_set_new(object, r->name[g], json_integer(factor[g]));
    return object;
}

static json_t *criterion_json(const struct pl_checker *c)
{
    const struct pl_relaxed *r = c->deciding.relaxed;
    const char *name = r                    ? "quasi"
                       : c->deciding.none   ? "none"
                       : c->deciding.points ? "points"
                                            : "linearizable";
    json_t *object = json_pack("{s:s}", "criterion", name);
    PL_ASSERT(object);
    if (c->against.relaxation.on)
        json_object_set_new(object, "relaxation", pl_loosened_json(&c->against.relaxation));
    if (!r)
        return object;
    json_object_set_new(object, "quasi", json_string(pl_relaxed_reading(r)));
    if (!r->find) {
        json_object_set_new(object, "factor", factor_json(r, r->factor));
        return object;
    }
    json_t *array = json_array();
    for (unsigned i = 0; i < r->found.count; i++)
        json_array_append_new(array, factor_json(r, r->found.vector[i]));
    json_object_set_new(object, "factors", array);
    if (r->found.count)
        json_object_set_new(object, "smallest", json_integer(pl_relaxed_smallest(r)));
    return object;
}

int pl_check_conclude(struct pl_checker *c, enum pl_status status, const struct pl_error *error)
{
    struct pl_execute *e = &c->execute;
    struct pl_strbuf message;
    if (status)
        return pl_execute_fail(e, error);
    e->more = criterion_json(c);
    json_object_set_new(e->more, "stages", stages_json(c));
    e->cases = cases_json(c);
    say_reached(c);
    pl_check_print_notes(c);
    say_unread(c);
    pl_check_print_points(c);
    if (c->show_stats)
        pl_check_print_stats(c);
    pl_strbuf_init(&message);
    enum pl_verdict verdict = judge(c, &message);
    if (verdict == PL_VERDICT_UNKNOWN) /* which no stage says: those not done may be left out */
        add_case(e->cases, "verdict", "error", "unknown", message.text);
    struct pl_session *s = &e->session;
    s->executions = c->sums.executions;
    s->blocked = c->sums.blocked;
    s->cut = c->sums.cut;
    s->steps = c->sums.steps;
    s->threads = c->sums.threads;
    s->took_seconds = pl_now() - c->started;
    e->coverage = verdict != PL_VERDICT_PASS                                 ? "partial"
                  : c->tests.count && !c->sums.beyond && !c->sums.woken_once ? "exhaustive"
                  : c->random                                                ? "sampled"
                                                                             : "bounded";
    e->histories = c->sums.stats.histories;
    int code = pl_execute_conclude(e, verdict, message.text);
    pl_strbuf_release(&message);
    return code;
}
