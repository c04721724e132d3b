/*
 * The tests of the agenda, one after the other or in several processes side by side.
 *
 *     parent ── agenda ──► results in the agenda's order ──► sums, stages, violations
 *        ▲
 *        └── pipe ◄── workers: each has a copy of the agenda, claims the next number, runs it
 *
 * R1  What is counted and shown depends on the results in their order, up to the first
 *     violation: it is the same for every number of workers (unless the time runs out).
 * R2  A worker shows nothing. A test that is wrong is run once more by the parent.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/check_parts.h"
#include "cli/interrupt.h"
#include "cli/loosened.h"

static const double LEAST_SHARE = 2, AGAIN_SECONDS = 30;

struct result {
    uint64_t number; /* of the item */
    enum pl_status status;
    char error[512];
    struct pl_check_sums sums;
    bool wrong, done;
    enum pl_finding_kind kind; /* if it is wrong */
};
_Static_assert(sizeof(struct result) <= 4096, "one write to the pipe: PIPE_BUF");

/* ---- one ---- */

/* Where the sizes are ours to choose, a test of the larger ones may take a tenth of the time: one
 * must not take the place of all. */
static double share_of(const struct pl_checker *c, const struct pl_item *item)
{
    const struct pl_stage *s = &c->agenda.stage[item->stage];
    double share = c->settings.seconds / 10;
    bool is_large =
        s->kind == PL_STAGE_ENDLESS || (!c->asked && !c->automatic && s->threads * s->length > 4);
    if (!is_large || c->settings.seconds <= 0)
        return 0;
    return share > LEAST_SHARE ? share : LEAST_SHARE;
}

static enum pl_status try_item(struct pl_checker *c, const struct pl_item *item, struct pl_trial *t,
                               struct result *r, struct pl_error *error)
{
    c->limit = share_of(c, item);
    enum pl_status status = pl_check_trial(c, t, &item->test, item->model, error);
    c->limit = 0;
    *r = (struct result){.status = status};
    if (status) {
        (void)snprintf(r->error, sizeof r->error, "%.500s", error->text);
        return status;
    }
    const struct pl_session *s = &c->execute.session;
    pl_check_count(&r->sums, t, s);
    r->sums.out_of_time = s->out_of_time && c->until > 0 && pl_now() >= c->until;
    r->wrong = t->bads || s->findings;
    r->kind = t->bads       ? t->bad[0]->kind
              : s->findings ? (enum pl_finding_kind)s->seen[0].finding->kind
                            : PL_FINDING_NONE;
    r->done = !r->wrong && s->exhausted && !t->undecided;
    return PL_OK;
}

static bool over(const struct pl_checker *c)
{
    return c->sums.interrupted || *pl_interrupt_stop() || c->sums.out_of_time ||
           (c->shown && !c->keep_going);
}

/* With --relax and --find-factor: with the number it takes. */
static enum pl_status try_relaxed(struct pl_checker *c, const struct pl_item *item,
                                  struct pl_trial *t, struct result *r, struct pl_error *error)
{
    enum pl_status status = try_item(c, item, t, r, error);
    while (!status && c->find_relaxed && t->bads && !c->execute.session.findings && !over(c) &&
           pl_loosened_more(&c->against.relaxation, pl_test_count(&item->test))) {
        pl_trial_release(t);
        status = try_item(c, item, t, r, error);
    }
    return status;
}

static void merge(struct pl_checker *c, const struct pl_item *item, const struct result *r)
{
    struct pl_stage *stage = &c->agenda.stage[item->stage];
    struct pl_stage_count *count = &stage->under[item->under];
    struct pl_check_sums sums = r->sums;
    if (stage->kind == PL_STAGE_ENDLESS) /* one more that is not done, of a sample */
        sums.undecided = false;
    pl_check_add_sums(&c->sums, &sums);
    c->execute.tests++;
    count->run++;
    count->done += r->done;
    count->executions += r->sums.executions;
    count->wrong = count->wrong || r->wrong;
}

