/* Running a built subject and watching it. */
#include "cli/session.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "cli/checkpoint.h"
#include "cli/interrupt.h"
#include "cli/passing.h"
#include "cli/progress.h"
#include "cli/share.h"

enum { MOST_DEATHS = 64 };
static const double START_SECONDS = 60, POKE_SECONDS = 20;

/* A place among the jobs; the process in it changes when one died. */
struct job {
    struct pl_process *process; /* NULL: nothing left to do */
    uint64_t heartbeat;
    double moved;    /* when the heartbeat was last seen to change */
    double moved_at; /* processor's seconds of the process then */
    double poked_at;
    bool poked;
};

struct watch {
    struct pl_session *session;
    const struct pl_plan *plan;
    struct job *jobs;
    struct pl_progress progress;
    double started;
    unsigned deaths;
    bool stopping;
    bool sharing;     /* the jobs explore together */
    bool uncounted;   /* they have, and one looks for what may be left: look_for_races() */
    bool waiting;     /* one of them has nothing to do */
    bool begin_again; /* one of them asked for it */
    struct pl_common common;
    bool draining, ending; /* all work is on its way to a checkpoint; then it is over */
    double next_checkpoint;
    uint64_t resumed;  /* findings from before */
    uint64_t sent;     /* bytes that there were for plan->watch */
    uint64_t unknown;  /* of the wires, in sum */
    bool more_unknown; /* since the look before the last */
};

static void on_child(int number)
{
    (void)number; /* only to end the sleep */
}

double pl_now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static enum pl_status start(struct watch *w, struct job *job, uint64_t first,
                            struct pl_error *error)
{
    struct pl_session *s = w->session;
    struct pl_process **bigger =
        realloc(s->process, (s->processes + 1) * sizeof(struct pl_process *));
    PL_ASSERT(bigger);
    s->process = bigger;
    struct pl_process *p;
    enum pl_status status = pl_process_new(&p, NULL, w->plan->options, w->plan->choices, error);
    if (status)
        return status;
    p->wire->options.first = first;
    p->wire->options.stride = w->plan->jobs;
    p->wire->options.sharing = w->sharing;
    if (w->sharing) {
        p->facts_fd = w->common.fd;
        p->wire->options.facts = (uint32_t)w->common.fd;
    }
    p->wire->options.resumes = w->plan->checkpoint && w->plan->checkpoint->resumes;
    p->wire->options.uncounted = w->uncounted;
    if (w->sharing || w->uncounted)
        p->wire->options.executions = 0; /* of all together: grant() counts */
    p->wire->allowed = w->plan->options->executions ? 0 : UINT64_MAX;
    p->wire->current = first;
    s->process[s->processes++] = p;
    *job = (struct job){.process = p, .moved = pl_now()};
    status = pl_process_start(p, w->plan->program, w->plan->argv, error);
    if (status)
        p->ended = true;
    return status;
}

static void stop_all(struct watch *w)
{
    w->stopping = true;
    for (unsigned i = 0; i < w->plan->jobs; i++)
        if (w->jobs[i].process)
            w->jobs[i].process->wire->stop = 1;
}

/* The lowest execution with a finding, UINT64_MAX while there is none. */
static uint64_t best(const struct pl_session *s)
{
    uint64_t lowest = UINT64_MAX;
    for (size_t i = 0; i < s->processes; i++)
        for (uint32_t k = 0; k < s->process[i]->wire->findings; k++)
            if (s->process[i]->wire->finding[k].execution < lowest)
                lowest = s->process[i]->wire->finding[k].execution;
    return lowest;
}

/* Was there a death like this one? One report of them is enough. */
static bool known_death(const struct pl_session *s, enum pl_finding_kind kind, unsigned code)
{
    for (size_t i = 0; i < s->processes; i++)
        for (uint32_t k = 0; k < s->process[i]->wire->findings; k++) {
            const struct pl_wire_finding *f = &s->process[i]->wire->finding[k];
            if (!f->stack && f->kind == kind && f->code == code)
                return true;
        }
    return false;
}

