/* See program.h: what a program is, whether it is a good one, how it is printed. */
#include "program.h"

#include <stdio.h>
#include <string.h>

static const char *const order_names[] = {
#define X(name, text) #text,
    OR_ORDER_TABLE(X)
#undef X
};

static const char *const model_names[] = {
#define X(name, text) #text,
    OR_MODEL_TABLE(X)
#undef X
};

const char *or_order_name(enum or_order order)
{
    return order_names[order];
}

const char *or_model_name(enum or_model model)
{
    return model_names[model];
}

bool or_reads(enum or_kind kind)
{
    return kind == OR_LOAD || kind == OR_CAS || kind == OR_FADD || kind == OR_XCHG;
}

bool or_may_write(enum or_kind kind)
{
    return kind == OR_STORE || kind == OR_CAS || kind == OR_FADD || kind == OR_XCHG;
}

bool or_holds_lock(enum or_kind kind)
{
    return kind == OR_LOCK || kind == OR_UNLOCK;
}

bool or_makes_event(enum or_kind kind)
{
    return kind != OR_SKIP_IF && kind != OR_ASSUME;
}

int or_evaluate(struct or_value v, const int regs[OR_REGS])
{
    return v.constant + (v.reg < 0 ? 0 : regs[v.reg]);
}

bool or_holds(const struct or_op *op, const int regs[OR_REGS])
{
    return (regs[op->reg] == or_evaluate(op->value, regs)) == op->equal;
}

void or_program_init(struct or_program *p, const char *name)
{
    memset(p, 0, sizeof *p);
    (void)snprintf(p->name, sizeof p->name, "%s", name);
    for (int m = 0; m < OR_MODELS; m++)
        p->graphs[m] = -1;
}

/* --- checking ------------------------------------------------------------------- */

static bool order_fits(const struct or_op *op)
{
    enum or_order o = op->order, f = op->failure;
    switch (op->kind) {
    case OR_LOAD:
        return o != OR_REL && o != OR_AR;
    case OR_STORE:
        return o != OR_ACQ && o != OR_AR;
    case OR_CAS:
        return o != OR_NA && (f == OR_RLX || f == OR_ACQ || f == OR_SC);
    case OR_FADD:
    case OR_XCHG:
        return o != OR_NA;
    case OR_FENCE:
        return o != OR_NA && o != OR_RLX;
    case OR_LOCK:
    case OR_UNLOCK:
    case OR_SKIP_IF:
    case OR_ASSUME:
        return true;
    }
    return false;
}

static bool register_fits(int reg)
{
    return reg >= -1 && reg < OR_REGS;
}

static bool indices_fit(const struct or_program *p, const struct or_op *op)
{
    bool local = !or_makes_event(op->kind);
    int limit = or_holds_lock(op->kind) ? p->locks : p->locs;
    bool place = local || op->kind == OR_FENCE || (op->loc >= 0 && op->loc < limit);
    bool looked_at = !local || (op->reg >= 0 && op->reg < OR_REGS);
    return place && looked_at && register_fits(op->value.reg) && register_fits(op->expected.reg) &&
           register_fits(op->dest) && op->skip >= 0;
}

/* P2. A thread that locks what it holds blocks there: what follows is dead, whatever. */
static const char *check_locks(const struct or_thread *t)
{
    unsigned held[OR_OPS + 1], now = 0;
    for (int i = 0; i < t->count; i++) {
        const struct or_op *op = &t->ops[i];
        held[i] = now;
        if (op->kind == OR_UNLOCK && !(now >> op->loc & 1u))
            return "unlocks what it does not hold";
        if (op->kind == OR_LOCK)
            now |= 1u << op->loc;
        if (op->kind == OR_UNLOCK)
            now &= ~(1u << op->loc);
    }
    held[t->count] = now;
    for (int i = 0; i < t->count; i++) {
        const struct or_op *op = &t->ops[i];
        if (op->kind != OR_SKIP_IF)
            continue;
        if (i + 1 + op->skip > t->count)
            return "skips past its end";
        if (held[i + 1] != held[i + 1 + op->skip])
            return "skips a lock without its unlock, or the other way round";
    }
    return NULL;
}

enum pl_status or_program_check(const struct or_program *p, struct pl_error *error)
{
    int total = 0;
    if (p->threads < 1 || p->threads > OR_THREADS || p->locs > OR_LOCS || p->locks > OR_LOCKS)
        return pl_fail(error, PL_ERR_LIMIT, "%s: 1 to %d threads, at most %d locations, %d locks",
                       p->name, OR_THREADS, OR_LOCS, OR_LOCKS);
    for (int t = 0; t < p->threads; t++) {
        const struct or_thread *thread = &p->thread[t];
        total += thread->count;
        if (thread->count > OR_OPS || total > OR_TOTAL)
            return pl_fail(error, PL_ERR_LIMIT, "%s: at most %d operations a thread, %d in all",
                           p->name, OR_OPS, OR_TOTAL);
        for (int i = 0; i < thread->count; i++) {
            if (!indices_fit(p, &thread->ops[i]))
                return pl_fail(error, PL_ERR_INPUT, "%s: operation %d.%d: index out of range",
                               p->name, t, i);
            if (!order_fits(&thread->ops[i]))
                return pl_fail(error, PL_ERR_INPUT,
                               "%s: operation %d.%d: a memory order that does not fit it", p->name,
                               t, i);
        }
        const char *wrong = check_locks(thread);
        if (wrong)
            return pl_fail(error, PL_ERR_INPUT, "%s: thread %d %s", p->name, t, wrong);
    }
    return PL_OK;
}