/* What the session has found besides histories: with --keep-going each place once. */
static enum pl_status show_findings(struct pl_checker *c, const struct pl_item *item,
                                    struct pl_error *error)
{
    const struct pl_session *s = &c->execute.session;
    size_t count = c->keep_going ? s->findings : 1;
    struct {
        enum pl_finding_kind kind;
        char *place;
    } *found = calloc(count, sizeof *found);
    PL_ASSERT(found);
    for (size_t i = 0; i < count; i++) { /* the session is another one when tests are shrunk */
        found[i].kind = (enum pl_finding_kind)s->seen[i].finding->kind;
        found[i].place = c->keep_going ? pl_check_place(c, &s->seen[i]) : NULL;
    }
    enum pl_status status = PL_OK;
    for (size_t i = 0; i < count; i++) {
        if (!status && (!found[i].place || !pl_check_is_known(c, found[i].place)))
            status = pl_check_show_smallest(c, item, NULL, found[i].kind, found[i].place, error);
        free(found[i].place);
    }
    free(found);
    return status;
}

/* One more violation is brought down to its smallest test, and shown, as long as there is time; the
 * first one in any case. */
static bool has_time(const struct pl_checker *c)
{
    return !c->shown || !(c->until > 0 && pl_now() >= c->until);
}

/* What is wrong with the test of the trial. */
static enum pl_status show(struct pl_checker *c, const struct pl_item *item, struct pl_trial *t,
                           struct pl_error *error)
{
    enum pl_status status = PL_OK;
    /* Bad histories were there before the process ended with the other. */
    if (c->execute.session.findings && (!t->bads || c->keep_going))
        status = show_findings(c, item, error);
    unsigned left = 0;
    for (unsigned i = 0; i < t->bads && !status; i++) {
        if (pl_check_is_known(c, t->bad[i]->signature))
            continue;
        if (has_time(c))
            status = pl_check_show_smallest(c, item, t->bad[i], PL_FINDING_NONE, NULL, error);
        else
            left++;
    }
    if (left)
        (void)printf("  the time is over: %u more violation%s of this test not shown\n", left,
                     left == 1 ? "" : "s");
    return status;
}

static void progress(struct pl_checker *c, const struct pl_item *item)
{
    double now = pl_now();
    if (!isatty(2) || now - c->shown_at < 0.1)
        return;
    struct pl_strbuf line;
    pl_strbuf_init(&line);
    pl_report_count(&line, c->execute.tests);
    pl_strbuf_add(&line, " tests, ");
    pl_report_count(&line, c->sums.executions);
    pl_strbuf_addf(&line, " executions, model %s: ", item->model);
    pl_test_print(&item->test, c->calls, &line);
    (void)fprintf(stderr, "\r\033[K%.100s", line.text);
    (void)fflush(stderr);
    pl_strbuf_release(&line);
    c->shown_at = now;
}

static void clear_progress(struct pl_checker *c)
{
    if (c->shown_at > 0)
        (void)fputs("\r\033[K", stderr);
    c->shown_at = 0;
}

/* Stages before this one are over, unless they take turns. */
static void print_stages(struct pl_checker *c, unsigned before)
{
    for (;
         c->stages_printed < before && c->agenda.stage[c->stages_printed].kind != PL_STAGE_ENDLESS;
         c->stages_printed++) {
        clear_progress(c);
        pl_check_print_stage(c, &c->agenda.stage[c->stages_printed]);
    }
}

static enum pl_status run_alone(struct pl_checker *c, struct pl_error *error)
{
    struct pl_item item;
    enum pl_status status = PL_OK;
    while (!status && !over(c) && pl_agenda_next(&c->agenda, &item)) {
        struct pl_trial t;
        struct result r;
        print_stages(c, item.stage);
        progress(c, &item);
        status = try_relaxed(c, &item, &t, &r, error);
        if (!status)
            merge(c, &item, &r);
        if (!status && r.wrong) {
            clear_progress(c);
            if (!c->keep_going) /* the line of the stage says where it stopped */
                print_stages(c, item.stage + 1);
            status = show(c, &item, &t, error);
        }
        pl_trial_release(&t);
    }
    return status;
}