/* It ended without saying so: a finding, and with keep_going the rest goes on. */
static enum pl_status died(struct watch *w, struct job *job, enum pl_finding_kind kind,
                           const char *text, struct pl_error *error)
{
    struct pl_process *p = job->process;
    const struct pl_wire_options *options = w->plan->options;
    uint64_t next = p->wire->current + w->plan->jobs;
    unsigned code =
        WIFSIGNALED(p->status) ? (unsigned)WTERMSIG(p->status) : (unsigned)WEXITSTATUS(p->status);
    if (options->keep_going && known_death(w->session, kind, code)) {
        p->wire->repeats++;
        p->wire->blocked++;
    } else {
        pl_process_add_finding(p, kind, code, text);
    }
    job->process = NULL;
    w->deaths += w->sharing; /* with the work it had */
    if (!options->keep_going || w->stopping || w->sharing ||
        (options->executions && next >= options->executions))
        return PL_OK;
    if (++w->deaths >= MOST_DEATHS) {
        w->session->gave_up = true;
        return PL_OK;
    }
    return start(w, job, next, error);
}

static enum pl_status ended(struct watch *w, struct job *job, struct pl_error *error)
{
    struct pl_process *p = job->process;
    char text[160];
    if (p->wire->error[0]) {
        w->session->refused = w->session->refused ? w->session->refused : p;
        job->process = NULL;
        stop_all(w);
        return PL_OK;
    }
    if (p->wire->wants_again && w->sharing) {
        w->begin_again = true;
        stop_all(w);
    }
    if (p->wire->done || w->session->interrupted) {
        job->process = NULL;
        return PL_OK;
    }
    if (!p->wire->ready) {
        struct pl_strbuf said;
        pl_strbuf_init(&said);
        pl_process_errors(p, &said);
        if (said.length)
            said.text[strcspn(said.text, "\n")] = '\0';
        else if (WIFSIGNALED(p->status))
            pl_strbuf_addf(&said, "it ended before main, with SIG%s",
                           sigabbrev_np(WTERMSIG(p->status)));
        else
            pl_strbuf_addf(&said, "it ended before main, with status %d", WEXITSTATUS(p->status));
        enum pl_status status =
            pl_fail(error, PL_ERR_INPUT, "the program could not start: %.800s", said.text);
        pl_strbuf_release(&said);
        job->process = NULL;
        return status;
    }
    if (WIFSIGNALED(p->status))
        (void)snprintf(text, sizeof text, "the process died with SIG%s in execution %llu",
                       sigabbrev_np(WTERMSIG(p->status)), (unsigned long long)p->wire->current);
    else
        (void)snprintf(text, sizeof text, "the process ended with status %d in execution %llu",
                       WEXITSTATUS(p->status), (unsigned long long)p->wire->current);
    return died(w, job, PL_FINDING_CRASH, text, error);
}

/*
 * Nothing moved for long: ask, and if there is no answer, end it. Long is the processor's
 * time, not the wall's: on a busy machine a subject that is only slow has not had its turn.
 * One that uses no processor time at all waits in the system for something that does not come.
 */
static enum pl_status look_for_hang(struct watch *w, struct job *job, double now,
                                    struct pl_error *error)
{
    struct pl_process *p = job->process;
    struct pl_wire *wire = p->wire;
    if (wire->heartbeat != job->heartbeat || wire->done || wire->idle) {
        job->heartbeat = wire->heartbeat;
        job->moved = now;
        job->moved_at = pl_process_cpu_seconds(p);
        job->poked = false;
        return PL_OK;
    }
    double idle = now - job->moved;
    double limit = wire->ready ? w->plan->hang_seconds : START_SECONDS;
    double used = pl_process_cpu_seconds(p) - job->moved_at;
    bool sleeps = idle > 4 * limit && used < idle / 50;
    if (!job->poked && wire->ready && idle > limit && (used > limit || sleeps)) {
        job->poked_at = now;
        wire->poke_at = wire->heartbeat;
        wire->poke = 1;
        job->poked = true;
    }
    /* Again and again: it goes by when it comes while the runtime walks a stack. */
    if (job->poked && wire->poke)
        (void)kill(p->pid, SIGALRM);
    if (wire->ready ? !job->poked || now - job->poked_at <= POKE_SECONDS : idle <= limit)
        return PL_OK;
    pl_process_kill(p);
    if (!wire->ready) {
        job->process = NULL;
        return pl_fail(error, PL_ERR_INPUT, "the program did not reach main in %.0f s", idle);
    }
    char text[160];
    (void)snprintf(text, sizeof text,
                   "execution %llu did nothing for %.0f s and could not be interrupted",
                   (unsigned long long)wire->current, idle);
    return died(w, job, PL_FINDING_HANG, text, error);
}

