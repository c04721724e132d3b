/* One test under one model: see trial.h. */
#include "cli/trial.h"

#include <stdlib.h>
#include <string.h>

#include "cli/asked.h"
#include "cli/inferred.h"
#include "cli/like.h"
#include "cli/pointed.h"
#include "cli/sequences.h"
#include "cli/shortcut.h"
#include "cli/told.h"
#include "result/finding.h"

static struct pl_enumerate *make_enumerate(const struct pl_deciding *deciding)
{
    const struct pl_enumerate_options options = {.lazy_reads = !deciding->no_lazy,
                                                 .hash = !deciding->no_hash,
                                                 .skip = !deciding->no_skip,
                                                 .all = deciding->all};
    return pl_enumerate_new(&options);
}

/* A spec, for the calls of its object. */
static void add_judge(struct pl_trial *t, struct pl_against *a)
{
    struct pl_judge *j = &t->judge[t->judges++];
    *j = (struct pl_judge){.against = a};
    if (a->written) {
        j->machine = pl_written_machine(a->written);
        j->invocations = UINT32_MAX;
        return;
    }
    pl_wrapped_init(&j->wrapped, a->spec, a->initial, &a->history);
    j->machine = &j->wrapped.machine;
    if (a->relaxation.on)
        pl_wrapped_relax(&j->wrapped, &a->relaxation);
    for (unsigned i = 0; i < pl_test_count(t->test); i++) {
        const struct pl_meant *meant = &a->meant[t->test->operation[i]];
        struct pl_operation operation = meant->operation;
        if (!meant->word)
            continue;
        operation.thread = pl_test_thread(t->test, i);
        t->invocation[i] = pl_wrapped_waiting(
            &j->wrapped, &operation,
            meant->blocking ? pl_against_failing(a, t->test->operation[i]) : PL_ANY);
        j->invocations |= (uint32_t)1 << i;
    }
}

void pl_trial_init(struct pl_trial *t, const struct pl_test *test, const struct pl_call *calls,
                   const char *model, struct pl_against *against,
                   const struct pl_deciding *deciding)
{
    *t = (struct pl_trial){.test = &t->whole,
                           .whole = *test,
                           .calls = calls,
                           .model = model,
                           .deciding = deciding,
                           .walk = pl_walk_new(),
                           .against = against};
    t->only_walk = getenv("PLUMB_NO_SHORTCUTS") != NULL; /* for our own tests */
    if (deciding->decider == PL_DECIDER_ENUMERATE)
        t->enumerate = make_enumerate(deciding);
    pl_derived_init(&t->derived);
    for (unsigned i = 0; i < pl_test_count(test); i++)
        t->invocation[i] = against && against->written ? test->operation[i] : i;
    for (unsigned i = 0; i < pl_test_count(test); i++)
        t->takes_any = t->takes_any || calls[test->operation[i]].marks.takes_any;
    for (struct pl_against *a = against; a; a = a->next)
        add_judge(t, a);
    if (!against)
        t->judge[t->judges++] =
            (struct pl_judge){.machine = &t->derived.machine, .invocations = UINT32_MAX};
    t->shortcut = pl_shortcut_new(t);
}

void pl_trial_text(const struct pl_trial *t, unsigned judge, pl_value response,
                   struct pl_strbuf *out)
{
    if (t->against)
        pl_against_print(t->judge[judge].against, response, out);
    else if (response >= 0 && (size_t)response < t->responses.count)
        pl_strbuf_add(out, t->responses.at[response].text);
}

void pl_trial_release(struct pl_trial *t)
{
    pl_responses_release(&t->responses);
    pl_derived_release(&t->derived);
    for (unsigned k = 0; k < t->judges && t->against; k++)
        pl_wrapped_release(&t->judge[k].wrapped);
    pl_walk_free(t->walk);
    pl_shortcut_free(t->shortcut);
    pl_enumerate_free(t->enumerate);
    pl_sequences_free(t->sequences);
    free(t->observed);
    free(t->wrong);
    for (unsigned i = 0; i < t->bads; i++) {
        free(t->bad[i]->seen.graph);
        free(t->bad[i]->signature);
        free(t->bad[i]);
    }
    *t = (struct pl_trial){0};
}

