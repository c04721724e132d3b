/* From a long history to a small test: see localise.h. */
#include "shrink/localise.h"

#include <stdlib.h>
#include <string.h>

#include "check/cut.h"
#include "shrink/shrink.h"

enum {
    WIDEST = 6,        /* calls of Pc, at most, that are looked for near a conflict */
    MOST_STATE = 14,   /* of Ps */
    MOST_SHOWN = 12,   /* of Pr, before it is made smaller */
    MOST_NEAR = 8,     /* operations that conflict, the last ones */
    FEWEST_BESIDE = 5, /* calls of Pc around one that takes long */
    MOST_BESIDE = 20,
    MOST_ASKED = 4096,
};

static const double WITNESS_SECONDS = 2; /* without one, Ps is nothing */

struct work {
    const struct pl_localise *how;
    struct pl_located *out;
    uint32_t *order; /* of the longest good prefix: a witness */
    uint32_t ordered;
    uint32_t called; /* operations called in the bad prefix: the first ones, they are sorted */
    struct pl_test *asked; /* what was asked, and found right or open */
    bool *asked_open;
    unsigned asked_count;
    bool open; /* the last question was not answered */
};

static const struct pl_operation *operation_of(const struct work *w, uint32_t i)
{
    return &w->how->history->history->operation[i];
}

/* ---- asking ---- */

/* What is behind the last call and the last thread does not make another test of it. */
static struct pl_test tidy(const struct pl_test *test)
{
    struct pl_test t = *test;
    unsigned count = pl_test_count(test);
    memset(t.operation + count, 0, sizeof t.operation - count);
    memset(t.length + t.threads, 0, sizeof t.length - t.threads);
    return t;
}

static bool ask(struct work *w, const struct pl_test *given)
{
    const struct pl_test tidied = tidy(given), *test = &tidied;
    for (unsigned i = 0; i < w->asked_count; i++)
        if (memcmp(&w->asked[i], test, sizeof *test) == 0) {
            w->open = w->asked_open[i];
            return false;
        }
    w->out->candidates++;
    enum pl_answer_of_test answer = w->how->ask(w->how->context, test);
    w->open = answer == PL_TEST_OPEN;
    if (answer != PL_TEST_WRONG && w->asked_count < MOST_ASKED) {
        w->asked_open[w->asked_count] = w->open;
        w->asked[w->asked_count++] = *test;
    }
    return answer == PL_TEST_WRONG;
}

/* ---- the longest good prefix and its witness ---- */

/* Operations are sorted by call, so those of a prefix have the same numbers. */
static void find_witness(struct work *w)
{
    const struct pl_case *whole = w->how->history;
    struct pl_history prefix;
    struct pl_witness witness;
    struct pl_check_how ignored;
    pl_cut_make(whole->history, NULL, w->how->explanation->events - 1, &prefix, NULL);
    struct pl_budget budget = {.until = pl_check_now() + WITNESS_SECONDS};
    struct pl_case c = *whole;
    c.history = &prefix;
    c.budget = &budget;
    pl_witness_init(&witness, prefix.count);
    if (pl_check(&c, 1, &witness, &ignored) == PL_GOOD) {
        w->order = calloc(witness.count + 1u, sizeof *w->order);
        PL_ASSERT(w->order);
        memcpy(w->order, witness.order, witness.count * sizeof *w->order);
        w->ordered = witness.count;
    }
    pl_witness_release(&witness);
    pl_cut_release(&prefix);
}

/* ---- Ps: the state as a sequence of operations ---- */

