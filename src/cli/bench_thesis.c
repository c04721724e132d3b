/*
 * Tables of du Toit's thesis. The test cases of Table 4.2: distinct histories (4.7), seconds for
 * all executions (4.3) and until the error is found (4.13), each of the external, sound, automatic
 * checker. Then Table 4.10, which stops where the thesis's checker does: the set with more
 * operations and threads.
 *
 * A case runs three times: under sc for all executions, with every history and every order listed
 * (the way of the thesis); under sc until something is found; under rc11 until something is found.
 */
#include <stdio.h>

#include "cli/bench.h"

static const struct row {
    const char *name, *subject, *test;
    /* The thesis's; 0: not given. */
    unsigned distinct;
    double all_seconds, found_seconds;
    bool wrong; /* an error is expected */
} cases[] = {
    {"BuggyQueue", "wrong/buggy_queue_try.c", "deq() | enq(8),enq(9)", 27, 776, 2.52, true},
    {"BuggyQueue that waits", "wrong/buggy_queue.c", "deq() | enq(8),enq(9)", 0, 0, 0, true},
    {"LockFreeList Bug1", "wrong/list_marked_twice.c",
     "add(5),add(6),add(7),del(5),del(6) | del(6)", 130, 12268, 30.38, true},
    {"LockFreeList without marks", "wrong/lock_free_list.c",
     "add(5),add(6),add(7),del(5),del(6) | del(6)", 0, 0, 0, true},
    {"LockFreeList Bug2", "wrong/lock_free_list.c", "add(5),add(7),del(5),has(6) | add(6)", 73,
     3895, 31.19, true},
    {"PairSnap", "wrong/pair_snapshot.c",
     "write_cell(1,101),write_cell(3,201),write_cell(1,301) | has_pair(1,3)", 48, 1056, 1.51, true},
    {"SnarkDeque Bug1", "wrong/snark_deque.c",
     "pop_right() | push_right(4),push_right(5),pop_left()", 60, 1678, 16.04, true},
    {"SnarkDeque Bug2", "wrong/snark_halves.c", "pop_right() | push_right(6),pop_left()", 31, 435,
     2.29, true},
    {"SnarkDeque, real DCAS", "wrong/snark_deque.c", "pop_right() | push_right(6),pop_left()", 0, 0,
     0, false},
    {"LockFreeSet", "correct/lock_free_set.c", "add(5),add(5) | del(5)", 31, 541, 0, false},
};
static const struct scale {
    const char *name, *test;
    unsigned distinct; /* the thesis's; 0: timed out after 12 hours */
    double seconds;
    bool list; /* few enough histories to list */
} scales[] = {
    {"2 threads x 1", "add(1) | add(2)", 6, 57, true},
    {"2 threads x 2", "add(1),del(1) | add(2),del(2)", 70, 17579, true},
    {"2 threads x 4", "add(1),del(1),add(2),del(2) | add(3),del(3),add(4),del(4)", 0, 0, false},
    {"2 threads x 6",
     "add(1),del(1),add(2),del(2),add(3),del(3) | add(4),del(4),add(5),del(5),add(6),del(6)", 0, 0,
     false},
    {"3 threads x 1", "add(1) | add(2) | add(3)", 0, 0, true},
    {"3 threads x 2", "add(1),del(1) | add(2),del(2) | add(3),del(3)", 0, 0, false},
    {"3 threads x 4",
     "add(1),del(1),add(2),del(2) | add(3),del(3),add(4),del(4) | add(5),del(5),add(6),del(6)", 0,
     0, false},
};
enum { CASES = sizeof cases / sizeof cases[0], SCALES = sizeof scales / sizeof scales[0] };
enum { ALL, FOUND, RC11, RUNS };
static const char *const run_key[RUNS] = {"all", "found", "rc11"};

static void print_number(double value, int width, int digits)
{
    if (value > 0)
        (void)printf(" %*.*f", width, digits, value);
    else
        (void)printf(" %*s", width, "");
}

static const char *answer(const struct pl_bench_result *r)
{
    return r->left ? "unknown" : r->fail ? pl_finding_text(r->kind) : "pass";
}

static json_t *row_json(const char *name, const char *subject, const char *test, unsigned distinct,
                        double all_seconds)
{
    json_t *paper = json_object();
    PL_ASSERT(paper);
    if (distinct)
        (void)json_object_set_new(paper, "distinct", json_integer(distinct));
    if (all_seconds > 0)
        (void)json_object_set_new(paper, "all_seconds", json_real(all_seconds));
    json_t *row = json_pack("{s:s,s:s,s:s,s:s,s:o}", "table", "thesis", "name", name, "subject",
                            subject, "test", test, "paper", paper);
    PL_ASSERT(row);
    return row;
}

