/* From a long history to a small test: see localise.h. */
#include "shrink/localise.h"

#include <stdlib.h>
#include <string.h>

#include "check/explain.h"
#include "shrink/shrink.h"

enum {
    WIDEST = 6,      /* calls of Pc, at most, that are looked for near a conflict */
    MOST_STATE = 14, /* of Ps */
    MOST_SHOWN = 12, /* of Pr, before it is made smaller */
    MOST_ASKED = 4096,
};

struct work {
    const struct pl_localise *how;
    struct pl_located *out;
    struct pl_explanation explanation;
    uint32_t *order; /* of the longest good prefix: a witness */
    uint32_t ordered;
    uint32_t called; /* operations called in the bad prefix: the first ones, they are sorted */
    struct pl_test *asked; /* what was asked, and found right or open */
    unsigned asked_count;
    bool open; /* the last question was not answered */
};

static const struct pl_operation *operation_of(const struct work *w, uint32_t i)
{
    return &w->how->history->history->operation[i];
}

/* ---- asking ---- */

static bool ask(struct work *w, const struct pl_test *test)
{
    for (unsigned i = 0; i < w->asked_count; i++)
        if (memcmp(&w->asked[i], test, sizeof *test) == 0)
            return false;
    w->out->candidates++;
    enum pl_answer_of_test answer = w->how->ask(w->how->context, test);
    w->open = answer == PL_TEST_OPEN;
    if (answer != PL_TEST_WRONG && w->asked_count < MOST_ASKED)
        w->asked[w->asked_count++] = *test;
    return answer == PL_TEST_WRONG;
}

/* ---- the longest good prefix and its witness ---- */

static void cut_history(const struct pl_history *from, uint32_t events, struct pl_history *out)
{
    pl_history_init(out);
    for (uint32_t i = 0; i < from->count && from->operation[i].call < events; i++) {
        struct pl_operation *o = pl_history_add(out);
        *o = from->operation[i];
        if (o->ret >= events) {
            o->ret = PL_NEVER;
            o->result = PL_ANY;
        }
    }
    out->threads = from->threads;
    pl_history_finish(out);
}

/* Operations are sorted by call, so those of a prefix have the same numbers. Values stay those of
 * the whole history: the copy borrows its table. */
static void find_witness(struct work *w)
{
    const struct pl_case *whole = w->how->history;
    struct pl_history prefix;
    struct pl_witness witness;
    struct pl_check_how ignored;
    cut_history(whole->history, w->explanation.events - 1, &prefix);
    struct pl_values own = prefix.values;
    prefix.values = whole->history->values;
    struct pl_case c = *whole;
    c.history = &prefix;
    pl_witness_init(&witness, prefix.count);
    if (pl_check(&c, 1, &witness, &ignored) == PL_GOOD) {
        w->order = calloc(witness.count + 1u, sizeof *w->order);
        PL_ASSERT(w->order);
        memcpy(w->order, witness.order, witness.count * sizeof *w->order);
        w->ordered = witness.count;
    }
    pl_witness_release(&witness);
    prefix.values = own;
    pl_history_release(&prefix);
}

/* ---- Ps: the state as a sequence of calls ---- */

static void run_calls(const struct work *w, const uint16_t *call, unsigned count,
                      struct pl_state *out)
{
    const struct pl_case *c = w->how->history;
    struct pl_state next = {0};
    c->spec->start(c->initial, c->history, out);
    for (unsigned i = 0; i < count; i++) {
        struct pl_operation o = w->how->operation[call[i]];
        pl_value ignored;
        o.result = PL_ANY;
        if (!c->spec->step(&c->history->values, out, &o, 0, &next, &ignored))
            continue; /* it waits: alone it would for ever, so it is none for Ps */
        struct pl_state before = *out;
        *out = next;
        next = before;
    }
    pl_state_release(&next);
}

static bool same_state(const struct pl_state *a, const struct pl_state *b)
{
    return a->count == b->count && (!a->count || !memcmp(a->at, b->at, a->count * sizeof *a->at));
}

