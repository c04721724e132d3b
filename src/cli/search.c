/* What run and explore share: see search.h. */
#include "cli/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/checkpoint.h"
#include "cli/option_rows.h"
#include "cli/output.h"
#include "cli/passing.h"
#include "cli/preemptions.h"
#include "cli/show.h"
#include "explore/sample.h"

static size_t make_table(const struct pl_search *c, struct pl_option *table, struct pl_settings *s)
{
    const struct pl_option all[PL_SEARCH_OPTIONS] = {
        {"--executions", "N",
         c->explores ? "stop after so many (no limit; samples: 10000 when no --seconds)"
                     : "how many executions (10000 when no --seconds)",
         PL_OPTION_NUMBER, &s->executions, 1, &s->executions_given},
        {"--seconds", "S", "stop after so long", PL_OPTION_SECONDS, &s->seconds, 0, NULL},
        {"--seed", "N", "of the schedules; the same seed gives the same run (1)", PL_OPTION_NUMBER,
         &s->seed, 0, NULL},
        {"--keep-going", NULL, "go on after a finding; show all", PL_OPTION_FLAG, &s->keep_going, 0,
         NULL},
        {"--jobs", "N", "processes side by side; a complete result is the same (1)",
         PL_OPTION_NUMBER, &s->jobs, 1, NULL},
        PL_ROW_JSON(s),
        {"--junit", "FILE", "write the result as JUnit XML, for build servers", PL_OPTION_OUTPUT,
         &s->junit, 0, NULL},
        {"--save", "FILE", "where to save the finding (NAME-N.plumb); `no`: nowhere",
         PL_OPTION_OUTPUT, &s->save, 0, NULL},
        PL_ROW_TRACE(s),
        PL_ROW_COLOUR(s),
        {"--arg", "X", "an argument for the program's main; repeatable", PL_OPTION_LIST,
         &s->arguments, 0, NULL},
        PL_ROW_CC(s),
        {"--compile-commands", "FILE", "take each file's flags from compile_commands.json",
         PL_OPTION_INPUT, &s->compile_commands, 0, NULL},
        PL_ROW_RACES(s),
        {"--volatile", PL_VOLATILE_WORDS, "volatile accesses are relaxed atomics, or plain",
         PL_OPTION_WORD, &s->volatiles, 0, NULL},
        PL_ROW_REUSE(s),
        {"--leaks", NULL, "blocks not freed at the end are a finding", PL_OPTION_FLAG, &s->leaks, 0,
         NULL},
        PL_ROW_SPURIOUS(s),
        PL_ROW_STEPS(s),
        PL_ROW_HANG_SECONDS(s),
        PL_ROW_STACK(s),
        {"--suppressions", "FILE", "races not to report, as for ThreadSanitizer: race:PATTERN",
         PL_OPTION_INPUT, &s->suppressions, 0, NULL},
        {"--nondet", "N", "try the values below N of a __VERIFIER_nondet_ of more than a byte",
         PL_OPTION_NUMBER, &s->nondet, 1, NULL},
        /* of explore alone: */
        {"--model", PL_MODEL_WORDS, "the memory model (rc11)", PL_OPTION_WORD, &s->model, 0, NULL},
        PL_ROW_UNROLL(s),
        {"--robust", NULL,
         "is every execution sequentially consistent? shows the smallest that is not",
         PL_OPTION_FLAG, &s->robust, 0, NULL},
        {"--preemptions", "N",
         "sc: only executions that at most N preemptions show; 0 to N in turn", PL_OPTION_NUMBER,
         &s->preemptions, 0, &s->preemptions_given},
        {"--symmetry", PL_SYMMETRY_WORDS,
         "one execution for all that differ in the names of like threads", PL_OPTION_WORD,
         &s->symmetry, 0, NULL},
        {"--checkpoint", "FILE", "keep there what is left to explore, every minute and at the end",
         PL_OPTION_OUTPUT, &s->checkpoint, 0, NULL},
        {"--resume", "FILE", "go on where a checkpoint was made", PL_OPTION_INPUT, &s->resume, 0,
         NULL},
        {"--strategy", "S", "all (every execution), or samples: random, pct:D, dpct:D",
         PL_OPTION_TEXT, &s->strategy, 0, NULL},
    };
    memcpy(table, all, sizeof all);
    return c->explores ? PL_SEARCH_OPTIONS : PL_RUN_OPTIONS;
}