bool pl_trial_publishes(const struct pl_trial *t)
{
    bool demanded = false;
    for (const struct pl_against *a = t->against; a; a = a->next)
        demanded = demanded || pl_spec_publishes(a->spec);
    return demanded && !t->deciding->no_publication;
}

static uint8_t lines(const struct pl_trial *t)
{
    if (!t->shortcut)
        return PL_LINES_OFF;
    return getenv("PLUMB_IN_STEP") ? PL_LINES_IN_STEP : PL_LINES_ON;
}

static uint8_t publication(const struct pl_trial *t)
{
    if (!pl_trial_publishes(t))
        return PL_PUBLICATION_OFF;
    return t->shortcut && pl_shortcut_pairs(t->shortcut) ? PL_PUBLICATION_BY_PAIRS
                                                         : PL_PUBLICATION_ON;
}

void pl_trial_test(const struct pl_trial *t, struct pl_wire_check *c)
{
    _Static_assert((int)PL_TEST_THREADS == PL_CHECK_COLUMNS, "the same limits");
    _Static_assert((int)PL_TEST_OPERATIONS == PL_CHECK_OPERATIONS, "the same limits");
    *c = (struct pl_wire_check){.mode = PL_CHECK_ON,
                                .columns = t->test->threads,
                                .init = t->test->init,
                                .final = t->test->final,
                                .no_serial = t->against || t->deciding->none,
                                .publication = publication(t),
                                .points = t->deciding->points,
                                .infer = t->deciding->inferred != NULL,
                                .no_histories = t->deciding->none,
                                .lines = lines(t),
                                .start = t->shortcut ? t->judge[0].machine->start : 0};
    memcpy(c->length, t->test->length, sizeof c->length);
    pl_like_find(t, c);
    for (unsigned i = 0; i < pl_test_count(t->test); i++) {
        const struct pl_call *call = &t->calls[t->test->operation[i]];
        c->operation[i] = call->place;
        memcpy(c->argument[i], call->argument, sizeof call->argument);
    }
}

void pl_trial_options(const struct pl_trial *t, struct pl_wire_options *o)
{
    pl_trial_test(t, &o->check);
    memset(o->explore, 0, sizeof o->explore);
    (void)strncpy(o->explore, t->model, sizeof o->explore - 1);
}

/* ---- reading ---- */

/* The spec of the object that an invocation is a call of. */
static struct pl_against *against_of(const struct pl_trial *t, unsigned invocation)
{
    unsigned k = 0;
    while (k + 1 < t->judges && !(t->judge[k].invocations >> invocation & 1))
        k++;
    return t->judge[k].against;
}

/* Did the operation, which may fail at any time, fail? */
static bool failed(const struct pl_trial *t, unsigned i, const struct pl_seen_history *h)
{
    unsigned call = t->test->operation[i];
    if (!t->calls[call].marks.may_fail || t->calls[call].marks.aside)
        return t->calls[call].marks.aside;
    return pl_trial_is_failure(t, i, h);
}

/* By its number; where any value will do, by that of all of them. */
static pl_value derived_value(struct pl_trial *t, unsigned i, const struct pl_seen_history *h)
{
    static const uint8_t any[] = {PL_RESPONSE_TEXT, 3, 'a', 'n', 'y'};
    if (!t->calls[t->test->operation[i]].marks.takes_any || pl_trial_is_failure(t, i, h))
        return (pl_value)h->answer[i];
    return (pl_value)pl_responses_number(&t->responses, any, sizeof any);
}

