/* The work of `plumb stress`: see stresser.h. */
#include "cli/stresser.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/interrupt.h"

static const double USUAL_SECONDS = 10, DECIDE_SECONDS = 5, WAIT_SECONDS = 0.05;
enum {
    USUAL_THREADS = 4,
    USUAL_OPERATIONS = 2000,
    RECORD_BYTES = 72,
    USUAL_WINDOWS = 128, /* of every LONG_EVERY-th round, where nothing else was asked for */
    LONG_EVERY = 16,
    MOST_KEPT = 1 << 20, /* operations of a round since a cut with one state */
};

void pl_stresser_init(struct pl_stresser *s)
{
    *s = (struct pl_stresser){.threads = USUAL_THREADS,
                              .operations = USUAL_OPERATIONS,
                              .seconds = 0,
                              .server = {.wire_fd = -1, .error_fd = -1}};
    pl_checker_init(&s->checker);
}

void pl_stresser_release(struct pl_stresser *s)
{
    pl_symbols_free(s->symbols);
    pl_server_end(&s->server);
    if (s->bad && s->quiet)
        pl_stressed_release(&s->kept);
    pl_windows_release(&s->life);
    pl_subject_release(&s->native);
    pl_checker_release(&s->checker);
}

/* ---- the program on real threads ---- */

static uint32_t processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 0;
    uint32_t count = (uint32_t)CPU_COUNT(&set);
    for (uint32_t i = 0; i < count; i++) /* pinned only where they are the first ones */
        if (!CPU_ISSET(i, &set))
            return 0;
    return count;
}

/* Does the operation put its first argument into a container? Then every value may be another,
 * which the deciders of long histories want. */
static bool puts_value(const struct pl_spec *spec, unsigned code)
{
    if (spec == &pl_spec_deque)
        return code == PL_DEQUE_PUSH_RIGHT || code == PL_DEQUE_PUSH_LEFT;
    return (spec == &pl_spec_fifo || spec == &pl_spec_lifo || spec == &pl_spec_bag ||
            spec == &pl_spec_pqueue || spec == &pl_spec_max_pqueue) &&
           code == PL_PUT;
}

/* The calls to draw from. One of all the calls of an operation that get values of their own. */
static void fill_calls(struct pl_stresser *s, struct pl_stress_options *o)
{
    const struct pl_checker *c = &s->checker;
    for (size_t i = 0; i < c->count && o->calls < PL_STRESS_CALLS; i++) {
        const struct pl_call *call = &c->calls[i];
        bool fresh = call->is_table && call->arguments &&
                     puts_value(c->against.spec, c->against.meant[i].operation.code);
        bool known = false;
        for (uint32_t k = 0; k < o->calls; k++)
            known = known || (fresh && o->call[k].fresh && o->call[k].place == call->place);
        if (known)
            continue;
        struct pl_stress_call *out = &o->call[o->calls];
        *out = (struct pl_stress_call){.place = call->place,
                                       .fresh = fresh,
                                       .group = call->marks.group,
                                       .limit = call->marks.limit};
        memcpy(out->argument, call->argument, sizeof out->argument);
        s->number[o->calls++] = (uint16_t)i;
    }
}

static uint32_t wire_call(const struct pl_stresser *s, const struct pl_stress_options *o, int call)
{
    for (uint32_t i = 0; i < o->calls; i++)
        if (s->number[i] == call)
            return i + 1;
    return 0;
}

static void fill_options(struct pl_stresser *s, struct pl_stress_options *o)
{
    *o = (struct pl_stress_options){
        .seed = s->checker.settings.seed,
        .room = s->operations * RECORD_BYTES + 4096,
        .rounds = s->rounds ? s->rounds : UINT64_MAX,
        .windows = (uint32_t)(s->windows  ? s->windows
                              : s->rounds ? 1
                                          : USUAL_WINDOWS),
        .every = s->windows || s->rounds ? 1 : LONG_EVERY,
        .threads = (uint32_t)s->threads,
        .operations = (uint32_t)s->operations,
        .processors = s->no_pin ? 0 : processors(),
    };
    s->has_windows = o->windows > 1;
    fill_calls(s, o);
    const struct pl_against *a = &s->checker.against;
    int take = pl_against_take(a);
    if (take >= 0 && a->has_empty && !a->meant[take].outs &&
        !s->checker.calls[take].marks.blocking) {
        o->drain = wire_call(s, o, take);
        o->empty_length = a->empty_length;
        memcpy(o->empty, a->empty, a->empty_length);
    }
}