/* What cannot be handed over, or begins again, leaves nothing to go on from. */
static enum pl_status check_checkpoint(const struct pl_settings *s, struct pl_error *error)
{
    const char *option = s->checkpoint ? "--checkpoint" : "--resume";
    const char *other = s->sampling                  ? "--strategy"
                        : s->robust                  ? "--robust"
                        : s->preemptions_given       ? "--preemptions"
                        : s->races == PL_RACES_ALLOW ? "--races=allow"
                                                     : NULL;
    int fd;
    if (!s->checkpoint && !s->resume)
        return PL_OK;
    if (other)
        return pl_fail(error, PL_ERR_INPUT, "%s: not together with %s", option, other);
    if (!s->checkpoint)
        return PL_OK;
    bool there = access(s->checkpoint, F_OK) == 0;
    enum pl_status status = pl_output_open("--checkpoint", s->checkpoint, &fd, error);
    if (status)
        return status;
    (void)close(fd);
    if (!there)
        (void)unlink(s->checkpoint);
    return PL_OK;
}

static enum pl_status check(const struct pl_execute *e, struct pl_error *error)
{
    const struct pl_settings *s = e->settings;
    if (!s->inputs.count)
        return pl_fail(error, PL_ERR_INPUT, "plumb %s: no file given; plumb %s --help", e->command,
                       e->command);
    if (s->explores && s->jobs > 1 && (s->races == PL_RACES_ALLOW || s->robust))
        return pl_fail(error, PL_ERR_INPUT, "%s: explore uses one process for that, not --jobs",
                       s->robust ? "--robust" : "--races=allow");
    enum pl_status status = pl_settings_preemptions(s, error);
    if (status)
        return status;
    status = check_checkpoint(s, error);
    if (status)
        return status;
    if (s->nondet > 256)
        return pl_fail(error, PL_ERR_INPUT, "--nondet: at most 256");
    if (s->jobs > 64)
        return pl_fail(error, PL_ERR_INPUT, "--jobs: at most 64");
    if (s->stack_kib > 65536)
        return pl_fail(error, PL_ERR_INPUT, "--stack: at most 65536 KiB");
    return PL_OK;
}

/* The sentences of the findings, each once: several processes may meet the same. */
static enum pl_status show_all(struct pl_execute *e, struct pl_error *error)
{
    size_t count = e->settings->keep_going ? e->session.findings : 1, shown = 0;
    char **messages = calloc(count, sizeof(char *));
    PL_ASSERT(messages);
    enum pl_status status = PL_OK;
    for (size_t i = 0; i < count && !status; i++) {
        struct pl_report report;
        struct pl_strbuf message;
        bool again = false;
        pl_strbuf_init(&message);
        status = pl_execute_report(e, &e->session.seen[i], NULL, &report, error);
        if (!status)
            pl_report_message(&report, e->session.seen[i].finding, &message);
        for (size_t k = 0; k < shown; k++)
            again = again || strcmp(messages[k], message.text) == 0;
        if (!again && !status) {
            status = pl_show_finding(e, &e->session.seen[i], message.text, shown, error);
            messages[shown++] = pl_strbuf_detach(&message);
        }
        pl_strbuf_release(&message);
    }
    for (size_t k = 0; k < shown; k++)
        free(messages[k]);
    free(messages);
    return status;
}

/* "data-race", or "3 findings (data-race, deadlock)". */
static void violation_words(const struct pl_execute *e, struct pl_strbuf *out)
{
    size_t count = json_array_size(e->findings);
    struct pl_strbuf kinds;
    pl_strbuf_init(&kinds);
    for (size_t i = 0; i < count; i++) {
        const char *kind =
            json_string_value(json_object_get(json_array_get(e->findings, i), "kind"));
        if (!strstr(kinds.text, kind))
            pl_strbuf_addf(&kinds, "%s%s", kinds.length ? ", " : "", kind);
    }
    if (count > 1)
        pl_strbuf_addf(out, "%zu findings (%s)", count, kinds.text);
    else
        pl_strbuf_add(out, kinds.text);
    pl_strbuf_release(&kinds);
}

static void add_amount(const struct pl_execute *e, struct pl_strbuf *out)
{
    pl_report_count(out, e->session.executions);
    pl_strbuf_addf(out, " execution%s of ", e->session.executions == 1 ? "" : "s");
    pl_execute_inputs(e->settings, out);
    pl_strbuf_addf(out, " (%u thread%s)", e->session.threads, e->session.threads == 1 ? "" : "s");
    if (e->settings->preemptions_given)
        pl_preemptions_add(e, out);
    if (e->session.woken_once)
        pl_strbuf_add(out, PL_WOKEN_ONCE);
}

