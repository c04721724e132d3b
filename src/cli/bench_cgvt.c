/*
 * Table II of Zhang, Wu and Zhang, "Localization of Linearizability Faults on the Coarse-grained
 * Level": ten objects, long histories, the test each is brought down to.
 *
 * Theirs: histories found bad of those recorded, concurrent calls of the test, milliseconds of
 * localising; for the basic version, D-PCT, and D-PCT with the rule (B, D, H). Ours: rounds of real
 * threads found bad, or where they show nothing, rounds under D-PCT or random schedules; and for
 * our own way and each of theirs the concurrent calls and milliseconds from the history to the
 * minimal test. Then the small test under D-PCT, a thousand seeds: how often it is found, and the
 * least that PCT promises.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/bench.h"
#include "cli/localiser.h"
#include "cli/stresser.h"
#include "explore/sample.h"

enum { METHODS = 4, SAMPLES = 20, SEEDS = 1000, MOST_ROUNDS = 4000, DRAWN = 100 };

static const struct row {
    const char *name, *subject;
    unsigned operations; /* of each of two threads */
    const char *paper;   /* bad of all, B D H; calls, B D H; ms, B D H */
    bool wrong;
    uint8_t depth; /* orders of two events that have to hold for the fault to show, or more */
} table[] = {
    {"PairSnapshot", "wrong/cgvt_pair_snapshot.c", 500, "(Table I: 1 and 4 calls)", true, 4},
    {"LFList", "wrong/cgvt_lf_list.c", 500, "5 2 8 /20   2 2 2    154  233  207", true, 3},
    {"CGList", "wrong/cgvt_cg_list.c", 50, "20 20 20 /20  2 2 2     51  256  219", true, 3},
    {"CGList, size", "wrong/cgvt_cg_list_size.c", 500, "0 3 1 /80   - 4 3      -  756  832", true,
     3},
    {"BUList1", "wrong/cgvt_bu_list1.c", 500, "7 5 5 /20   2 2 2    162  245  311", true, 3},
    {"BUList2", "wrong/cgvt_bu_list2.c", 50, "18 20 20 /20  2 2 2     83  365  247", true, 3},
    {"BUList3", "wrong/cgvt_bu_list3.c", 500, "0 2 3 /80   - 2 2      -  326  335", true, 3},
    {"OPQueue", "wrong/cgvt_op_queue.c", 500, "4 19 16 /20  2 3 2    378  796  683", true, 3},
    {"BUQueue", "correct/cgvt_bu_queue.c", 200, "0 0 0 /80   - - -      -    -    -", false, 3},
    {"KStack", "wrong/cgvt_k_stack.c", 50, "10 18 15 /20  2 3 3   2323  864  831", true, 3},
    {"TBStack", "wrong/cgvt_tb_stack.c", 100, "19 20 20 /20  2 2 2   1596  532  356", true, 3},
};
enum { ROWS = sizeof table / sizeof table[0] };

struct figures {
    uint64_t bad, rounds;
    const char *by;          /* what made the rounds */
    unsigned calls[METHODS]; /* 0: none found */
    double ms[METHODS];
    unsigned found; /* of SEEDS */
    double promised;
};

static unsigned concurrent(const struct pl_test *t)
{
    return pl_test_count(t) - t->init - t->final;
}

/* How often a thousand short runs of the small test under D-PCT find it; what PCT promises for a
 * bug of this depth, of the steps and threads of the test. */
static void sample(struct pl_checker *c, const struct pl_test *test, unsigned depth,
                   struct figures *f)
{
    for (unsigned seed = 1; seed <= SEEDS; seed++)
        f->found += pl_localise_sample(c, test, depth, SAMPLES, seed);
    const struct pl_session *s = &c->execute.session;
    double steps = s->executions ? (double)s->steps / (double)s->executions : 1;
    double once = 1 / (s->threads * pow(steps, depth - 1));
    f->promised = 1 - pow(1 - once, SAMPLES);
}

/* Rounds of real threads; if none is bad, of the runtime: few switches, then many. */
/* To bring a history down to a few calls takes what it takes, however short the search for it is to
 * be. */
enum { LEAST = 60 };

static enum pl_status find_bad(struct pl_stresser *s, double seconds, struct figures *f,
                               struct pl_error *error)
{
    static const struct {
        const char *name;
        unsigned sampling;
    } other[] = {{"dpct", PL_SAMPLE_DPCT}, {"random", PL_SAMPLE_RANDOM}};
    enum pl_status status = PL_OK;
    f->by = "threads";
    s->started = pl_now();
    s->until = s->started + seconds;
    for (s->rounds = 20; !status && s->rounds <= MOST_ROUNDS; s->rounds *= 2) {
        status = pl_stresser_rounds(s, error);
        if (s->bad || s->out_of_time)
            break;
    }
    s->until = 0;
    for (unsigned i = 0; !status && !s->bad && i < 2; i++) {
        f->by = other[i].name;
        s->sampling = other[i].sampling;
        s->done = 0;
        for (s->rounds = 1; !status && !s->bad && s->rounds <= DRAWN; s->rounds++)
            status = pl_stresser_sample(s, error);
    }
    f->bad = s->bad;
    f->rounds = s->done;
    return status;
}