static void pass_time(const sigset_t *mask, double now, const struct watch *w)
{
    /* Short at first: a short run should be short. And while there is
       something to take, or the processes would use ever more memory for it, above all if it is
       more only for want of an answer (struct pl_wire_lines). */
    bool short_of_work = (w->waiting || w->draining) && !w->stopping; /* a processor is idle */
    /* Who runs out of work is idle until it is seen. */
    bool busy = now - w->started < 0.05 || w->more_unknown || (w->sharing && w->plan->jobs > 1);
    long wait_ns = short_of_work ? 100000 : busy ? 1000000 : w->sent ? 4000000 : 50000000;
    (void)ppoll(NULL, 0, &(struct timespec){.tv_nsec = wait_ns}, mask);
}

/*
 * Two standard errors to either side, and a factor of four: few ways may lead to most executions,
 * and walks that all missed them do not know. And no fewer than were seen: if the walks know of
 * fewer, they know nothing.
 */
static struct pl_estimate estimate(const struct pl_session *s, uint64_t executions)
{
    enum { LEAST_WALKS = 30, FACTOR = 4 };
    double n = 0, sum = 0, squares = 0, done = (double)executions;
    for (size_t i = 0; i < s->processes; i++) {
        n += (double)s->process[i]->wire->walks;
        sum += s->process[i]->wire->walks_sum;
        squares += s->process[i]->wire->walks_squares;
    }
    if (n < LEAST_WALKS)
        return (struct pl_estimate){0};
    double mean = sum / n, variance = squares / n - mean * mean;
    double error = variance > 0 ? 2 * sqrt(variance / n) : 0;
    if (mean <= done)
        return (struct pl_estimate){0};
    return (struct pl_estimate){.executions = mean,
                                .low = fmax(fmin(mean - error, mean / FACTOR), done),
                                .high = fmax(mean + error, mean * FACTOR)};
}

/* Not every execution was explored after all (passing.h). */
static void say_if_missed(struct pl_session *s, const struct pl_passing *p)
{
    s->passing = pl_passing_is_missed(p);
    s->cut += s->passing;
    s->exhausted = s->exhausted && !s->passing;
}

/* Of this run and those before it. */
static struct pl_counts count(const struct watch *w)
{
    const struct pl_session *s = w->session;
    struct pl_counts c = w->plan->checkpoint->before;
    for (size_t i = 0; i < s->processes; i++) {
        const struct pl_wire *wire = s->process[i]->wire;
        c.executions += wire->executions;
        c.blocked += wire->blocked;
        c.cut += wire->cut;
        c.steps += wire->steps;
        c.repeats += wire->repeats;
        c.threads = wire->threads > c.threads ? wire->threads : c.threads;
        c.bounded = wire->bounded > c.bounded ? wire->bounded : c.bounded;
        pl_passing_add(&c.passing, &wire->passing);
        for (size_t k = 0; k < PL_MAX_SUPPRESSIONS; k++)
            c.suppressed[k] += wire->suppressed[k];
    }
    return c;
}

static double checkpoint_seconds(void)
{
    const char *given = getenv("PLUMB_CHECKPOINT_SECONDS"); /* for our own tests */
    return given ? strtod(given, NULL) : 60;
}

static enum pl_status write_checkpoint(const struct watch *w, struct pl_error *error)
{
    const struct pl_checkpoint *c = w->plan->checkpoint;
    struct pl_counts counts = count(w);
    *c->facts = *w->common.facts;
    return pl_checkpoint_write(c, &counts, w->session->process, w->session->processes, error);
}

/* All work comes here, is written, and goes out again, unless it is over. */
static enum pl_status look_after_checkpoint(struct watch *w, double now, struct pl_error *error)
{
    struct pl_session *s = w->session;
    struct pl_checkpoint *c = w->plan->checkpoint;
    enum pl_status status = PL_OK;
    if (!pl_share_drain(s->process, s->processes, &c->work))
        return PL_OK;
    if (!w->deaths && c->file && c->work.count)
        status = write_checkpoint(w, error);
    w->draining = false;
    w->next_checkpoint = now + checkpoint_seconds();
    if (w->ending)
        stop_all(w);
    return status;
}