static enum pl_status start(struct pl_stresser *s, struct pl_error *error)
{
    struct pl_settings settings = s->checker.settings;
    struct pl_stress_options *options = calloc(1, sizeof *options);
    PL_ASSERT(options);
    settings.native = true;
    enum pl_status status = pl_subject_build(&s->native, &settings, error);
    if (!status) {
        fill_options(s, options);
        status =
            pl_server_start(&s->server, s->native.built.program, s->native.argv, options, error);
    }
    free(options);
    return status;
}

/* ---- one round ---- */

/* Killed by us it hangs; others may kill it, too. */
static enum pl_finding_kind end_of(const struct pl_stresser *s, const struct pl_stress_round *r)
{
    int status = (int)r->status;
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGKILL && s->hangs ? PL_FINDING_HANG
               : r->signal == SIGABRT                  ? PL_FINDING_ASSERTION
                                                       : PL_FINDING_CRASH;
    if (r->last && !r->whole)
        return PL_FINDING_EXIT;
    return r->broken ? PL_FINDING_INVARIANT : PL_FINDING_NONE;
}

void pl_stresser_whole(const struct pl_stresser *s, struct pl_stressed *window)
{
    struct pl_history whole;
    pl_windows_with(&s->life, &window->history, &whole);
    pl_history_release(&window->history);
    window->history = whole;
    pl_stressed_name_calls(window, s->server.wire, &s->checker.against, s->number);
}

/* What is wrong is the round from its beginning, or from where its state was known. */
static enum pl_status take_bad(struct pl_stresser *s, struct pl_error *error)
{
    struct pl_stressed stressed = {.history = s->life.whole};
    struct pl_case question = {
        .spec = s->checker.against.spec, .initial = s->life.initial, .history = &stressed.history};
    enum pl_status status = PL_OK;
    pl_stressed_name_calls(&stressed, s->server.wire, &s->checker.against, s->number);
    pl_history_init(&s->life.whole);
    s->bad++;
    if (!s->quiet)
        status = pl_stress_show_history(s, &stressed, &question, error);
    if (s->quiet && s->bad == 1)
        s->kept = stressed;
    else
        pl_stressed_release(&stressed);
    return status;
}

static void begin_life(struct pl_stresser *s)
{
    pl_windows_release(&s->life);
    pl_windows_init(&s->life, s->checker.against.spec, s->checker.against.initial);
    s->lost = false;
}

static void end_life(struct pl_stresser *s, uint64_t round)
{
    s->lost = true; /* windows that were under way mean nothing without the ones before */
    s->server.wire->enough = round + 1;
}

/* One window, after those before it of its round. */
static enum pl_status decide(struct pl_stresser *s, unsigned place, struct pl_error *error)
{
    const struct pl_stress_round *r = &s->server.wire->round[place];
    struct pl_budget budget = {.until = pl_check_now() + DECIDE_SECONDS,
                               .stop = pl_interrupt_stop()};
    struct pl_stressed window;
    enum pl_decision decision = PL_GOOD;
    enum pl_status status = PL_OK;
    if (s->lost)
        return PL_OK;
    pl_stressed_read(&window, s->server.wire, place, &s->checker.against, s->number);
    s->recorded += window.history.count;
    s->windows_done++;
    if (window.damaged)
        status = pl_fail(error, PL_ERR_SYSTEM, "the program has damaged what it shares with plumb");
    else
        decision = pl_windows_add(&s->life, &window.history, r->last, &budget);
    pl_stressed_release(&window);
    s->undecided += decision == PL_NEITHER;
    if (decision == PL_BAD)
        status = take_bad(s, error);
    if (decision != PL_GOOD || s->life.whole.count > MOST_KEPT)
        end_life(s, r->number);
    return status;
}