/* --- printing ------------------------------------------------------------------- */

static void print_value(struct or_value v, struct pl_strbuf *out)
{
    if (v.reg < 0)
        pl_strbuf_addf(out, "%d", v.constant);
    else if (v.constant == 0)
        pl_strbuf_addf(out, "r%d", v.reg);
    else
        pl_strbuf_addf(out, "r%d+%d", v.reg, v.constant);
}

static void print_access(const struct or_program *p, const struct or_op *op, struct pl_strbuf *out)
{
    const char *verb = op->kind == OR_LOAD    ? "load"
                       : op->kind == OR_STORE ? "store"
                       : op->kind == OR_CAS   ? "cas"
                       : op->kind == OR_FADD  ? "fadd"
                                              : "xchg";
    if (op->dest >= 0)
        pl_strbuf_addf(out, "r%d = ", op->dest);
    pl_strbuf_addf(out, "%s %s ", verb, p->loc_names[op->loc]);
    if (op->kind == OR_CAS) {
        print_value(op->expected, out);
        pl_strbuf_add(out, " ");
    }
    if (op->kind != OR_LOAD) {
        print_value(op->value, out);
        pl_strbuf_add(out, " ");
    }
    pl_strbuf_add(out, or_order_name(op->order));
    if (op->kind == OR_CAS)
        pl_strbuf_addf(out, " %s", or_order_name(op->failure));
}

static void print_op(const struct or_program *p, const struct or_op *op, struct pl_strbuf *out)
{
    switch (op->kind) {
    case OR_LOAD:
    case OR_STORE:
    case OR_CAS:
    case OR_FADD:
    case OR_XCHG:
        print_access(p, op, out);
        break;
    case OR_FENCE:
        pl_strbuf_addf(out, "fence %s", or_order_name(op->order));
        break;
    case OR_LOCK:
    case OR_UNLOCK:
        pl_strbuf_addf(out, "%s %s", op->kind == OR_LOCK ? "lock" : "unlock",
                       p->lock_names[op->loc]);
        break;
    case OR_SKIP_IF:
    case OR_ASSUME:
        if (op->kind == OR_SKIP_IF)
            pl_strbuf_addf(out, "skip %d if ", op->skip);
        else
            pl_strbuf_add(out, "assume ");
        pl_strbuf_addf(out, "r%d %s ", op->reg, op->equal ? "==" : "!=");
        print_value(op->value, out);
        break;
    }
}

static void print_outcome(const struct or_program *p, struct pl_strbuf *out)
{
    if (p->outcome == OR_FINAL && p->terms == 0)
        return;
    pl_strbuf_add(out, "outcome:");
    if (p->outcome != OR_FINAL)
        pl_strbuf_add(out, p->outcome == OR_RACE ? " race" : " blocked");
    for (int i = 0; i < p->terms; i++) {
        const struct or_term *term = &p->term[i];
        if (term->thread < 0)
            pl_strbuf_addf(out, " %s", p->loc_names[term->index]);
        else
            pl_strbuf_addf(out, " %d:r%d", term->thread, term->index);
        pl_strbuf_addf(out, "%s%d", term->equal ? "=" : "!=", term->value);
    }
    pl_strbuf_add(out, "\n");
}

void or_program_print(const struct or_program *p, struct pl_strbuf *out)
{
    pl_strbuf_addf(out, "%s\n", p->name);
    for (int t = 0; t < p->threads; t++) {
        pl_strbuf_add(out, "thread:");
        for (int i = 0; i < p->thread[t].count; i++) {
            pl_strbuf_add(out, i ? "; " : " ");
            print_op(p, &p->thread[t].ops[i], out);
        }
        pl_strbuf_add(out, "\n");
    }
    print_outcome(p, out);
    const char *gap = "";
    for (int m = 0; m < OR_MODELS; m++) {
        if (p->verdict[m] == OR_UNSAID)
            continue;
        pl_strbuf_addf(out, "%s%s: %s", gap, model_names[m],
                       p->verdict[m] == OR_ALLOWED ? "allowed" : "forbidden");
        gap = "  ";
    }
    if (*gap)
        pl_strbuf_add(out, "\n");
    gap = "graphs: ";
    for (int m = 0; m < OR_MODELS; m++) {
        if (p->graphs[m] < 0)
            continue;
        pl_strbuf_addf(out, "%s%s=%d", gap, model_names[m], p->graphs[m]);
        gap = " ";
    }
    if (*gap == ' ')
        pl_strbuf_add(out, "\n");
}
