/* One run of a subject for a table: see bench.h. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "cli/bench.h"
#include "cli/check_parts.h"

static double processor_seconds(void)
{
    double sum = 0;
    static const int of[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    for (int i = 0; i < 2; i++) {
        struct rusage r;
        if (getrusage(of[i], &r) != 0)
            continue;
        sum += (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
               (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) * 1e-6;
    }
    return sum;
}

/* True: the test is done with. */
static bool add(struct pl_bench_result *out, const struct pl_trial *t, const struct pl_session *s)
{
    bool wrong = t->bads || s->findings;
    if (!wrong && (!s->exhausted || t->undecided || s->cut)) {
        out->covered = s->executions > out->covered ? s->executions : out->covered;
        return false;
    }
    out->pass += !wrong;
    out->fail += wrong;
    if (wrong && out->kind == PL_FINDING_NONE)
        out->kind = t->bads ? t->bad[0]->kind : s->seen[0].finding->kind;
    out->serial += t->stats.serial;
    if (t->stats.serial > out->serial_most)
        out->serial_most = t->stats.serial;
    out->executions += s->executions;
    out->blocked += s->blocked;
    out->histories += t->stats.histories;
    out->bad += t->stats.bad;
    out->distinct += t->stats.enumerate.distinct;
    out->permutations += t->stats.enumerate.permutations;
    return true;
}

struct pending {
    struct pl_item *item;
    size_t count;
};

/* Each of those that are not done, for so long by the clock; until the processor has had `until`.
 */
static enum pl_status once_each(struct pl_bench *b, struct pl_checker *c, struct pending *p,
                                double share, double until, struct pl_bench_result *out,
                                struct pl_error *error)
{
    size_t kept = 0;
    enum pl_status status = PL_OK;
    for (size_t i = 0; i < p->count && !status; i++) {
        struct pl_trial t;
        double left = until - processor_seconds();
        bool done = false;
        if (left > 0 && !b->interrupted) {
            c->until = pl_now() + (share < left ? share : left);
            status = pl_check_trial(c, &t, &p->item[i].test, p->item[i].model, error);
            done = !status && add(out, &t, &c->execute.session);
            b->interrupted = b->interrupted || c->execute.session.interrupted;
            pl_trial_release(&t);
        }
        if (!done)
            p->item[kept++] = p->item[i];
    }
    p->count = kept;
    return status;
}

static enum pl_status all(struct pl_bench *b, struct pl_checker *c, struct pl_bench_result *out,
                          struct pl_error *error)
{
    struct pending p = {0};
    struct pl_item item;
    while (pl_agenda_next(&c->agenda, &item)) {
        struct pl_item *bigger = realloc(p.item, (p.count + 1) * sizeof *bigger);
        PL_ASSERT(bigger);
        p.item = bigger;
        p.item[p.count++] = item;
    }
    double started = pl_now(), before = processor_seconds(), until = before + b->seconds;
    enum {
        AT_FIRST = 8
    }; /* times what each would have: most take less, and beginning again costs */
    double share = AT_FIRST * b->seconds / (double)(p.count ? p.count : 1);
    enum pl_status status = PL_OK;
    out->tests = p.count;
    for (; p.count && !status && !b->interrupted && processor_seconds() < until; share *= 4)
        status = once_each(b, c, &p, share, until, out, error);
    out->left = p.count;
    out->seconds = pl_now() - started;
    out->processor = processor_seconds() - before;
    free(p.item);
    return status;
}

enum pl_status pl_bench_run(struct pl_bench *b, const struct pl_bench_run *run,
                            struct pl_bench_result *out, struct pl_error *error)
{
    struct pl_checker c;
    struct pl_strbuf path;
    *out = (struct pl_bench_result){0};
    pl_checker_init(&c);
    pl_strbuf_init(&path);
    pl_strbuf_addf(&path, "%s/%s", b->subjects, run->subject);
    pl_texts_add(&c.settings.inputs, path.text);
    c.model = run->model;
    c.settings.races = run->races_allowed ? PL_RACES_ALLOW : PL_RACES_REPORT;
    c.settings.seed = b->seed;
    c.size = run->size;
    c.settings.preemptions_given = run->preemptions >= 0;
    c.settings.preemptions = run->preemptions >= 0 ? (uint64_t)run->preemptions : 0;
    c.keep_going = run->list_all || run->all_bad;
    c.deciding.decider = run->list_all ? PL_DECIDER_ENUMERATE : PL_DECIDER_WALK;
    c.deciding.no_hash = c.deciding.no_skip = run->plain;
    c.random = run->given || run->clients || run->every ? 0 : b->tests;
    c.clients = run->clients;
    for (size_t i = 0; run->given && run->given[i]; i++)
        pl_texts_add(&c.tests, run->given[i]);
    for (size_t i = 0; run->calls && run->calls[i]; i++)
        pl_texts_add(&c.call_texts, run->calls[i]);
    if (run->setup)
        pl_texts_add(&c.driver.setups, run->setup);
    if (run->blocking)
        pl_texts_add(&c.marks[2], run->blocking);
    c.spec = run->spec;
    c.init = run->init;
    c.final = run->final;
    c.criterion = run->unchecked ? PL_CRITERION_NONE
                  : run->quasi   ? PL_CRITERION_QUASI
                                 : PL_CRITERION_LINEARIZABLE;
    c.criterion_given = true; /* a subject may have a factor of its own */
    c.factor = run->factor;
    c.reading = run->reading;
    c.settings.unroll = run->unroll;
    enum pl_status status = pl_execute_init(&c.execute, &c.settings, "bench", error);
    if (!status)
        status = pl_checker_prepare(&c, error);
    if (!status)
        status = all(b, &c, out, error);
    pl_execute_release(&c.execute);
    pl_checker_release(&c);
    pl_strbuf_release(&path);
    return status;
}

json_t *pl_bench_json(const struct pl_bench_result *r)
{
    json_t *o = json_pack(
        "{s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:f,s:f}", "tests", (json_int_t)r->tests, "pass",
        (json_int_t)r->pass, "fail", (json_int_t)r->fail, "left", (json_int_t)r->left, "serial",
        (json_int_t)r->serial, "serial_most", (json_int_t)r->serial_most, "executions",
        (json_int_t)r->executions, "blocked", (json_int_t)r->blocked, "histories",
        (json_int_t)r->histories, "seconds", r->seconds, "processor_seconds", r->processor);
    PL_ASSERT(o);
    if (r->bad)
        (void)json_object_set_new(o, "bad", json_integer((json_int_t)r->bad));
    if (r->distinct)
        (void)json_object_set_new(o, "distinct", json_integer((json_int_t)r->distinct));
    if (r->permutations)
        (void)json_object_set_new(o, "permutations", json_integer((json_int_t)r->permutations));
    if (r->left)
        (void)json_object_set_new(o, "covered", json_integer((json_int_t)r->covered));
    if (r->kind != PL_FINDING_NONE)
        (void)json_object_set_new(o, "kind", json_string(pl_finding_text(r->kind)));
    return o;
}

bool pl_bench_wants(const struct pl_bench *b, const char *row)
{
    return !b->interrupted && (!b->row || strstr(row, b->row));
}
