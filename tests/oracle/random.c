/* See random.h. */
#include "random.h"

#include <stdio.h>

#include "base/prng.h"

struct maker {
    struct pl_prng prng;
    struct or_random_options o;
    struct or_program *p;
};

static int below(struct maker *m, int n)
{
    return (int)pl_prng_below(&m->prng, (uint32_t)n);
}

static enum or_order pick(struct maker *m, unsigned fitting)
{
    unsigned mask = m->o.orders & fitting;
    if (!mask)
        return OR_SC;
    int k = below(m, __builtin_popcount(mask));
    while (k-- > 0)
        mask &= mask - 1;
    return (enum or_order)__builtin_ctz(mask);
}

static struct or_value make_value(struct maker *m, int regs)
{
    if (regs > 0 && below(m, 6) == 0)
        return (struct or_value){.reg = below(m, regs), .constant = below(m, 2)};
    return (struct or_value){.reg = -1, .constant = 1 + below(m, 3)};
}

/* One operation that is no lock operation; *regs counts the registers set so far. */
static struct or_op make_access(struct maker *m, enum or_kind kind, int *regs)
{
    struct or_op op = {.kind = kind, .dest = -1, .value.reg = -1, .expected.reg = -1};
    const unsigned reading = 1u << OR_NA | 1u << OR_RLX | 1u << OR_ACQ | 1u << OR_SC;
    const unsigned writing = 1u << OR_NA | 1u << OR_RLX | 1u << OR_REL | 1u << OR_SC;
    op.loc = kind == OR_FENCE ? 0 : below(m, m->p->locs);
    if (kind == OR_LOAD)
        op.order = pick(m, reading);
    else if (kind == OR_STORE)
        op.order = pick(m, writing);
    else if (kind == OR_FENCE)
        op.order = pick(m, ~(1u << OR_NA | 1u << OR_RLX));
    else
        op.order = pick(m, ~(1u << OR_NA));
    if (kind == OR_CAS) {
        op.failure = pick(m, reading & ~(1u << OR_NA));
        op.expected.constant = below(m, 3);
    }
    if (or_may_write(kind))
        op.value = make_value(m, *regs);
    if (kind == OR_FADD)
        op.value = (struct or_value){.reg = -1, .constant = 1};
    if (or_reads(kind) && *regs < OR_REGS)
        op.dest = (*regs)++;
    return op;
}

static struct or_op make_lock_op(enum or_kind kind, int lock)
{
    return (struct or_op){
        .kind = kind, .loc = lock, .dest = -1, .value.reg = -1, .expected.reg = -1};
}

static enum or_kind pick_kind(struct maker *m)
{
    /* Loads and stores as often as all else together. */
    static const enum or_kind bag[] = {OR_LOAD, OR_LOAD, OR_LOAD, OR_STORE, OR_STORE, OR_STORE,
                                       OR_CAS,  OR_FADD, OR_XCHG, OR_FENCE, OR_LOCK,  OR_LOCK};
    enum or_kind kind;
    do {
        kind = bag[below(m, (int)(sizeof bag / sizeof bag[0]))];
    } while (!(m->o.kinds >> kind & 1u));
    return kind;
}

/* Every event is paid from the budget, an unlock when its lock is taken. */
static void make_thread(struct maker *m, struct or_thread *t, int budget)
{
    int held[OR_OPS], depth = 0, regs = 0;
    unsigned is_held = 0;
    bool forgets = below(m, 5) == 0;
    while (budget > 0 || depth > 0) {
        if (depth > 0 && (budget == 0 || below(m, 3) == 0)) {
            int lock = held[--depth];
            is_held &= ~(1u << lock);
            if (!forgets)
                t->ops[t->count++] = make_lock_op(OR_UNLOCK, lock);
            continue;
        }
        enum or_kind kind = pick_kind(m);
        int lock = m->p->locks ? below(m, m->p->locks) : 0;
        if (kind == OR_LOCK && (budget < 2 || m->p->locks == 0 || is_held >> lock & 1u)) {
            if ((m->o.kinds & (OR_KINDS_PLAIN | OR_KINDS_RMW | 1u << OR_FENCE)) == 0)
                budget = 0; /* locks alone, and none fits any more */
            continue;
        }
        if (kind == OR_LOCK) {
            t->ops[t->count++] = make_lock_op(OR_LOCK, lock);
            held[depth++] = lock;
            is_held |= 1u << lock;
            budget -= 2;
        } else {
            t->ops[t->count++] = make_access(m, kind, &regs);
            budget--;
        }
    }
}