static enum pl_status take_round(struct pl_stresser *s, const struct pl_stress_round *r,
                                 struct pl_error *error)
{
    unsigned place = (unsigned)(s->server.wire->taken % PL_STRESS_ROUNDS);
    enum pl_finding_kind kind = s->may_wait ? PL_FINDING_NONE : end_of(s, r);
    enum pl_status status = PL_OK;
    s->may_wait = false;
    if (kind != PL_FINDING_NONE && !s->quiet)
        status = pl_stress_show_end(s, r, kind, error);
    else
        status = decide(s, place, error);
    if (r->last) {
        s->hangs = false;
        s->done++;
        s->cuts += s->life.cuts;
        s->carried += s->life.carried;
        begin_life(s);
    }
    pl_server_take(&s->server);
    return status;
}

/* ---- all of them ---- */

static void progress(struct pl_stresser *s, double now)
{
    if (!isatty(2) || now - s->shown_at < 0.1)
        return;
    struct pl_strbuf line;
    pl_strbuf_init(&line);
    pl_report_count(&line, s->done);
    pl_strbuf_add(&line, " rounds, ");
    pl_report_count(&line, s->recorded);
    pl_strbuf_addf(&line, " operations, %.0f s", now - s->started);
    (void)fprintf(stderr, "\r\033[K%.100s", line.text);
    (void)fflush(stderr);
    pl_strbuf_release(&line);
    s->shown_at = now;
}

bool pl_stresser_over(struct pl_stresser *s)
{
    double now = pl_now();
    progress(s, now);
    s->interrupted = s->interrupted || *pl_interrupt_stop();
    s->out_of_time = s->until > 0 && now >= s->until;
    return s->interrupted || s->out_of_time || (s->found && !s->keep_going);
}

static enum pl_status died(const struct pl_stresser *s, struct pl_error *error)
{
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    pl_server_errors(&s->server, &text);
    enum pl_status status =
        pl_fail(error, PL_ERR_SYSTEM, "the program ended before its rounds: %.300s",
                s->server.wire->error[0] ? s->server.wire->error
                : text.length            ? text.text
                                         : "it does not say why");
    pl_strbuf_release(&text);
    return status;
}

/*
 * Nothing moves: either all calls under way wait, and then nothing more will come, so the round
 * can as well be over; or the system has not let the threads run, or it hangs.
 */
static void look_for_waiting(struct pl_stresser *s, double now)
{
    const struct pl_stress_wire *w = s->server.wire;
    unsigned place = (unsigned)(w->filled % PL_STRESS_ROUNDS);
    uint64_t moved = w->filled;
    for (unsigned t = 0; t <= s->threads; t++)
        moved += w->round[place].of[t].used + w->round[place].of[t].under_way;
    if (moved != s->moved_to || s->last_round > s->moved_at) {
        s->moved_to = moved;
        s->moved_at = s->looked_at = now;
    } else if (now - s->looked_at > WAIT_SECONDS && !s->may_wait) {
        s->looked_at = now;
        s->may_wait = pl_stress_may_wait(s, place) == PL_GOOD;
        s->waited += s->may_wait;
        if (s->may_wait)
            pl_server_kill_round(&s->server);
    }
}

/* A round that makes calls does not hang, however slow the machine is. */
static double last_move(const struct pl_stresser *s)
{
    return s->moved_at > s->last_round ? s->moved_at : s->last_round;
}

enum pl_status pl_stresser_rounds(struct pl_stresser *s, struct pl_error *error)
{
    const struct timespec little = {.tv_nsec = 200000};
    enum pl_status status = PL_OK;
    s->last_round = pl_now();
    begin_life(s);
    while (!status) {
        double now = pl_now();
        if (pl_stresser_over(s) || (s->rounds && s->done >= s->rounds))
            break;
        const struct pl_stress_round *r = pl_server_round(&s->server);
        if (r) {
            status = take_round(s, r, error);
            s->last_round = pl_now();
        } else if (s->server.ended) {
            status = died(s, error);
        } else if (now - last_move(s) > s->checker.settings.hang_seconds) {
            unsigned place = (unsigned)(s->server.wire->filled % PL_STRESS_ROUNDS);
            s->may_wait = pl_stress_may_wait(s, place) == PL_NEITHER;
            s->undecided += s->may_wait;
            s->hangs = true;
            pl_server_kill_round(&s->server);
            s->last_round = now;
        } else {
            look_for_waiting(s, now);
            (void)nanosleep(&little, NULL);
        }
    }
    s->cost_ns = s->server.wire->cost_ns;
    return status;
}