/* Time, executions or patience are used up. */
static void end_all(struct watch *w)
{
    if (!w->plan->checkpoint || !w->sharing || w->stopping) {
        stop_all(w);
        return;
    }
    w->draining = w->ending = true;
}

/*
 * Of the executions asked for, each process may make so many and then waits: half of its share of
 * what is left, again and again. What one with nothing to do has left over goes to the others.
 * Returns whether somebody waits for that.
 */
static bool grant(const struct watch *w)
{
    const struct pl_session *s = w->session;
    uint64_t left = w->plan->options->executions, parts = w->plan->jobs > 1 ? 2 * w->plan->jobs : 1;
    if (!left)
        return false;
    for (size_t i = 0; i < s->processes; i++) {
        struct pl_wire *wire = s->process[i]->wire;
        if (!s->process[i]->ended && pl_share_is_idle(wire))
            wire->allowed = wire->executions;
        uint64_t used = s->process[i]->ended || wire->executions > wire->allowed ? wire->executions
                                                                                 : wire->allowed;
        left -= used < left ? used : left;
    }
    bool waits = false;
    for (unsigned i = 0; i < w->plan->jobs; i++) {
        struct pl_wire *wire = w->jobs[i].process ? w->jobs[i].process->wire : NULL;
        if (!wire || pl_share_is_idle(wire) || wire->executions < wire->allowed)
            continue;
        uint64_t part = (left + parts - 1) / parts;
        wire->allowed += part;
        left -= part;
        waits = true;
    }
    return waits;
}

/* Exploring together: who has nothing to do gets some; a finding, or enough, ends it for all. */
static enum pl_status look_after_sharing(struct watch *w, const struct pl_so_far *so_far,
                                         double now, struct pl_error *error)
{
    const struct pl_wire_options *o = w->plan->options;
    struct pl_session *s = w->session;
    struct pl_checkpoint *c = w->plan->checkpoint;
    if (so_far->findings > w->resumed && !o->keep_going && !w->stopping)
        stop_all(w);
    if (w->draining && !w->stopping)
        return look_after_checkpoint(w, now, error);
    if (w->stopping) /* what is in the pool stays there: it is in the checkpoint */
        return PL_OK;
    bool done = pl_share(s->process, s->processes, c ? &c->work : NULL, &w->waiting);
    if (done)
        stop_all(w);
    else if (o->executions && so_far->executions >= o->executions)
        end_all(w);
    else if (c && c->file && now >= w->next_checkpoint)
        w->draining = true;
    w->waiting = grant(w) || w->waiting;
    return PL_OK;
}

/* What watches may take long, and asks for `stop` itself. */
static void watch(const struct pl_plan *plan, struct pl_process *process)
{
    sigset_t interrupt, before;
    (void)sigemptyset(&interrupt);
    pl_interrupt_signals(&interrupt);
    (void)sigprocmask(SIG_UNBLOCK, &interrupt, &before);
    plan->watch(plan->context, process);
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
}