/* Puts a skip or an assumption in front of operation `at`, about a register set before. */
static void insert_test(struct maker *m, struct or_thread *t, enum or_kind kind)
{
    if (t->count < 2 || t->count == OR_OPS)
        return;
    int at = 1 + below(m, t->count - 1), regs = 0;
    for (int i = 0; i < at; i++)
        regs += t->ops[i].dest >= 0;
    if (regs == 0 || (kind == OR_SKIP_IF && or_holds_lock(t->ops[at].kind)))
        return;
    struct or_op op = {.kind = kind, .dest = -1, .value.reg = -1, .expected.reg = -1};
    op.reg = below(m, regs);
    op.value.constant = below(m, 3);
    op.equal = kind == OR_SKIP_IF && below(m, 2) == 0;
    op.skip = kind == OR_SKIP_IF ? 1 : 0;
    for (int i = t->count++; i > at; i--)
        t->ops[i] = t->ops[i - 1];
    t->ops[at] = op;
}

void or_random_program(struct or_program *out, const struct or_random_options *options)
{
    struct maker m = {.o = *options, .p = out};
    struct or_random_options *o = &m.o;
    o->min_threads = o->min_threads ? o->min_threads : 2;
    o->max_threads = o->max_threads ? o->max_threads : OR_THREADS;
    o->max_events = o->max_events ? o->max_events : 8;
    o->kinds = o->kinds ? o->kinds : OR_KINDS_ALL;
    o->orders = o->orders ? o->orders : OR_ORDERS_ATOMIC;
    pl_prng_init(&m.prng, o->seed);

    char name[32];
    (void)snprintf(name, sizeof name, "random-%llu", (unsigned long long)o->seed);
    or_program_init(out, name);
    out->locs = o->locs ? o->locs : 2;
    out->locks = o->kinds >> OR_LOCK & 1u ? (o->locks ? o->locks : OR_LOCKS) : 0;
    for (int l = 0; l < out->locs; l++)
        out->loc_names[l][0] = "xyzw"[l];
    for (int l = 0; l < out->locks; l++)
        out->lock_names[l][0] = "lm"[l];

    out->threads = o->min_threads + below(&m, o->max_threads - o->min_threads + 1);
    int budget[OR_THREADS] = {0};
    for (int i = 0; i < o->max_events; i++)
        budget[i < out->threads ? i : below(&m, out->threads)]++;
    for (int t = 0; t < out->threads; t++) {
        int limit = OR_OPS - 2; /* room for a skip and an assumption */
        make_thread(&m, &out->thread[t], budget[t] < limit ? budget[t] : limit);
        if (o->kinds >> OR_SKIP_IF & 1u && below(&m, 4) == 0)
            insert_test(&m, &out->thread[t], OR_SKIP_IF);
        if (o->kinds >> OR_ASSUME & 1u && below(&m, 12) == 0)
            insert_test(&m, &out->thread[t], OR_ASSUME);
    }
    struct pl_error error;
    PL_ASSERT(or_program_check(out, &error) == PL_OK);
}

struct or_random_options or_random_shape(uint64_t seed)
{
    struct or_random_options o = {.seed = seed};
    switch (seed % 4) {
    case 1:
        o.kinds = OR_KINDS_PLAIN | 1u << OR_FENCE | 1u << OR_SKIP_IF;
        break;
    case 2:
        o.kinds = OR_KINDS_PLAIN | OR_KINDS_RMW | 1u << OR_SKIP_IF;
        o.locs = 3;
        break;
    case 3:
        o.kinds = 1u << OR_STORE | 1u << OR_FADD | 1u << OR_LOCK;
        o.max_threads = 3;
        o.locks = 1 + (int)(seed / 4 % 2);
        break;
    default:
        break;
    }
    return o;
}