static enum pl_status run_rounds(struct pl_stresser *s, struct pl_error *error)
{
    enum pl_status status =
        s->sampling ? pl_stresser_sample(s, error) : pl_stresser_rounds(s, error);
    if (s->shown_at > 0)
        (void)fputs("\r\033[K", stderr);
    return status;
}

static void print_head(const struct pl_stresser *s)
{
    const struct pl_checker *c = &s->checker;
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    pl_execute_inputs(&c->settings, &text);
    pl_strbuf_addf(&text, ": %zu call%s, spec %s, %llu thread%s, seed %llu", c->count,
                   c->count == 1 ? "" : "s", c->against.spec->name, (unsigned long long)s->threads,
                   s->threads == 1 ? "" : "s", (unsigned long long)c->settings.seed);
    if (s->sampling)
        pl_strbuf_addf(&text, ", %s schedules", c->settings.strategy);
    if (s->rounds) {
        pl_strbuf_add(&text, ", ");
        pl_report_count(&text, s->rounds);
        pl_strbuf_add(&text, " rounds");
    }
    if (s->windows > 1) {
        pl_strbuf_add(&text, ", ");
        pl_report_count(&text, s->windows);
        pl_strbuf_add(&text, " windows each");
    }
    if (s->seconds > 0)
        pl_strbuf_addf(&text, ", %g s", s->seconds);
    (void)printf("%s\n", text.text);
    (void)fflush(stdout);
    pl_strbuf_release(&text);
}

/* Can the file be made, or made anew? It is not touched: there may be nothing to write. */
static bool is_writable(const char *file)
{
    struct stat there;
    const char *slash = strrchr(file, '/');
    char *folder = slash == file ? strdup("/")
                   : slash       ? strndup(file, (size_t)(slash - file))
                                 : strdup(".");
    PL_ASSERT(folder);
    bool exists = stat(file, &there) == 0;
    bool good = exists ? !S_ISDIR(there.st_mode) && access(file, W_OK) == 0
                       : access(folder, W_OK | X_OK) == 0;
    if (exists && S_ISDIR(there.st_mode))
        errno = EISDIR;
    free(folder);
    return good;
}

enum pl_status pl_stresser_start(struct pl_stresser *s, struct pl_error *error)
{
    struct pl_checker *c = &s->checker;
    if (s->threads > PL_STRESS_THREADS)
        return pl_fail(error, PL_ERR_INPUT, "--threads: at most %d", PL_STRESS_THREADS);
    if (s->operations > 1000000)
        return pl_fail(error, PL_ERR_INPUT,
                       "--operations: at most 1000000 of a thread in a window; --windows are more");
    if (s->windows > 1000000000)
        return pl_fail(error, PL_ERR_INPUT, "--windows: at most 1000000000 of a round");
    if (s->history && !is_writable(s->history))
        return pl_fail(error, PL_ERR_INPUT, "--history %s: cannot be written: %s", s->history,
                       strerror(errno));
    if (s->windows > 1 && c->settings.strategy)
        return pl_fail(error, PL_ERR_INPUT,
                       "--windows: only of real threads; with --strategy a round is one test");
    enum pl_status status = pl_settings_strategy(&c->settings, error);
    if (!status && c->settings.strategy && !c->settings.sampling)
        status = pl_fail(error, PL_ERR_INPUT,
                         "--strategy: plumb stress draws: random, pct:D or dpct:D; for every "
                         "execution use plumb check");
    s->sampling = c->settings.sampling;
    c->settings.sampling = 0; /* only of the rounds: the object's calls are looked at alone first */
    if (!status && s->sampling && s->threads >= PL_TEST_THREADS)
        status = pl_fail(error, PL_ERR_INPUT, "--threads: at most %d with --strategy",
                         PL_TEST_THREADS - 1);
    if (!status)
        status = pl_checker_prepare(c, error);
    if (!status && c->against.written)
        status = pl_fail(error, PL_ERR_INPUT,
                         "plumb stress: a written spec judges small tests only (plumb check); long "
                         "histories need one of those that plumb history --help lists");
    if (!status && !c->against.spec)
        status = pl_fail(error, PL_ERR_INPUT,
                         "plumb stress: which --spec? long histories cannot be judged by serial "
                         "runs; plumb history --help lists the specs");
    return status || s->sampling ? status : start(s, error);
}