static void add_estimate(const struct pl_execute *e, struct pl_strbuf *out)
{
    if (e->session.estimate.executions > 0) {
        pl_strbuf_add(out, ", of about ");
        pl_estimate_text(&e->session.estimate, out);
    }
}

/* What was left out, and why: executions at a limit first, for that can be all of them. */
static void add_cut(const struct pl_execute *e, struct pl_strbuf *out)
{
    const struct pl_settings *o = e->settings;
    uint64_t cut = e->session.cut - e->session.passing;
    if (cut) {
        uint64_t limit = o->unroll ? o->unroll : o->steps;
        pl_report_count(out, cut);
        pl_strbuf_addf(out, " execution%s cut at the limit of ", cut == 1 ? " was" : "s were");
        pl_report_count(out, limit);
        pl_strbuf_addf(out, " %s%s%s (--%s raises it); ", o->unroll ? "round" : "step",
                       limit == 1 ? "" : "s", o->unroll ? " of a loop" : "",
                       o->unroll ? "unroll" : "steps");
    }
    if (e->session.passing)
        pl_strbuf_add(out, pl_passing_text(o->unroll));
}

/* The verdict when nothing was found: no more than was seen. */
static enum pl_verdict judge(const struct pl_execute *e, struct pl_strbuf *out)
{
    const struct pl_session *s = &e->session;
    if (s->interrupted) {
        pl_strbuf_add(out, "interrupted; no finding in ");
        add_amount(e, out);
        add_estimate(e, out);
        return PL_VERDICT_UNKNOWN;
    }
    if (s->cut) {
        add_cut(e, out);
        pl_strbuf_add(out, "no finding in ");
        add_amount(e, out);
        return PL_VERDICT_UNKNOWN;
    }
    if (s->bounded && !e->settings->nondet) {
        pl_strbuf_addf(out,
                       "only the values 0 to %u of __VERIFIER_nondet_… were tried (--nondet N); ",
                       s->bounded - 1);
        pl_strbuf_add(out, "no finding in ");
        add_amount(e, out);
        return PL_VERDICT_UNKNOWN;
    }
    bool all = e->settings->explores && !e->settings->sampling;
    if (s->out_of_time && e->settings->executions_given && !all) {
        pl_strbuf_add(out, "the time ran out; no finding in ");
        add_amount(e, out);
        return PL_VERDICT_UNKNOWN;
    }
    if (all && !s->exhausted) {
        pl_strbuf_add(out, "not all executions were explored; no finding in ");
        add_amount(e, out);
        add_estimate(e, out);
        return PL_VERDICT_UNKNOWN;
    }
    pl_strbuf_add(out, "no finding in ");
    add_amount(e, out);
    if (e->settings->robust && !s->weak)
        pl_strbuf_add(out, "; robust: each is sequentially consistent");
    double chance = pl_execute_chance(e);
    if (chance > 0)
        pl_strbuf_addf(out,
                       "; each after the first %d had a chance of %.3g at least to show a bug of "
                       "depth %u, if no execution has more than %llu events and %u threads (none "
                       "had)",
                       PL_SAMPLE_PROBES, chance, e->settings->depth,
                       (unsigned long long)s->pct_length, s->threads);
    return PL_VERDICT_PASS;
}

static void print_head(const struct pl_settings *s)
{
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    pl_execute_inputs(s, &text);
    bool all = s->explores && !s->sampling;
    if (all && s->preemptions_given)
        pl_strbuf_addf(&text, ": every execution with at most %llu preemption%s, model %s",
                       (unsigned long long)s->preemptions, s->preemptions == 1 ? "" : "s",
                       pl_settings_model(s));
    else if (all)
        pl_strbuf_addf(&text, ": every execution, model %s", pl_settings_model(s));
    else if (s->explores)
        pl_strbuf_addf(&text, ": %s samples, model %s, seed %llu, ", s->strategy,
                       pl_settings_model(s), (unsigned long long)s->seed);
    else
        pl_strbuf_addf(&text, ": random schedules, seed %llu, ", (unsigned long long)s->seed);
    if (all && (s->executions_given || s->seconds > 0))
        pl_strbuf_add(&text, ", at most ");
    if (s->executions_given || (s->seconds <= 0 && !all)) {
        pl_report_count(&text, s->executions);
        pl_strbuf_addf(&text, " execution%s", s->executions == 1 ? "" : "s");
    }
    if (s->seconds > 0)
        pl_strbuf_addf(&text, "%s%g s", s->executions_given ? ", " : "", s->seconds);
    (void)printf("%s\n", text.text);
    (void)fflush(stdout);
    pl_strbuf_release(&text);
}