/* Other threads' numbers for the same invocations: back to those of the test. */
static void unsplit(const struct pl_trial *t, struct pl_wire_history *h)
{
    uint32_t called = 0, returned = 0;
    for (unsigned i = 0; i < h->operations; i++) {
        called |= (h->called >> i & 1) << t->place[i];
        returned |= (h->returned >> i & 1) << t->place[i];
    }
    for (unsigned i = 0; i < h->ran; i++)
        h->order[i] = t->place[h->order[i] % PL_MOST_CALLED];
    h->called = called;
    h->returned = returned;
}

/* The record at `bytes`; false if it does not hold together. */
static bool read_history(struct pl_trial *t, const uint8_t *bytes, struct pl_seen_history *out)
{
    memcpy(&out->head, bytes, sizeof out->head);
    const struct pl_wire_history *h = &out->head;
    unsigned count = h->operations;
    size_t rows = 2 * count * sizeof(uint64_t), needed = rows;
    const uint8_t *at = bytes + sizeof *h, *end = bytes + h->bytes;
    bool publication = pl_trial_publishes(t);
    if (h->clients)
        needed = 3 * rows + count * sizeof(uint32_t);
    if (publication)
        needed += count * sizeof(uint32_t);
    if (count != pl_test_count(t->test) || h->ran > count ||
        (size_t)(end - at) < needed + h->stored + h->graph)
        return false;
    out->order = (struct pl_order){.operations = count, .pending = h->called & ~h->returned};
    memcpy(out->order.before, at, rows);
    if (h->clients) {
        memcpy(out->allowed.cause, at + rows, rows);
        memcpy(out->allowed.global, at + 2 * rows, rows);
        memcpy(out->allowed.barred, at + 3 * rows, count * sizeof(uint32_t));
    }
    at += needed;
    if (publication)
        memcpy(out->passed, at - count * sizeof(uint32_t), count * sizeof(uint32_t));
    if ((t->deciding->points || t->deciding->inferred) && h->kind != PL_HISTORY_SERIAL) {
        size_t used = t->deciding->points ? pl_pointed_read(out, at, (size_t)(end - at))
                                          : pl_inferred_read(out, at, (size_t)(end - at));
        if (!used)
            return false;
        at += used;
    }
    uint32_t returned = h->returned;
    if (t->split)
        unsplit(t, &out->head);
    for (unsigned k = 0; k < count; k++) {
        unsigned i = t->split ? t->place[k] : k;
        out->called[i] = (struct pl_called){.invocation = t->invocation[i],
                                            .response = PL_ANY,
                                            .thread = pl_test_thread(t->test, i)};
        if (!(returned >> k & 1))
            continue;
        if (at >= end || *at >= end - at)
            return false;
        out->answer[i] = pl_responses_number(&t->responses, at + 1, *at);
        out->called[i].response =
            t->against ? pl_against_value(against_of(t, i), t->test->operation[i], at + 1, *at)
                       : derived_value(t, i, out);
        out->called[i].failed = failed(t, i, out);
        at += 1 + *at;
    }
    out->graph = NULL;
    if ((size_t)(end - at) < h->stored + h->graph)
        return false;
    out->stored = at;
    return true;
}

/* ---- what is wrong ---- */

static void add_answer(const struct pl_trial *t, const struct pl_bad *b, unsigned i,
                       struct pl_strbuf *out)
{
    bool returned = b->seen.head.returned >> i & 1;
    pl_strbuf_addf(out, "%u=%s", t->test->operation[i],
                   returned ? t->responses.at[b->seen.answer[i]].text : "…");
}