/* Leaves out parts, ever smaller ones, without which the state is the same. */
static unsigned reduce(const struct work *w, uint16_t *call, unsigned count)
{
    struct pl_state wanted = {0}, got = {0};
    uint16_t *less = calloc(count + 1u, sizeof *less);
    PL_ASSERT(less);
    run_calls(w, call, count, &wanted);
    for (unsigned size = count; size; size /= 2)
        for (unsigned at = count; at > 0;) {
            unsigned from = at > size ? at - size : 0;
            memcpy(less, call, from * sizeof *call);
            memcpy(less + from, call + at, (count - at) * sizeof *call);
            run_calls(w, less, count - (at - from), &got);
            if (same_state(&wanted, &got)) {
                memcpy(call, less, (count - (at - from)) * sizeof *call);
                count -= at - from;
            }
            at = from;
        }
    free(less);
    pl_state_release(&wanted);
    pl_state_release(&got);
    return count;
}

/* The calls of the witness before the first of the window. */
static unsigned state_before(const struct work *w, uint32_t first, uint32_t end, uint16_t *call)
{
    unsigned count = 0;
    for (uint32_t k = 0; k < w->ordered; k++) {
        uint32_t i = w->order[k];
        if (i >= first && i < end)
            break;
        if (i < end)
            call[count++] = w->how->call[i];
    }
    return reduce(w, call, count);
}

/* ---- Pr: calls that show the state ---- */

static bool is_take(const struct work *w, unsigned call)
{
    const struct pl_word *word =
        pl_words_of(&w->how->history->spec->words, w->how->operation[call].code);
    return word && word->answer == PL_ANSWER_TAKE;
}

static unsigned showing(const struct work *w, unsigned puts, uint16_t *call)
{
    const struct pl_spec *spec = w->how->history->spec;
    unsigned count = 0;
    for (unsigned i = 0; i < w->how->calls && count < MOST_SHOWN; i++) {
        struct pl_operation o = w->how->operation[i];
        o.result = PL_ANY;
        if (spec->pure(&o))
            call[count++] = (uint16_t)i;
        for (unsigned k = 0; is_take(w, i) && k <= puts && count < MOST_SHOWN; k++)
            call[count++] = (uint16_t)i;
    }
    return count;
}

/* ---- candidates ---- */

static bool make_test(const struct work *w, const uint16_t *state, unsigned states, uint32_t first,
                      uint32_t end, const uint16_t *shown, unsigned showns, struct pl_test *out)
{
    unsigned used = 0, rows = 0;
    *out = (struct pl_test){.threads = 1};
    if (states + (end - first) + showns > PL_TEST_OPERATIONS)
        return false;
    for (unsigned i = 0; i < states; i++)
        out->operation[used++] = (uint8_t)state[i];
    out->init = (uint8_t)states;
    for (uint32_t thread = 0; thread < w->how->history->history->threads; thread++) {
        unsigned before = used;
        for (uint32_t i = first; i < end; i++)
            if (operation_of(w, i)->thread == thread)
                out->operation[used++] = (uint8_t)w->how->call[i];
        if (used == before)
            continue;
        if (out->threads == PL_TEST_THREADS)
            return false;
        rows = rows < used - before ? used - before : rows;
        out->length[out->threads++] = (uint8_t)(used - before);
    }
    for (unsigned i = 0; i < showns; i++)
        out->operation[used++] = (uint8_t)shown[i];
    out->final = (uint8_t)showns;
    out->length[0] = (uint8_t)(out->init + out->final);
    return out->threads > 2;
}

static bool some_thread_makes_one(const struct pl_test *t)
{
    for (unsigned i = 1; i < t->threads; i++)
        if (t->length[i] == 1)
            return true;
    return false;
}

static bool try_window(struct work *w, uint32_t first, uint32_t end, struct pl_test *out)
{
    uint16_t *state = calloc(w->called + 1u, sizeof *state), shown[MOST_SHOWN];
    PL_ASSERT(state);
    unsigned states = state_before(w, first, end, state);
    bool found = false;
    for (unsigned with = 0; with < 2 && !found; with++) {
        unsigned used = with ? states : 0;
        if (with && (!states || states > MOST_STATE))
            break;
        unsigned showns = showing(w, used + (end - first), shown);
        found = make_test(w, state, used, first, end, shown, showns, out) &&
                (!w->how->one_of_some || some_thread_makes_one(out)) && ask(w, out);
    }
    free(state);
    return found;
}