static enum pl_status measure(struct pl_bench *b, const struct row *r, struct figures *f,
                              struct pl_error *error)
{
    struct pl_stresser s;
    struct pl_strbuf path;
    pl_stresser_init(&s);
    pl_strbuf_init(&path);
    pl_strbuf_addf(&path, "%s/%s", b->subjects, r->subject);
    pl_texts_add(&s.checker.settings.inputs, path.text);
    s.checker.settings.seed = b->seed;
    s.checker.settings.races = PL_RACES_ALLOW;
    s.threads = 2;
    s.windows = 1; /* a history from the object's beginning, as the paper's */
    s.operations = r->operations;
    s.quiet = true;
    struct pl_checker *c = &s.checker;
    enum pl_status status = pl_execute_init(&c->execute, &c->settings, "bench", error);
    if (!status)
        status = pl_stresser_start(&s, error);
    c->settings.depth = r->depth;
    if (!status)
        status = find_bad(&s, b->seconds, f, error);
    struct pl_case question = {
        .spec = c->against.spec, .initial = c->against.initial, .history = &s.kept.history};
    for (unsigned m = 0; m < METHODS && !status && s.bad; m++) {
        struct pl_localising how = {.method = m, .seconds = fmax(b->seconds, LEAST)};
        double before = pl_now();
        pl_localise_find(c, &question, s.kept.call, &how);
        f->ms[m] = (pl_now() - before) * 1e3;
        f->calls[m] = how.found ? concurrent(&how.located.test) : 0;
        if (m == PL_METHOD_EXPLORE && how.found)
            sample(c, &how.located.test, r->depth, f);
    }
    pl_execute_release(&c->execute);
    pl_stresser_release(&s);
    pl_strbuf_release(&path);
    return status;
}

static void print_row(const struct row *r, const struct figures *f)
{
    static const char *const digits[] = {"-", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    (void)printf("%-13s | %-38s | %4llu /%-5llu %-7s |", r->name, r->paper,
                 (unsigned long long)f->bad, (unsigned long long)f->rounds, f->by);
    for (unsigned m = 0; m < METHODS; m++)
        (void)printf(" %2s %6.0f |", f->calls[m] < 10 ? digits[f->calls[m]] : "+", f->ms[m]);
    if (f->found)
        (void)printf(" %4u, %.1f promised", f->found, f->promised * SEEDS);
    (void)puts("");
    (void)fflush(stdout);
}

static json_t *row_json(const struct row *r, const struct figures *f)
{
    json_t *methods = json_array();
    for (unsigned m = 0; m < METHODS; m++)
        json_array_append_new(methods,
                              json_pack("{s:i,s:f}", "calls", (int)f->calls[m], "ms", f->ms[m]));
    json_t *row = json_pack("{s:s,s:s,s:s,s:I,s:I,s:s,s:o,s:i,s:f}", "table", "cgvt", "name",
                            r->name, "paper", r->paper, "bad", (json_int_t)f->bad, "rounds",
                            (json_int_t)f->rounds, "by", f->by, "methods", methods, "found_of_1000",
                            (int)f->found, "promised_of_1000", f->promised * SEEDS);
    PL_ASSERT(row);
    return row;
}

/* Found, brought down to few calls, and at least as often as promised; or not found at all. */
static bool as_expected(const struct row *r, const struct figures *f)
{
    if (!r->wrong)
        return !f->bad;
    unsigned most = strcmp(r->name, "PairSnapshot") == 0 ? 5 : 4;
    return f->bad && f->calls[0] && f->calls[0] <= most && f->found >= f->promised * SEEDS;
}

enum pl_status pl_bench_cgvt(struct pl_bench *b, json_t *rows, struct pl_error *error)
{
    (void)printf("\nCGVT, Table II: two threads; bad histories, concurrent calls, ms\n"
                 "%-13s | %-38s | %-19s | %-9s | %-9s | %-9s | %-9s | D-PCT, of %d seeds\n",
                 "object", "the paper: B D H", "rounds", "explore", "basic", "dpct", "heuristic",
                 SEEDS);
    for (size_t i = 0; i < ROWS; i++) {
        struct figures f = {0};
        if (!pl_bench_wants(b, table[i].name))
            continue;
        enum pl_status status = measure(b, &table[i], &f, error);
        if (status)
            return status;
        print_row(&table[i], &f);
        (void)json_array_append_new(rows, row_json(&table[i], &f));
        b->differ += !as_expected(&table[i], &f);
    }
    return PL_OK;
}