/* ---- side by side ---- */

struct shared {
    uint64_t next; /* number to claim */
    int stop;
};

struct crew {
    struct shared *shared;
    pid_t *worker;
    unsigned count;
    int from;               /* the pipe */
    struct result *waiting; /* results that came early */
    size_t waiting_count, waiting_room;
};

_Noreturn static void work(struct pl_checker *c, struct shared *shared, int to, pid_t parent)
{
    struct pl_item item;
    uint64_t at = 0;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (getppid() == parent && !__atomic_load_n(&shared->stop, __ATOMIC_RELAXED) &&
           !*pl_interrupt_stop() && !(c->until > 0 && pl_now() >= c->until)) {
        uint64_t mine = __atomic_fetch_add(&shared->next, 1, __ATOMIC_RELAXED);
        bool more = true;
        for (; more && at <= mine; at++)
            more = pl_agenda_next(&c->agenda, &item);
        if (!more)
            break;
        struct pl_trial t;
        struct result r;
        struct pl_error error;
        (void)try_item(c, &item, &t, &r, &error);
        pl_trial_release(&t);
        r.number = mine;
        if (write(to, &r, sizeof r) != (ssize_t)sizeof r)
            break;
    }
    _exit(0);
}

static void dismiss(struct crew *crew, bool at_once)
{
    __atomic_store_n(&crew->shared->stop, 1, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < crew->count; i++) {
        if (at_once)
            (void)kill(crew->worker[i], SIGKILL);
        while (waitpid(crew->worker[i], NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    crew->count = 0;
}

static enum pl_status hire(struct pl_checker *c, struct crew *crew, struct pl_error *error)
{
    int pipes[2];
    pid_t parent = getpid();
    unsigned jobs = (unsigned)c->settings.jobs;
    *crew = (struct crew){.from = -1};
    crew->shared =
        mmap(NULL, sizeof *crew->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    crew->worker = calloc(jobs, sizeof *crew->worker);
    PL_ASSERT(crew->shared != MAP_FAILED && crew->worker);
    if (pipe(pipes) != 0)
        return pl_fail_errno(error, "pipe");
    crew->from = pipes[0];
    (void)fflush(NULL);
    for (; crew->count < jobs; crew->count++) {
        pid_t pid = fork();
        if (pid < 0)
            break;
        if (pid == 0) {
            (void)close(pipes[0]);
            work(c, crew->shared, pipes[1], parent);
        }
        crew->worker[crew->count] = pid;
    }
    (void)close(pipes[1]);
    return crew->count ? PL_OK : pl_fail_errno(error, "cannot start a process");
}

static bool take_waiting(struct crew *crew, uint64_t number, struct result *out)
{
    for (size_t i = 0; i < crew->waiting_count; i++)
        if (crew->waiting[i].number == number) {
            *out = crew->waiting[i];
            crew->waiting[i] = crew->waiting[--crew->waiting_count];
            return true;
        }
    return false;
}

/* The result of the item with this number; false: it will not come. */
static bool wait_for(struct pl_checker *c, struct crew *crew, uint64_t number, struct result *out,
                     const struct pl_item *item)
{
    while (!take_waiting(crew, number, out)) {
        struct pollfd ready = {.fd = crew->from, .events = POLLIN};
        struct result r;
        progress(c, item);
        if (*pl_interrupt_stop() && !c->sums.interrupted) {
            c->sums.interrupted = true;
            for (unsigned i = 0; i < crew->count; i++)
                (void)kill(crew->worker[i], SIGINT); /* its program is told to stop */
        }
        if (poll(&ready, 1, 100) <= 0)
            continue;
        ssize_t got = read(crew->from, &r, sizeof r);
        if (got <= 0)
            return false;
        if (got != (ssize_t)sizeof r)
            continue;
        if (crew->waiting_count == crew->waiting_room) {
            crew->waiting_room = crew->waiting_room ? 2 * crew->waiting_room : 64;
            crew->waiting = realloc(crew->waiting, crew->waiting_room * sizeof *crew->waiting);
            PL_ASSERT(crew->waiting);
        }
        crew->waiting[crew->waiting_count++] = r;
    }
    return true;
}

/* R2: what a worker found, here. */
static enum pl_status show_again(struct pl_checker *c, const struct pl_item *item,
                                 enum pl_finding_kind kind, struct pl_error *error)
{
    struct pl_trial t;
    double until = c->until;
    c->until = until > 0 ? pl_now() + AGAIN_SECONDS : 0;
    pl_interrupt_bear(true); /* as where it is shown */
    enum pl_status status = pl_check_trial(c, &t, &item->test, item->model, error);
    pl_interrupt_bear(false);
    c->until = until;
    if (!status && !t.bads && !c->execute.session.findings)
        status = pl_check_tell(c, &item->test, item->model, kind, error);
    else if (!status)
        status = show(c, item, &t, error);
    pl_trial_release(&t);
    return status;
}

static enum pl_status run_crew(struct pl_checker *c, struct crew *crew, struct pl_error *error)
{
    struct pl_item item;
    struct result r;
    enum pl_status status = PL_OK;
    for (uint64_t number = 0; !status && !over(c) && pl_agenda_next(&c->agenda, &item); number++) {
        print_stages(c, item.stage);
        if (!wait_for(c, crew, number, &r, &item)) {
            bool late = c->until > 0 && pl_now() >= c->until;
            c->sums.out_of_time = c->sums.out_of_time || late;
            if (!late && !c->sums.interrupted)
                status = pl_fail(error, PL_ERR_SYSTEM, "a process of --jobs ended before its work");
            break;
        }
        if (r.status) {
            status = pl_fail(error, r.status, "%s", r.error);
            break;
        }
        merge(c, &item, &r);
        if (!r.wrong)
            continue;
        clear_progress(c);
        if (!c->keep_going) {
            dismiss(crew, true);
            print_stages(c, item.stage + 1);
        }
        status = show_again(c, &item, r.kind, error);
    }
    return status;
}

static enum pl_status run_side_by_side(struct pl_checker *c, struct pl_error *error)
{
    struct crew crew;
    enum pl_status status = hire(c, &crew, error);
    if (!status)
        status = run_crew(c, &crew, error);
    dismiss(&crew, status || over(c));
    if (crew.from >= 0)
        (void)close(crew.from);
    (void)munmap(crew.shared, sizeof *crew.shared);
    free(crew.worker);
    free(crew.waiting);
    return status;
}

enum pl_status pl_check_observe(struct pl_checker *c, struct pl_error *error)
{
    if (c->against.spec || c->deciding.none)
        return pl_fail(error, PL_ERR_INPUT, "--observations: nothing is run serially with %s",
                       c->deciding.none ? "--criterion none" : "--spec");
    if (c->settings.jobs > 1)
        return pl_fail(error, PL_ERR_INPUT, "--observations: one process writes them, not --jobs");
    c->deciding.observe = true;
    return pl_observe_open(&c->observe, c->observations, c->settings.inputs.text[0], error);
}

enum pl_status pl_check_run_agenda(struct pl_checker *c, struct pl_error *error)
{
    enum pl_status status = c->settings.jobs > 1 ? run_side_by_side(c, error) : run_alone(c, error);
    c->sums.interrupted = c->sums.interrupted || *pl_interrupt_stop();
    clear_progress(c);
    if (c->observe && !pl_observe_close(c->observe) && !status)
        status =
            pl_fail(error, PL_ERR_SYSTEM, "--observations %s: cannot be written", c->observations);
    c->observe = NULL;
    if (!status && (!c->shown || c->keep_going)) {
        for (unsigned i = c->stages_printed; i < c->agenda.stages; i++)
            if (c->agenda.stage[i].under[0].run)
                pl_check_print_stage(c, &c->agenda.stage[i]);
        c->stages_printed = c->agenda.stages;
    }
    return status;
}