/* Few operations around each that conflicts, fewest first. */
static bool near_conflicts(struct work *w, struct pl_test *out)
{
    for (uint32_t size = 2; size <= WIDEST; size++)
        for (uint32_t k = w->explanation.count; k-- > 0;) {
            uint32_t at = w->explanation.operation[k];
            for (uint32_t back = 0; back < size; back++) {
                if (at < back || at - back + size > w->called)
                    continue;
                if (try_window(w, at - back, at - back + size, out))
                    return true;
            }
        }
    return false;
}

/* The operations of the bad prefix from `from` on in the witness's order are Pc. */
static bool try_rest(struct work *w, uint32_t from, unsigned shown_last, struct pl_test *out)
{
    uint16_t *state = calloc(w->called + 1u, sizeof *state), shown[PL_TEST_OPERATIONS];
    bool *before = calloc(w->called + 1u, sizeof *before);
    PL_ASSERT(state && before);
    unsigned states = 0, used = 0, showns = 0;
    for (uint32_t k = 0; k < from; k++) {
        before[w->order[k]] = true;
        state[states++] = w->how->call[w->order[k]];
    }
    states = reduce(w, state, states);
    bool fits = states + (w->called - from) <= PL_TEST_OPERATIONS && states <= MOST_STATE;
    for (uint32_t k = w->ordered; fits && k-- > from && showns < shown_last;) {
        before[w->order[k]] = true;
        shown[showns++] = w->how->call[w->order[k]];
    }
    *out = (struct pl_test){.threads = 1, .init = (uint8_t)states, .final = (uint8_t)showns};
    for (unsigned i = 0; fits && i < states; i++)
        out->operation[used++] = (uint8_t)state[i];
    for (uint32_t thread = 0; fits && thread < w->how->history->history->threads; thread++) {
        unsigned begun = used;
        for (uint32_t i = 0; i < w->called; i++)
            if (!before[i] && operation_of(w, i)->thread == thread)
                out->operation[used++] = (uint8_t)w->how->call[i];
        if (used > begun && out->threads < PL_TEST_THREADS)
            out->length[out->threads++] = (uint8_t)(used - begun);
    }
    for (unsigned i = 0; fits && i < showns; i++)
        out->operation[used++] = (uint8_t)shown[showns - 1 - i];
    out->length[0] = (uint8_t)(states + showns);
    free(state);
    free(before);
    return fits && out->threads > 2 && (!w->how->one_of_some || some_thread_makes_one(out)) &&
           ask(w, out);
}

/* Algorithm 1: first Ps as long as possible, then the end of Pc becomes Pr. */
static bool from_the_whole(struct work *w, struct pl_test *out)
{
    uint32_t from = w->ordered;
    bool found = false;
    while (!found && from > 0)
        found = try_rest(w, --from, 0, out);
    if (!found)
        return false;
    for (uint32_t last = w->ordered - from; last > 0; last--) {
        struct pl_test shorter;
        if (try_rest(w, from, last, &shorter)) {
            *out = shorter;
            break;
        }
    }
    return true;
}

/* ---- smaller ---- */

struct shrinking {
    struct work *work;
    bool open; /* some question about Pc was not answered */
};

static bool is_wrong(void *context, const struct pl_test *test)
{
    struct shrinking *s = context;
    bool wrong = ask(s->work, test);
    s->open = s->open || (!wrong && s->work->open);
    return wrong;
}

void pl_localise(const struct pl_localise *how, struct pl_located *out)
{
    struct work w = {.how = how, .out = out};
    *out = (struct pl_located){0};
    pl_explain(how->history, 1, &w.explanation);
    w.asked = calloc(MOST_ASKED, sizeof *w.asked);
    PL_ASSERT(w.asked);
    const struct pl_history *h = how->history->history;
    while (w.called < h->count && h->operation[w.called].call < w.explanation.events)
        w.called++;
    out->prefix = w.explanation.events;
    out->operations = w.called;
    find_witness(&w);
    struct pl_test test;
    out->found = how->whole ? w.order && from_the_whole(&w, &test) : near_conflicts(&w, &test);
    if (out->found) {
        struct shrinking shrinking = {.work = &w};
        pl_shrink(&test, is_wrong, &shrinking);
        out->test = test;
        out->minimal = !shrinking.open;
    }
    free(w.asked);
    free(w.order);
    pl_explanation_release(&w.explanation);
}