/* The call whose answer nothing explains; where none is to blame, all, each on a line. */
static char *signature_of(const struct pl_trial *t, const struct pl_bad *b)
{
    struct pl_strbuf text;
    const struct pl_refuted *r = &b->refuted;
    pl_strbuf_init(&text);
    pl_strbuf_addf(&text, "%s ", pl_finding_text(b->kind));
    if (b->kind == PL_FINDING_NONDETERMINISTIC)
        pl_strbuf_addf(&text, "%u",
                       t->test->operation[b->seen.head.order[b->conflict.place % PL_MOST_CALLED] %
                                          PL_TEST_OPERATIONS]);
    else if (b->kind == PL_FINDING_STUCK)
        add_answer(t, b, b->number[r->unjustified], &text);
    else if (b->kind == PL_FINDING_UNPUBLISHED)
        pl_strbuf_addf(&text, "%u %u", t->test->operation[b->number[b->unpublished.before]],
                       t->test->operation[b->number[b->unpublished.after]]);
    else if (b->kind == PL_FINDING_POINT_MISMATCH)
        pl_strbuf_addf(&text, "%u %u", (unsigned)b->mismatch.kind,
                       t->test->operation[b->number[b->mismatch.operation]]);
    else if (r->at < r->events)
        add_answer(t, b, b->number[r->event[r->at] / 2], &text);
    else
        for (unsigned i = 0; i < b->seen.head.operations; i++) {
            pl_strbuf_add(&text, "\n");
            add_answer(t, b, i, &text);
        }
    return pl_strbuf_detach(&text);
}

struct pl_bad *pl_trial_find(const struct pl_trial *t, const char *signature)
{
    for (unsigned i = 0; i < t->bads; i++)
        if (strcmp(t->bad[i]->signature, signature) == 0)
            return t->bad[i];
    return NULL;
}

/* Is each line of the one a line of the other, as often? */
static bool is_within(const char *part, const char *whole)
{
    uint64_t used = 0;
    for (const char *at = part; *at;) {
        size_t length = strcspn(at, "\n");
        const char *line = whole;
        unsigned number = 0;
        for (; *line; number++) {
            size_t size = strcspn(line, "\n");
            if (size == length && memcmp(line, at, size) == 0 && !(used >> number & 1))
                break;
            line += size + (line[size] == '\n');
        }
        if (!*line || number > 63)
            return false;
        used |= (uint64_t)1 << number;
        at += length + (at[length] == '\n');
    }
    return true;
}

struct pl_bad *pl_trial_find_within(const struct pl_trial *t, const char *signature)
{
    struct pl_bad *same = pl_trial_find(t, signature);
    for (unsigned i = 0; !same && strchr(signature, '\n') && i < t->bads; i++)
        if (is_within(t->bad[i]->signature, signature))
            same = t->bad[i];
    return same;
}

/* Its graph comes behind what is stored; false: its outline does not hold together. */
static bool keep_graph(struct pl_seen_history *h)
{
    const uint8_t *from = h->stored + h->head.stored;
    h->graph = h->head.graph ? malloc(h->head.graph) : NULL;
    PL_ASSERT(h->graph || !h->head.graph);
    if (h->head.outlined)
        h->head.graph = pl_outline_script(&h->head, from, h->graph);
    else if (h->graph)
        memcpy(h->graph, from, h->head.graph);
    return h->head.graph || !h->head.outlined;
}

/* One of each signature, and its graph. */
/* Of one history more than one variant may have been sent: runtime/project.c. */
static bool is_counted(struct pl_trial *t, uint32_t key)
{
    if (key >= PL_CHECK_KEYS)
        return false;
    if (!t->wrong)
        t->wrong = calloc(PL_CHECK_KEYS / 8, 1);
    PL_ASSERT(t->wrong);
    bool was = t->wrong[key / 8] >> key % 8 & 1;
    t->wrong[key / 8] |= (uint8_t)(1u << key % 8);
    return was;
}

static void keep(struct pl_trial *t, struct pl_bad *b)
{
    if (!t->stats.bad) {
        t->stats.executions = b->seen.head.executions;
        t->stats.blocked = b->seen.head.blocked;
    }
    t->stats.bad += !is_counted(t, b->seen.head.key);
    b->signature = signature_of(t, b);
    if (t->bads == PL_MOST_BAD || pl_trial_find(t, b->signature)) {
        free(b->signature);
        return;
    }
    struct pl_bad *kept = malloc(sizeof *kept);
    PL_ASSERT(kept);
    *kept = *b;
    t->malformed = t->malformed || !keep_graph(&kept->seen);
    t->bad[t->bads++] = kept;
}

/* ---- deciding ---- */