static enum pl_status begin_checkpoint(struct pl_execute *e, struct pl_error *error)
{
    const struct pl_settings *s = e->settings;
    if (!e->checkpoint)
        return PL_OK;
    enum pl_status status = pl_checkpoint_init(
        e->checkpoint, s->checkpoint, e->subject.built.program, e->subject.argv, e->options, error);
    return status || !s->resume ? status : pl_checkpoint_read(e->checkpoint, s->resume, error);
}

/* Why the search went no further, with what is known of it shown first; PL_OK if that is all. */
static enum pl_status show_found(struct pl_execute *e, struct pl_strbuf *ended,
                                 struct pl_error *error)
{
    if (e->session.refused) {
        pl_execute_refusal(e, error);
        if (!e->session.findings)
            return error->status;
        pl_strbuf_addf(ended, "; not explored to the end: %s", error->text);
        *error = (struct pl_error){0};
    }
    return e->session.findings ? show_all(e, error) : PL_OK;
}

static enum pl_status run(struct pl_execute *e, int *code, struct pl_error *error)
{
    struct pl_strbuf message, ended;
    enum pl_status status = check(e, error);
    if (!status)
        status = pl_execute_build(e, error);
    if (status)
        return status;
    status = begin_checkpoint(e, error);
    if (status)
        return status;
    print_head(e->settings);
    status = e->settings->preemptions_given ? pl_preemptions_run(e, error)
                                            : pl_execute_run(e, NULL, error);
    pl_strbuf_init(&ended);
    if (!status)
        status = show_found(e, &ended, error);
    if (status) {
        pl_strbuf_release(&ended);
        return status;
    }
    pl_strbuf_init(&message);
    enum pl_verdict verdict = PL_VERDICT_VIOLATION;
    if (e->session.gave_up)
        (void)fputs("the process died too often; the other executions were not run\n", stderr);
    if (e->session.findings && e->session.seen[0].finding->kind != PL_FINDING_WEAK) {
        violation_words(e, &message);
        pl_preemptions_found(e, &message);
    } else
        verdict = judge(e, &message);
    if (e->session.weak) {
        pl_strbuf_add(&message, "; not robust: ");
        pl_report_count(&message, e->session.weak);
        pl_strbuf_add(&message, e->session.weak == 1 ? " is not sequentially consistent"
                                                     : " are not sequentially consistent");
    }
    if (e->session.open && e->settings->checkpoint && verdict != PL_VERDICT_ERROR)
        pl_strbuf_addf(&message, "; --resume %s goes on", e->settings->checkpoint);
    pl_strbuf_add(&message, ended.text);
    *code = pl_execute_conclude(e, verdict, message.text);
    pl_strbuf_release(&message);
    pl_strbuf_release(&ended);
    return PL_OK;
}

int pl_search(const struct pl_search *command, int argc, char **argv)
{
    struct pl_settings settings;
    struct pl_arguments arguments;
    struct pl_option table[PL_SEARCH_OPTIONS];
    struct pl_error error;
    struct pl_execute execute;
    int code = PL_VERDICT_ERROR;
    pl_settings_init(&settings);
    settings.explores = command->explores;
    size_t options = make_table(command, table, &settings);
    enum pl_status parsed = pl_options_parse(table, options, argc, argv, &arguments, &error);
    settings.inputs = arguments.files;
    settings.flags = arguments.rest;
    if (!parsed && !arguments.help)
        parsed = pl_settings_strategy(&settings, &error);
    if (arguments.help && !parsed) {
        (void)fputs(command->usage, stdout);
        pl_options_help(table, options);
        (void)fputs(command->examples, stdout);
        pl_settings_release(&settings);
        return 0;
    }
    struct pl_error unwritable;
    struct pl_checkpoint checkpoint = {0};
    enum pl_status status = pl_execute_init(&execute, &settings, command->name, &unwritable);
    if (settings.checkpoint || settings.resume)
        execute.checkpoint = &checkpoint;
    if (parsed) {
        status = parsed; /* said first; --json has it if it came before the mistake */
        execute.models = "";
    } else if (status)
        error = unwritable;
    else
        status = run(&execute, &code, &error);
    if (status)
        code = pl_execute_fail(&execute, &error);
    pl_execute_release(&execute);
    pl_checkpoint_release(&checkpoint);
    pl_settings_release(&settings);
    return code;
}