static enum pl_status run_case(struct pl_bench *b, const struct row *r, json_t *rows,
                               struct pl_error *error)
{
    struct pl_bench_result of[RUNS];
    const char *const given[] = {r->test, NULL};
    for (int k = 0; k < RUNS; k++) {
        struct pl_bench_run run = {.subject = r->subject,
                                   .given = given,
                                   .model = k == RC11 ? "rc11" : "sc",
                                   .races_allowed = k != RC11,
                                   .preemptions = -1,
                                   .list_all = k == ALL};
        enum pl_status status = pl_bench_run(b, &run, &of[k], error);
        if (status)
            return status;
    }
    (void)printf("%-27s |", r->name);
    print_number(r->distinct, 8, 0);
    print_number(r->all_seconds, 8, 0);
    print_number(r->found_seconds, 8, 2);
    (void)printf(" | %8llu %8.3f %8.3f  %-16s | %s\n", (unsigned long long)of[ALL].distinct,
                 of[ALL].processor, of[FOUND].processor, answer(&of[FOUND]), answer(&of[RC11]));
    (void)fflush(stdout);
    json_t *row = row_json(r->name, r->subject, r->test, r->distinct, r->all_seconds);
    if (r->found_seconds > 0)
        (void)json_object_set_new(json_object_get(row, "paper"), "found_seconds",
                                  json_real(r->found_seconds));
    for (int k = 0; k < RUNS; k++)
        (void)json_object_set_new(row, run_key[k], pl_bench_json(&of[k]));
    (void)json_array_append_new(rows, row);
    if ((of[FOUND].fail > 0) != r->wrong || of[FOUND].left || of[ALL].left ||
        (r->distinct && r->distinct != of[ALL].distinct))
        b->differ++;
    return PL_OK;
}

static enum pl_status run_scale(struct pl_bench *b, const struct scale *s, json_t *rows,
                                struct pl_error *error)
{
    struct pl_bench_result result;
    const char *const given[] = {s->test, NULL};
    const char *subject = "correct/lock_free_set.c";
    struct pl_bench_run run = {.subject = subject,
                               .given = given,
                               .model = "sc",
                               .races_allowed = true,
                               .preemptions = -1,
                               .list_all = s->list};
    enum pl_status status = pl_bench_run(b, &run, &result, error);
    if (status)
        return status;
    (void)printf("%-27s |", s->name);
    print_number(s->distinct, 8, 0);
    print_number(s->seconds, 8, 0);
    (void)printf(" %8s |", s->distinct ? "" : "-");
    print_number((double)result.distinct, 8, 0);
    (void)printf(" %8.3f %11llu  %s\n", result.processor,
                 (unsigned long long)(result.left ? result.covered : result.executions),
                 answer(&result));
    (void)fflush(stdout);
    json_t *row = row_json(s->name, subject, s->test, s->distinct, s->seconds);
    (void)json_object_set_new(row, "all", pl_bench_json(&result));
    (void)json_array_append_new(rows, row);
    if (result.fail || (s->distinct && s->distinct != result.distinct))
        b->differ++;
    return PL_OK;
}

enum pl_status pl_bench_thesis(struct pl_bench *b, json_t *rows, struct pl_error *error)
{
    enum pl_status status = PL_OK;
    (void)printf("du Toit, Tables 4.2, 4.3, 4.7, 4.13: distinct histories, seconds for all "
                 "executions, seconds until\nthe error is found (ours: of the processor).\n\n"
                 "%-27s | %-26s | %-44s |\n%-27s | distinct      all    found | distinct      "
                 "all    found  %-16s | under rc11\n",
                 "", "thesis", "ours, under sc", "case", "");
    for (size_t i = 0; i < CASES && !status; i++)
        if (pl_bench_wants(b, cases[i].name))
            status = run_case(b, &cases[i], rows, error);
    if (!status)
        (void)printf("\ndu Toit, Table 4.10: the set with pairs of add and remove, each pair with "
                     "a value of its own;\n-: not done there in 12 hours. Ours under sc; unknown: "
                     "not done in %g s of the processor.\n\n%-27s | distinct  seconds          | "
                     "distinct  seconds  executions\n",
                     b->seconds, "threads x operations");
    for (size_t i = 0; i < SCALES && !status; i++)
        if (pl_bench_wants(b, scales[i].name))
            status = run_scale(b, &scales[i], rows, error);
    return status;
}