static void run_operations(const struct work *w, const uint32_t *operation, unsigned count,
                           struct pl_state *out)
{
    const struct pl_case *c = w->how->history;
    struct pl_state next = {0};
    c->spec->start(c->initial, c->history, out);
    for (unsigned i = 0; i < count; i++) {
        struct pl_operation o = *operation_of(w, operation[i]);
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
static unsigned reduce(const struct work *w, uint32_t *operation, unsigned count)
{
    struct pl_state wanted = {0}, got = {0};
    uint32_t *less = calloc((size_t)count + 1, sizeof *less);
    PL_ASSERT(less);
    run_operations(w, operation, count, &wanted);
    for (unsigned size = count; size; size /= 2)
        for (unsigned at = count; at > 0;) {
            unsigned from = at > size ? at - size : 0;
            memcpy(less, operation, from * sizeof *less);
            memcpy(less + from, operation + at, (count - at) * sizeof *less);
            run_operations(w, less, count - (at - from), &got);
            if (same_state(&wanted, &got)) {
                memcpy(operation, less, (count - (at - from)) * sizeof *less);
                count -= at - from;
            }
            at = from;
        }
    free(less);
    pl_state_release(&wanted);
    pl_state_release(&got);
    return count;
}

/* A few operations, by call. */
struct window {
    uint32_t operation[MOST_BESIDE];
    unsigned count;
};

static bool is_in(const struct window *window, uint32_t i)
{
    for (unsigned k = 0; k < window->count; k++)
        if (window->operation[k] == i)
            return true;
    return false;
}

/* The operations of the witness before the first of the window. */
static unsigned state_before(const struct work *w, const struct window *window, uint32_t *out)
{
    unsigned count = 0;
    uint32_t last = window->operation[window->count - 1];
    for (uint32_t k = 0; k < w->ordered && !is_in(window, w->order[k]); k++)
        if (w->order[k] < last)
            out[count++] = w->order[k];
    return reduce(w, out, count);
}

/* ---- Pr: calls that show the state ---- */

static enum pl_answer answer_of(const struct work *w, unsigned call)
{
    const struct pl_word *word =
        pl_words_of(&w->how->history->spec->words, w->how->operation[call].code);
    return word ? word->answer : PL_ANSWER_NONE;
}

static bool is_take(const struct work *w, unsigned call)
{
    return answer_of(w, call) == PL_ANSWER_TAKE;
}

/* Those that change nothing, and takes; where the object has neither, all that answer something:
 * whether an element can be removed says whether it was there. */
static unsigned showing(const struct work *w, unsigned puts, uint8_t *call)
{
    const struct pl_spec *spec = w->how->history->spec;
    unsigned count = 0;
    bool looks = false;
    for (unsigned i = 0; i < w->how->calls && count < MOST_SHOWN; i++) {
        struct pl_operation o = w->how->operation[i];
        o.result = PL_ANY;
        bool pure = spec->pure && spec->pure(&o);
        if (pure)
            call[count++] = (uint8_t)i;
        looks = looks || pure || is_take(w, i);
        for (unsigned k = 0; is_take(w, i) && k <= puts && count < MOST_SHOWN; k++)
            call[count++] = (uint8_t)i;
    }
    for (unsigned i = 0; !looks && i < w->how->calls && count < MOST_SHOWN; i++)
        if (answer_of(w, i) != PL_ANSWER_NONE)
            call[count++] = (uint8_t)i;
    return count;
}

/* ---- a test in the making ---- */

struct draft {
    struct pl_test test;
    unsigned used;
    pl_value label[PL_TEST_OPERATIONS]; /* values met, in this order */
    unsigned labels;
    bool fits;
};

static void add_call(struct draft *d, unsigned call)
{
    d->fits = d->fits && d->used < PL_TEST_OPERATIONS && call < 256;
    if (d->fits)
        d->test.operation[d->used++] = (uint8_t)call;
}

static unsigned label_of(struct draft *d, pl_value value)
{
    for (unsigned i = 0; i < d->labels; i++)
        if (d->label[i] == value)
            return i;
    if (d->labels < PL_TEST_OPERATIONS)
        d->label[d->labels++] = value;
    return d->labels - 1;
}

/* The call with the operation's code whose turn it is for the value; all have been used: the last
 * ones again, from the first on. */
static unsigned call_by_label(const struct work *w, struct draft *d, const struct pl_operation *o)
{
    unsigned label = label_of(d, o->argument[0]), like = 0;
    for (unsigned i = 0; i < w->how->calls; i++)
        like += w->how->operation[i].code == o->code;
    label = like ? label % like : 0;
    for (unsigned i = 0; i < w->how->calls; i++)
        if (w->how->operation[i].code == o->code && label-- == 0)
            return i;
    return 0xffff;
}

static void add_operation(const struct work *w, struct draft *d, uint32_t i)
{
    unsigned call = w->how->call[i];
    add_call(d, call == PL_CALL_BY_LABEL ? call_by_label(w, d, operation_of(w, i)) : call);
}

static void begin_draft(const struct work *w, struct draft *d, const uint32_t *state,
                        unsigned states)
{
    /* Of a state that is too large the first and the last calls are kept: another state, but near
     * the ends of a container like it. Whether the test is wrong is for the asking to say. */
    *d = (struct draft){.test = {.threads = 1}, .fits = true};
    for (unsigned i = 0; i < states; i++)
        if (i < MOST_STATE / 2 || i + MOST_STATE / 2 >= states)
            add_operation(w, d, state[i]);
    d->test.init = (uint8_t)d->used;
}

/* The operations, each on its thread. */
static void add_columns(const struct work *w, struct draft *d, const uint32_t *operation,
                        unsigned count)
{
    struct pl_test *t = &d->test;
    for (uint32_t thread = 0; thread < w->how->history->history->threads; thread++) {
        unsigned before = d->used;
        for (unsigned i = 0; i < count && d->fits; i++)
            if (operation_of(w, operation[i])->thread == thread)
                add_operation(w, d, operation[i]);
        if (d->used == before)
            continue;
        d->fits = d->fits && t->threads < PL_TEST_THREADS;
        if (d->fits)
            t->length[t->threads++] = (uint8_t)(d->used - before);
    }
}

static bool end_draft(const struct work *w, struct draft *d, unsigned before)
{
    struct pl_test *t = &d->test;
    bool one = !w->how->one_of_some;
    t->final = (uint8_t)(d->used - before);
    t->length[0] = (uint8_t)(t->init + t->final);
    for (unsigned i = 1; i < t->threads; i++)
        one = one || t->length[i] == 1;
    return d->fits && one && t->threads > 2;
}

/* ---- candidates ---- */

/* With the state before the window as Ps, or without any: then a large one is no burden. */
static bool try_window(struct work *w, const struct window *window, bool with, bool show,
                       struct pl_test *out)
{
    uint32_t *state = calloc(w->called + 1u, sizeof *state);
    uint8_t shown[MOST_SHOWN];
    struct draft d;
    PL_ASSERT(state);
    unsigned states = with ? state_before(w, window, state) : 0;
    begin_draft(w, &d, state, states);
    add_columns(w, &d, window->operation, window->count);
    unsigned before = d.used;
    unsigned showns = show ? showing(w, states + window->count, shown) : 0;
    for (unsigned i = 0; i < showns && d.used < PL_TEST_OPERATIONS; i++)
        add_call(&d, shown[i]);
    bool found = end_draft(w, &d, before) && ask(w, &d.test);
    *out = d.test;
    free(state);
    return found;
}

/* The operation whose return shows the fault, and those that conflict with it, the nearest first.
 */
static unsigned anchors(const struct work *w, uint32_t *out)
{
    unsigned count = 0;
    uint32_t last = w->how->explanation->last;
    out[count++] = last;
    for (uint32_t k = 0; k < w->how->explanation->count; k++) {
        uint32_t at = w->how->explanation->operation[k];
        uint32_t far = at > last ? at - last : last - at;
        unsigned place = count < MOST_NEAR ? count : MOST_NEAR;
        if (at == last || at >= w->called)
            continue;
        for (; place > 1; place--) {
            uint32_t other = out[place - 1];
            if ((other > last ? other - last : last - other) <= far)
                break;
            if (place < MOST_NEAR)
                out[place] = other;
        }
        if (place < MOST_NEAR)
            out[place] = at;
        count += count < MOST_NEAR;
    }
    return count;
}

/* The n-th operation of the thread after (before, if negative) operation `i` of it; PL_NEVER: there
 * is none in the bad prefix. */
static uint32_t neighbour(const struct work *w, uint32_t i, int n)
{
    uint32_t thread = operation_of(w, i)->thread;
    while (n) {
        if (n > 0 ? ++i >= w->called : i-- == 0)
            return PL_NEVER;
        if (operation_of(w, i)->thread == thread)
            n += n > 0 ? -1 : 1;
    }
    return i;
}

/* The thread's last operation called before the given one returned. */
static uint32_t beside(const struct work *w, uint32_t i, uint32_t thread)
{
    uint32_t ret = operation_of(w, i)->ret, found = PL_NEVER;
    for (uint32_t k = 0; k < w->called && operation_of(w, k)->call < ret; k++)
        if (operation_of(w, k)->thread == thread)
            found = k;
    return found;
}

/* Adds `count` operations of one thread in a row, with `back` of them before operation `i`. */
static bool add_row(const struct work *w, struct window *window, uint32_t i, unsigned count,
                    unsigned back)
{
    for (unsigned k = 0; k < count; k++) {
        uint32_t at = neighbour(w, i, (int)k - (int)back);
        if (at == PL_NEVER)
            return false;
        unsigned place = window->count++;
        for (; place > 0 && window->operation[place - 1] > at; place--)
            window->operation[place] = window->operation[place - 1];
        window->operation[place] = at;
    }
    return true;
}

/* So many operations of the thread of `at`, one of them `at`, and so many of another thread, one
 * of them what that did at the time. */
static bool try_rows(struct work *w, uint32_t at, uint32_t other, unsigned mine, unsigned theirs,
                     bool with, struct pl_test *out)
{
    for (unsigned back = 0; back < mine; back++)
        for (unsigned their_back = 0; their_back < theirs; their_back++) {
            struct window window = {.count = 0};
            if (add_row(w, &window, at, mine, back) &&
                add_row(w, &window, other, theirs, their_back) &&
                try_window(w, &window, with, true, out))
                return true;
        }
    return false;
}

/* A few operations in the order of their calls, whoever made them. */
static bool try_neighbours(struct work *w, uint32_t at, unsigned size, bool with,
                           struct pl_test *out)
{
    for (uint32_t back = 0; back < size; back++) {
        struct window window = {.count = size};
        if (at < back || at - back + size > w->called)
            continue;
        for (unsigned k = 0; k < size; k++)
            window.operation[k] = at - back + k;
        if (try_window(w, &window, with, true, out))
            return true;
    }
    return false;
}

/* The operation whose answer is wrong with all that overlaps it: it may have seen something of
 * each, as a count or a snapshot does. What it answers shows the fault. */
static bool around_the_last(struct work *w, struct pl_test *out)
{
    uint32_t last = w->how->explanation->last;
    const struct pl_operation *o = operation_of(w, last);
    struct window window = {.count = 0};
    for (uint32_t i = 0; i < w->called; i++) {
        const struct pl_operation *other = operation_of(w, i);
        if (i != last && (other->ret < o->call || other->call > o->ret))
            continue;
        if (window.count == MOST_BESIDE)
            return false;
        window.operation[window.count++] = i;
    }
    return window.count >= FEWEST_BESIDE &&
           (try_window(w, &window, true, false, out) || try_window(w, &window, false, false, out));
}

/* So many operations around one of those that conflict. */
static bool near_anchor(struct work *w, uint32_t anchor, unsigned size, bool with,
                        struct pl_test *out)
{
    for (uint32_t thread = 0; thread < w->how->history->history->threads; thread++) {
        uint32_t other = beside(w, anchor, thread);
        if (other == PL_NEVER || thread == operation_of(w, anchor)->thread)
            continue;
        for (unsigned mine = 1; mine < size; mine++)
            if (try_rows(w, anchor, other, mine, size - mine, with, out))
                return true;
    }
    return size > 2 && try_neighbours(w, anchor, size, with, out);
}

/* Few operations around those that conflict, fewest first; in the state they met, then in none. */
static bool near_conflicts(struct work *w, struct pl_test *out)
{
    uint32_t anchor[MOST_NEAR];
    unsigned count = anchors(w, anchor);
    for (unsigned size = 2; size <= WIDEST; size++)
        for (unsigned without = 0; without < 2; without++)
            for (unsigned k = 0; k < count; k++)
                if (near_anchor(w, anchor[k], size, !without, out))
                    return true;
    return false;
}

/* Ps: the first `from` of the witness; Pr: its last `last`; Pc: the rest. */
static bool try_rest(struct work *w, uint32_t from, unsigned last, struct pl_test *out)
{
    uint32_t *state = calloc(w->called + 1u, sizeof *state);
    uint32_t *rest = calloc(w->called + 1u, sizeof *rest);
    bool *left_out = calloc(w->called + 1u, sizeof *left_out);
    struct draft d;
    unsigned count = 0;
    PL_ASSERT(state && rest && left_out);
    for (uint32_t k = 0; k < w->ordered; k++)
        left_out[w->order[k]] = k < from || k >= w->ordered - last;
    for (uint32_t i = 0; i < w->called; i++)
        if (!left_out[i])
            rest[count++] = i;
    memcpy(state, w->order, from * sizeof *state);
    begin_draft(w, &d, state, reduce(w, state, from));
    add_columns(w, &d, rest, count);
    unsigned before = d.used;
    for (uint32_t k = w->ordered - last; k < w->ordered && d.fits; k++)
        add_operation(w, &d, w->order[k]);
    bool found = end_draft(w, &d, before) && ask(w, &d.test);
    *out = d.test;
    free(state);
    free(rest);
    free(left_out);
    return found;
}

/* Algorithm 1: first Ps as long as possible, then as much as possible of the end of Pc is Pr. */
static bool from_the_whole(struct work *w, struct pl_test *out)
{
    uint32_t from = w->ordered;
    bool found = false;
    while (!found && from > 0 && w->called - from < PL_TEST_OPERATIONS)
        found = try_rest(w, --from, 0, out);
    for (uint32_t last = found ? w->ordered - from : 0; last > 0; last--) {
        struct pl_test shorter;
        if (try_rest(w, from, last, &shorter)) {
            *out = shorter;
            break;
        }
    }
    return found;
}

/* ---- smaller ---- */

/* The test with one invocation of a thread made before all of them, or after. */
static void alone(const struct pl_test *test, unsigned invocation, bool before, struct pl_test *out)
{
    uint8_t call = test->operation[invocation];
    pl_test_without(test, invocation, out);
    unsigned count = pl_test_count(out), place = before ? out->init : count - out->final;
    memmove(out->operation + place + 1, out->operation + place, count - place);
    out->operation[place] = call;
    *(before ? &out->init : &out->final) += 1;
    out->length[0]++;
}

/* Makes the first call of a thread before the others, or its last one after them, as long as the
 * test stays wrong: fewer calls at the same time. */
static bool serialise(struct work *w, struct pl_test *test)
{
    unsigned first = test->init;
    for (unsigned t = 1; t < test->threads; first += test->length[t], t++)
        for (unsigned end = 0; end < 2; end++) {
            struct pl_test moved;
            alone(test, end ? first + test->length[t] - 1 : first, !end, &moved);
            if (moved.threads > 2 && ask(w, &moved)) {
                *test = moved;
                return true;
            }
        }
    return false;
}

/* Leaves out parts of Ps and of Pr, ever smaller ones: little of both is needed, and one call after
 * the other takes long. */
static void trim(struct work *w, struct pl_test *test, bool initial)
{
    for (unsigned size = initial ? test->init : test->final; size > 1; size /= 2)
        for (unsigned at = initial ? test->init : test->final; at >= size; at -= size) {
            struct pl_test less = *test;
            unsigned first = initial ? 0 : pl_test_count(test) - test->final;
            for (unsigned i = 1; i <= size; i++) {
                struct pl_test before = less;
                pl_test_without(&before, first + at - i, &less);
            }
            if (ask(w, &less))
                *test = less;
        }
}

struct shrinking {
    struct work *work;
    bool open; /* some question about Pc was not answered */
};

static enum pl_shrink_answer is_wrong(void *context, const struct pl_test *test)
{
    struct shrinking *s = context;
    bool wrong = ask(s->work, test);
    s->open = s->open || (!wrong && s->work->open);
    return wrong ? PL_IS_WRONG : s->work->open ? PL_NOT_KNOWN : PL_IS_RIGHT;
}

void pl_localise(const struct pl_localise *how, struct pl_located *out)
{
    struct work w = {.how = how, .out = out};
    *out = (struct pl_located){0};
    w.asked = calloc(MOST_ASKED, sizeof *w.asked);
    w.asked_open = calloc(MOST_ASKED, sizeof *w.asked_open);
    PL_ASSERT(w.asked && w.asked_open);
    const struct pl_history *h = how->history->history;
    while (w.called < h->count && h->operation[w.called].call < how->explanation->events)
        w.called++;
    out->prefix = how->explanation->events;
    out->operations = w.called;
    find_witness(&w);
    struct pl_test test;
    out->found = how->whole ? w.order && from_the_whole(&w, &test)
                            : around_the_last(&w, &test) || near_conflicts(&w, &test);
    if (out->found) {
        struct shrinking shrinking = {.work = &w};
        trim(&w, &test, false);
        trim(&w, &test, true);
        unsigned before;
        do { /* once more, too, if something was open of a larger test */
            before = pl_test_count(&test);
            shrinking.open = false;
            (void)pl_shrink(&test, NULL, false, is_wrong, &shrinking);
        } while (serialise(&w, &test) || (shrinking.open && pl_test_count(&test) < before));
        out->test = test;
        out->minimal = !shrinking.open;
    }
    free(w.asked);
    free(w.asked_open);
    free(w.order);
}