static void observe(struct pl_trial *t, const struct pl_seen_history *h)
{
    struct pl_observed kept = {
        .called = h->head.called, .returned = h->head.returned, .ran = h->head.ran};
    memcpy(kept.order, h->head.order, h->head.ran);
    for (unsigned i = 0; i < h->head.operations; i++)
        if (h->head.returned >> i & 1)
            kept.answer[i] = (uint32_t)h->answer[i];
    if (t->observed_count == t->observed_room) {
        t->observed_room = t->observed_room ? 2 * t->observed_room : 64;
        t->observed = realloc(t->observed, t->observed_room * sizeof *t->observed);
        PL_ASSERT(t->observed);
    }
    t->observed[t->observed_count++] = kept;
}

/* Which calls have returned, and which has not. */
static void note_returns(struct pl_trial *t, const struct pl_wire_history *h)
{
    for (unsigned i = 0; i < h->ran; i++) {
        unsigned invocation = h->order[i] % PL_MOST_CALLED, call = t->test->operation[invocation];
        struct pl_call_set *of =
            h->returned >> invocation & 1 ? &t->stats.returned : &t->stats.waited;
        of->bits[call / 64] |= (uint64_t)1 << call % 64;
    }
}

static void take_serial(struct pl_trial *t, struct pl_bad *b)
{
    struct pl_called run[PL_MOST_CALLED];
    const struct pl_wire_history *head = &b->seen.head;
    t->stats.serial++;
    note_returns(t, head);
    if (t->deciding->observe)
        observe(t, &b->seen);
    /* On another thread, or while something that may be late has yet to happen, answers differ. */
    bool differs = t->split;
    for (unsigned i = 0; i < head->ran; i++) {
        unsigned invocation = head->order[i] % PL_MOST_CALLED;
        run[i] = b->seen.called[invocation];
        run[i].failed = run[i].failed || differs;
        differs = differs || t->calls[t->test->operation[invocation]].marks.late;
    }
    if (!pl_derived_add(&t->derived, run, head->ran, (head->called & ~head->returned) != 0,
                        &b->conflict))
        b->kind = PL_FINDING_NONDETERMINISTIC;
}

/* Is it good even if seq_cst orders nothing? Then more clients are possible, so all are that have
 * the same key, and the process need not find out what it orders. */
static bool is_good_anyway(struct pl_trial *t, struct pl_bad *b, struct pl_wire_lines *lines)
{
    const uint8_t clients = b->seen.head.clients;
    if (!t->shortcut || !pl_shortcut_may_settle(&b->seen.head, lines))
        return false;
    struct pl_bad open = *b;
    bool undecided = t->undecided;
    open.seen.head.clients = PL_CLIENTS_EXACT;
    memset(open.seen.allowed.global, 0, sizeof open.seen.allowed.global);
    t->undecided = false;
    pl_trial_decide(t, &open);
    bool good = open.kind == PL_FINDING_NONE && !t->undecided;
    t->undecided = undecided;
    pl_shortcut_settle(&b->seen.head, lines, good);
    if (good) {
        *b = open;
        b->seen.head.clients = clients;
    }
    return good;
}

/* A record of the ring. */
static void take_record(struct pl_trial *t, struct pl_wire *w, const uint8_t *at, uint32_t bytes)
{
    if (bytes >= sizeof(struct pl_wire_history))
        t->stats.histories = ((const struct pl_wire_history *)(const void *)at)->distinct;
    if (pl_shortcut_takes(t, at, bytes, &w->lines)) {
        t->stats.clients.sets++;
        return;
    }
    struct pl_bad b = {.kind = PL_FINDING_NONE};
    if (bytes < sizeof b.seen.head || !read_history(t, at, &b.seen)) {
        t->malformed = true;
        return;
    }
    bool serial = b.seen.head.kind == PL_HISTORY_SERIAL;
    if (!serial)
        pl_tell_history(t, &b.seen);
    if (serial)
        take_serial(t, &b);
    else if (!is_good_anyway(t, &b, &w->lines))
        pl_trial_decide(t, &b);
    if (b.kind != PL_FINDING_NONE)
        keep(t, &b);
    else
        pl_shortcut_add(t, at, bytes, &b, &w->lines);
}