/* One look at everything. *busy: something still runs. */
static enum pl_status look(struct watch *w, bool *busy, struct pl_error *error)
{
    struct pl_session *s = w->session;
    const struct pl_plan *plan = w->plan;
    double now = pl_now();
    struct pl_so_far so_far = {0};
    if (*pl_interrupt_stop() && !s->interrupted) {
        s->interrupted = true;
        end_all(w);
    }
    if (plan->seconds > 0 && now - w->started >= plan->seconds && !w->stopping && !w->ending) {
        s->out_of_time = true;
        end_all(w);
    }
    uint64_t lowest = plan->options->keep_going ? UINT64_MAX : best(s);
    *busy = false;
    for (unsigned i = 0; i < plan->jobs; i++) {
        struct job *job = &w->jobs[i];
        if (!job->process)
            continue;
        if (lowest != UINT64_MAX && job->process->wire->current > lowest)
            job->process->wire->stop = 1; /* I1 */
        if (pl_interrupt_again())
            pl_process_kill(job->process);
        bool over = pl_process_poll(job->process);
        if (plan->watch)
            watch(plan, job->process);
        enum pl_status status = over ? ended(w, job, error) : look_for_hang(w, job, now, error);
        if (status)
            return status;
        *busy = *busy || job->process;
    }
    uint64_t sent = 0, unknown = 0;
    for (size_t i = 0; i < s->processes; i++) {
        sent += s->process[i]->wire->sent;
        unknown += s->process[i]->wire->unknown;
        so_far.executions += s->process[i]->wire->executions;
        so_far.blocked += s->process[i]->wire->blocked;
        so_far.findings += s->process[i]->wire->findings;
        if (s->process[i]->wire->depth > so_far.depth)
            so_far.depth = s->process[i]->wire->depth;
    }
    w->more_unknown = unknown != w->unknown;
    w->unknown = unknown;
    w->sent = sent;
    enum pl_status shared = w->sharing ? look_after_sharing(w, &so_far, now, error) : PL_OK;
    if (w->sharing && plan->checkpoint) {
        so_far.executions += plan->checkpoint->before.executions;
        so_far.blocked += plan->checkpoint->before.blocked;
        w->progress.before = plan->checkpoint->before.executions;
    }
    so_far.estimate = estimate(s, so_far.executions);
    pl_progress_show(&w->progress, now, &so_far);
    return shared;
}

static int by_execution(const void *a, const void *b)
{
    const struct pl_seen *x = a, *y = b;
    if (x->finding->execution != y->finding->execution)
        return x->finding->execution < y->finding->execution ? -1 : 1;
    return x->finding < y->finding ? -1 : x->finding > y->finding;
}

static void gather(struct pl_session *s)
{
    struct pl_passing passing = {.mark = {0}};
    for (size_t i = 0; i < s->processes; i++) {
        const struct pl_wire *wire = s->process[i]->wire;
        s->executions += wire->executions;
        s->blocked += wire->blocked;
        s->cut += wire->cut;
        s->weak += wire->weak;
        s->beyond += wire->beyond;
        s->woken_once = s->woken_once || wire->woken_once;
        s->bounded = wire->bounded > s->bounded ? wire->bounded : s->bounded;
        pl_passing_add(&passing, &wire->passing);
        uint64_t length = wire->pct_length;
        if (i == 0 || !length || (s->pct_length && length > s->pct_length))
            s->pct_length = length;
        s->steps += wire->steps;
        s->repeats += wire->repeats;
        s->threads = wire->threads > s->threads ? wire->threads : s->threads;
        for (size_t k = 0; k < PL_MAX_SUPPRESSIONS; k++)
            s->suppressed[k] += wire->suppressed[k];
        s->findings += wire->findings;
    }
    s->exhausted = pl_share_exhausted(s->process, s->processes);
    say_if_missed(s, &passing);
    s->estimate = estimate(s, s->executions);
    s->seen = calloc(s->findings + 1, sizeof *s->seen);
    PL_ASSERT(s->seen);
    size_t used = 0;
    for (size_t i = 0; i < s->processes; i++)
        for (uint32_t k = 0; k < s->process[i]->wire->findings; k++)
            s->seen[used++] = (struct pl_seen){&s->process[i]->wire->finding[k], s->process[i]};
    qsort(s->seen, s->findings, sizeof *s->seen, by_execution);
}