static enum pl_status work(struct pl_stresser *s, struct pl_error *error)
{
    enum pl_status status = pl_stresser_start(s, error);
    if (status)
        return status;
    if (s->seconds <= 0 && !s->rounds)
        s->seconds = USUAL_SECONDS;
    print_head(s);
    s->started = pl_now();
    s->until = s->seconds > 0 ? s->started + s->seconds : 0;
    return run_rounds(s, error);
}

static void add_windows(struct pl_stresser *s, struct pl_strbuf *message)
{
    s->cuts += s->life.cuts; /* of a round that was not over */
    s->carried += s->life.carried;
    pl_report_count(message, s->windows_done);
    pl_strbuf_addf(message, " window%s (", s->windows_done == 1 ? "" : "s");
    pl_report_count(message, s->cuts);
    pl_strbuf_addf(message, " cut%s, ", s->cuts == 1 ? "" : "s");
    pl_report_count(message, s->carried);
    pl_strbuf_add(message, " of them with several states), ");
    if (!s->checker.execute.more)
        s->checker.execute.more = json_object();
    json_object_set_new(s->checker.execute.more, "windows",
                        json_pack("{s:I, s:I, s:I}", "decided", (json_int_t)s->windows_done, "cuts",
                                  (json_int_t)s->cuts, "several_states", (json_int_t)s->carried));
}

static int conclude(struct pl_stresser *s, enum pl_status status, const struct pl_error *error)
{
    struct pl_execute *e = &s->checker.execute;
    struct pl_strbuf message;
    if (status)
        return pl_execute_fail(e, error);
    pl_strbuf_init(&message);
    bool all = !s->interrupted && (!s->rounds || s->done >= s->rounds) && !s->undecided;
    bool any = s->sampling ? s->done : s->windows_done;
    enum pl_verdict verdict = s->found     ? PL_VERDICT_VIOLATION
                              : all && any ? PL_VERDICT_PASS
                                           : PL_VERDICT_UNKNOWN;
    if (s->found) {
        json_t *first = json_array_get(e->findings, 0);
        pl_strbuf_add(&message, json_string_value(json_object_get(first, "kind")));
        pl_strbuf_add(&message, " after ");
    } else {
        pl_strbuf_addf(&message, "%sno violation in ", s->interrupted ? "interrupted; " : "");
    }
    uint64_t rounds = s->done + (s->has_windows && s->life.begun); /* with the one under way */
    pl_report_count(&message, rounds);
    pl_strbuf_addf(&message, " round%s, ", rounds == 1 ? "" : "s");
    if (s->has_windows)
        add_windows(s, &message);
    pl_report_count(&message, s->recorded);
    pl_strbuf_addf(&message, " operations of %llu thread%s", (unsigned long long)s->threads,
                   s->threads == 1 ? "" : "s");
    if (s->cost_ns > 0)
        pl_strbuf_addf(&message, "; recording one costs %.0f ns", s->cost_ns);
    if (s->waited)
        pl_strbuf_addf(&message, "; %llu ended with calls that wait, as they should",
                       (unsigned long long)s->waited);
    if (s->undecided)
        pl_strbuf_addf(&message,
                       "; %llu histor%s could not be decided in time: fewer --operations or "
                       "--threads, or values that differ (a table, docs/stress.md)",
                       (unsigned long long)s->undecided, s->undecided == 1 ? "y" : "ies");
    e->session.executions = s->done;
    e->session.threads = (unsigned)s->threads;
    e->session.took_seconds = pl_now() - s->started;
    e->histories = s->done;
    e->coverage = "sampled";
    e->models = s->sampling ? "sc" : "native";
    int code = pl_execute_conclude(e, verdict, message.text);
    pl_strbuf_release(&message);
    return code;
}

int pl_stresser_run(struct pl_stresser *s, enum pl_status parsed, struct pl_error *error)
{
    struct pl_execute *e = &s->checker.execute;
    enum pl_status status = pl_checker_open(&s->checker, "stress", parsed, error);
    if (!status)
        status = work(s, error);
    int code = conclude(s, status, error);
    pl_execute_release(e);
    return code;
}