/* Histories that the process has not sent count, too; where the ring was left before its end, up to
 * there. */
static void take_counts(struct pl_trial *t, const struct pl_wire *w)
{
    uint64_t sent = __atomic_load_n(&w->sent, __ATOMIC_ACQUIRE);
    bool left = (t->bads && !t->deciding->all) || t->malformed;
    if (w->received == sent && !left)
        t->stats.histories = w->distinct;
    t->stats.clients.sets += w->explained - t->stats.explained;
    t->stats.explained = w->explained;
    t->stats.walk = *pl_walk_stats(t->walk);
    if (t->enumerate)
        t->stats.enumerate = *pl_enumerate_stats(t->enumerate);
}

/* Another process begins again (the session may start a second one): so do the counts. */
static void begin_again(struct pl_trial *t, const struct pl_process *p)
{
    if (t->process) {
        pl_walk_free(t->walk);
        t->walk = pl_walk_new();
        pl_enumerate_free(t->enumerate);
        t->enumerate =
            t->deciding->decider == PL_DECIDER_ENUMERATE ? make_enumerate(t->deciding) : NULL;
    }
    t->observed_count = 0;
    t->stats = (struct pl_trial_stats){0};
    free(t->wrong);
    t->wrong = NULL;
    t->process = p->pid;
}

/* The next record of the ring; NULL: there is none, or it is damaged. */
static const uint8_t *next_record(struct pl_trial *t, struct pl_wire *w, uint32_t *bytes)
{
    uint64_t sent = __atomic_load_n(&w->sent, __ATOMIC_ACQUIRE);
    while (w->received < sent) {
        const uint8_t *at = w->history + w->received % PL_CHECK_RING;
        memcpy(bytes, at, sizeof *bytes);
        uint64_t left = PL_CHECK_RING - w->received % PL_CHECK_RING;
        if (!*bytes || *bytes > left) {
            t->malformed = true;
            return NULL;
        }
        bool wraps = *bytes == left &&
                     (left < sizeof(struct pl_wire_history) ||
                      ((const struct pl_wire_history *)(const void *)at)->kind == PL_HISTORY_WRAP);
        if (!wraps)
            return at;
        w->received += *bytes;
    }
    return NULL;
}

bool pl_trial_take_serial(struct pl_trial *t, struct pl_wire *w)
{
    unsigned runs = 0;
    bool agrees = true;
    const uint8_t *at;
    for (uint32_t bytes; (at = next_record(t, w, &bytes)); w->received += bytes) {
        struct pl_bad b = {.kind = PL_FINDING_NONE};
        if (bytes < sizeof b.seen.head || !read_history(t, at, &b.seen) ||
            b.seen.head.kind != PL_HISTORY_SERIAL) {
            t->malformed = true;
            return true;
        }
        take_serial(t, &b);
        agrees = agrees && b.kind == PL_FINDING_NONE && !runs++; /* one that may fail, too */
    }
    return agrees;
}

void pl_trial_take(void *context, struct pl_process *p)
{
    struct pl_trial *t = context;
    struct pl_wire *w = p->wire;
    if (t->process != p->pid)
        begin_again(t, p);
    const uint8_t *at;
    for (uint32_t bytes;
         (!t->bads || t->deciding->all) && !t->malformed &&
         !pl_sequences_are_too_many(t->sequences) && (at = next_record(t, w, &bytes));
         w->received += bytes) {
        if (pl_check_over(&t->deciding->budget)) {
            t->undecided = true; /* the session ends, for the same reason */
            break;
        }
        take_record(t, w, at, bytes);
    }
    take_counts(t, w);
    t->renamed = w->renamed;
    if ((t->bads && !t->deciding->all) || t->malformed || pl_sequences_are_too_many(t->sequences))
        w->stop = 1;
}