/* A finding from before, run again: its process takes no part in the search. */
static enum pl_status show_again(struct watch *w, const struct pl_piece *choices,
                                 struct pl_error *error)
{
    struct pl_session *s = w->session;
    struct pl_wire_options *options = malloc(sizeof *options);
    struct pl_process *p, **bigger = realloc(s->process, (s->processes + 1) * sizeof *bigger);
    PL_ASSERT(options && bigger);
    s->process = bigger;
    memcpy(options, w->plan->options, sizeof *options);
    options->replaying = 1;
    options->replay = choices->bytes;
    enum pl_status status = pl_process_new(&p, NULL, options, choices->work, error);
    free(options);
    if (status)
        return status;
    s->process[s->processes++] = p;
    status = pl_process_start(p, w->plan->program, w->plan->argv, error);
    for (double limit = pl_now() + START_SECONDS; !status && !pl_process_poll(p);) {
        if (pl_now() > limit)
            pl_process_kill(p);
        (void)ppoll(NULL, 0, &(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    p->ended = true;
    p->wire->executions = p->wire->blocked = p->wire->cut = p->wire->steps = 0;
    p->wire->exhausted = 1;
    if (!status && !p->wire->findings)
        status = pl_fail(error, PL_ERR_INPUT,
                         "--resume: the program does not show a finding of the checkpoint again");
    w->resumed += p->wire->findings;
    return status;
}

static enum pl_status wait_for_all(struct watch *w, const sigset_t *mask, struct pl_error *error)
{
    enum pl_status status = PL_OK;
    for (bool busy = true; busy && !status;) {
        status = look(w, &busy, error);
        if (busy && !status)
            pass_time(mask, pl_now(), w);
    }
    return status;
}

static enum pl_status run(struct watch *w, const sigset_t *mask, struct pl_error *error)
{
    enum pl_status status = PL_OK;
    const struct pl_pool *findings = w->plan->checkpoint ? &w->plan->checkpoint->findings : NULL;
    w->resumed = 0;
    for (size_t i = 0; findings && i < findings->count && !status; i++)
        status = show_again(w, &findings->piece[i], error);
    for (unsigned i = 0; i < w->plan->jobs && !status; i++)
        status = start(w, &w->jobs[i], w->plan->options->first + i, error);
    return status ? status : wait_for_all(w, mask, error);
}

/* The processes have explored everything together. */
static bool has_explored_all(const struct watch *w)
{
    const struct pl_session *s = w->session;
    const struct pl_checkpoint *c = w->plan->checkpoint;
    return w->sharing && !w->begin_again && !s->interrupted && !s->out_of_time && !s->refused &&
           !w->deaths && !(c && c->work.count) && pl_share_exhausted(s->process, s->processes);
}

/* What they have noted, each a part of it. */
static struct pl_passing passing_of_all(const struct watch *w)
{
    const struct pl_session *s = w->session;
    const struct pl_checkpoint *c = w->plan->checkpoint;
    struct pl_passing all = {.mark = {0}};
    if (c)
        all = c->before.passing;
    for (size_t i = 0; i < s->processes; i++)
        pl_passing_add(&all, &s->process[i]->wire->passing);
    return all;
}

/* Could there be races with rounds that were left out (passing.h)? */
static bool may_race(const struct watch *w, const struct pl_passing *all)
{
    return has_explored_all(w) && pl_passing_may_race(all);
}

/* Could values have been read in passing where that is not explored? Then all begin again, with
 * such rounds made, as one process does that finds out by itself. */
static bool must_make_rounds(const struct watch *w, const struct pl_passing *all)
{
    struct pl_facts *f = w->common.facts;
    if (!has_explored_all(w) || !pl_passing_is_missed(all))
        return false;
    bool rounds = w->plan->options->unroll && !f->keeps_rounds,
         stores = f->had_stores && !f->keeps_stores && !f->needs_stores_void;
    if (rounds)
        f->keeps_rounds = 1;
    else if (stores)
        f->keeps_stores = 1;
    return rounds || stores;
}

/* One more process explores everything alone, and looks for them. Only findings count. */
static enum pl_status look_for_races(struct watch *w, const sigset_t *mask, struct pl_error *error)
{
    struct pl_checkpoint *c = w->plan->checkpoint;
    bool resumes = c && c->resumes;
    w->sharing = w->stopping = w->waiting = false;
    w->uncounted = true;
    enum pl_status status = PL_OK;
    if (c && c->file) /* nothing is left to do but this */
        status = write_checkpoint(w, error);
    if (c)
        c->resumes = false;
    if (!status)
        status = start(w, &w->jobs[0], 0, error);
    struct pl_wire *wire = status ? NULL : w->jobs[0].process->wire;
    if (!status)
        status = wait_for_all(w, mask, error);
    if (c)
        c->resumes = resumes;
    if (wire)
        wire->executions = wire->blocked = wire->cut = wire->steps = wire->repeats = 0;
    return status;
}

static void forget_processes(struct pl_session *s)
{
    for (size_t i = 0; i < s->processes; i++) {
        pl_process_kill(s->process[i]);
        pl_process_free(s->process[i]);
    }
    s->processes = 0;
}

/* The events are others from now on: all that was explored is void, but findings are findings. */
static void forget_checkpoint(struct watch *w)
{
    struct pl_checkpoint *c = w->plan->checkpoint;
    if (!c)
        return;
    pl_pool_release(&c->work);
    memset(&c->before, 0, sizeof c->before);
    c->resumes = false;
}

/* Something was taken for granted that is not so: all of it again. */
static enum pl_status run_again(struct watch *w, const sigset_t *mask, struct pl_error *error)
{
    forget_processes(w->session);
    forget_checkpoint(w);
    pl_facts_begin_again(w->common.facts, true);
    w->begin_again = w->stopping = w->waiting = w->draining = w->ending = false;
    return run(w, mask, error);
}

static enum pl_status run_until_sure(struct watch *w, const sigset_t *mask, struct pl_error *error)
{
    const struct pl_session *s = w->session;
    enum pl_status status = run(w, mask, error);
    while (!status && w->sharing && !s->refused && !s->interrupted && !s->out_of_time) {
        const struct pl_passing all = passing_of_all(w);
        if (w->begin_again || must_make_rounds(w, &all))
            status = run_again(w, mask, error);
        else if (may_race(w, &all))
            status = look_for_races(w, mask, error); /* no longer sharing */
        else
            break;
    }
    return status;
}

static void add_before(struct watch *w)
{
    struct pl_session *s = w->session;
    const struct pl_checkpoint *c = w->plan->checkpoint;
    struct pl_counts all = count(w);
    s->executions = all.executions;
    s->blocked = all.blocked;
    s->cut = all.cut;
    s->steps = all.steps;
    s->repeats = all.repeats;
    s->threads = all.threads;
    s->bounded = all.bounded;
    if (c->before.executions) /* it is not in the file */
        s->woken_once = w->plan->options->spurious;
    memcpy(s->suppressed, all.suppressed, sizeof s->suppressed);
    s->exhausted = s->exhausted && !c->work.count && !all.cut;
    s->open = c->work.count;
    say_if_missed(s, &all.passing);
    s->estimate = estimate(s, s->executions);
    if (s->exhausted && c->file)
        pl_checkpoint_remove(c);
}

enum pl_status pl_session_run(struct pl_session *out, const struct pl_plan *plan,
                              struct pl_error *error)
{
    *out = (struct pl_session){0};
    struct watch w = {.session = out, .plan = plan, .started = pl_now()};
    w.sharing = plan->options->explore[0] && !plan->options->strategy &&
                (plan->jobs > 1 || plan->checkpoint);
    w.common.fd = -1;
    if (w.sharing && pl_common_init(&w.common, error))
        return PL_ERR_SYSTEM;
    if (w.sharing && plan->checkpoint)
        *w.common.facts = *plan->checkpoint->facts;
    w.next_checkpoint = w.started + checkpoint_seconds();
    w.progress =
        (struct pl_progress){.on = plan->progress, .started = w.started, .next = w.started + 0.2};
    w.jobs = calloc(plan->jobs, sizeof *w.jobs);
    PL_ASSERT(w.jobs);
    /* Signals arrive only while we sleep: none is missed between a look and the sleep. */
    sigset_t block, old;
    struct sigaction on_chld = {.sa_handler = on_child}, old_chld;
    (void)sigemptyset(&block);
    pl_interrupt_signals(&block);
    (void)sigaddset(&block, SIGCHLD);
    (void)sigprocmask(SIG_BLOCK, &block, &old);
    pl_interrupt_catch(true);
    (void)sigaction(SIGCHLD, &on_chld, &old_chld);
    enum pl_status status = run_until_sure(&w, &old, error);
    for (size_t i = 0; i < out->processes; i++)
        pl_process_kill(out->process[i]);
    pl_progress_clear(&w.progress);
    (void)sigaction(SIGCHLD, &old_chld, NULL);
    (void)sigprocmask(SIG_SETMASK, &old, NULL);
    pl_interrupt_catch(false);
    gather(out);
    if (plan->checkpoint && !status)
        add_before(&w);
    out->took_seconds = pl_now() - w.started;
    free(w.jobs);
    pl_common_release(&w.common);
    if (status)
        pl_session_release(out);
    return status;
}

void pl_session_release(struct pl_session *s)
{
    for (size_t i = 0; i < s->processes; i++)
        pl_process_free(s->process[i]);
    free(s->process);
    free(s->seen);
    *s = (struct pl_session){0};
}
