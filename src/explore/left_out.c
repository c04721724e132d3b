/*
 * Races with rounds that are left out: void ones (rounds.h), and those of helpers (helping.c).
 *
 * No complete execution needs such a round, but a race may: of what it does with an access by a
 * thread that has learnt, without happens-before, that the round's thread went on.
 *
 *     thread t:  [read data] ─ … ─ store flag, relaxed        other:  load flag ─ write data
 *                └─ left out ┘
 *
 * In the graph in which t stands at the end of the round nobody comes to the write, and where t has
 * gone on the round is not there. So two things are noted. Where rounds are left out: by thread,
 * and how many events it had made, which is a place. And which places an access is later than,
 * without being ordered: where t came to the head of a loop with k events made, and event k of t is
 * in the causal past of the access, but does not happen before it. If both are the same there may
 * be a race. Then, when the search is over, there is another, in which rounds that begin at such
 * places are made: of each thread one in an execution. It looks for races only.
 *
 * Why that is enough. A race is of two accesses, so one left out round shows it, and all others can
 * be left out of the execution that does: less is ordered then. The causal past of the end of the
 * round is an execution in which t stands, so it was seen there, at the same place; and so was the
 * execution without the round, with the other access. In the second search t comes to the place
 * without a round made before, and makes it.
 *
 * That alone would be so in most programs. So of memory it is noted, too, what left out rounds of a
 * thread do to it, and what others do later: a round reads or writes it atomically, and another
 * writes it plainly, and so on. What a round reads plainly is not known without a look at all
 * memory: instead what the thread reads plainly anywhere.
 *
 * Each such thing has a mark by thread, memory and (but for plain reads) place; several may share
 * one, which costs time and loses nothing. Processes that search together have marks of their own,
 * and whoever puts them together sees if there may be a race.
 */
#include <string.h>

#include "explore/trust_internal.h"

static bool is_on(const struct pl_trust *x)
{
    return x->out.mark && !x->out.looks && !x->script && !x->probing && !x->sample;
}

/* Twins may be renamed, and their arenas with them: they are one then, and of an arena it is known
 * only if it is the thread's own. */
static unsigned row_of(const struct pl_trust *x, unsigned thread)
{
    return x->twins ? 0 : thread;
}

static bool note(struct pl_trust *x, unsigned thread, uint64_t memory, uint64_t place, unsigned how)
{
    if (x->twins) {
        const uint64_t own = memory >> 48 == thread + 1;
        memory = pl_trust_of_any(memory);
        memory |= memory >> 48 == 2 ? own << 48 : 0;
    }
    uint8_t *mark = &x->out.mark[pl_trust_mark(memory ^ place << 50, row_of(x, thread))];
    *mark |= (uint8_t)how;
    x->out.noted = true;
    return *mark & *mark >> PL_TRUST_LATER & PL_TRUST_DONE;
}

/* What it is that may race: at one place (modulo 64), or what the thread reads plainly anywhere. */
static void note_at(struct pl_trust *x, unsigned thread, uint64_t memory, unsigned since,
                    unsigned how)
{
    if (how && note(x, thread, memory, 1 + since % 64, how))
        x->out.placed[row_of(x, thread)] |= (uint64_t)1 << since % 64;
}

static void note_reads(struct pl_trust *x, unsigned thread, uint64_t memory, unsigned how)
{
    if (how && note(x, thread, memory, 0, how))
        x->out.races |= (uint32_t)1 << row_of(x, thread);
}

void pl_trust_left_out(struct pl_trust *x, unsigned thread, unsigned since)
{
    if (is_on(x))
        x->out.left[row_of(x, thread)] |= (uint64_t)1 << since % 64;
}

void pl_trust_does(struct pl_trust *x, unsigned thread, unsigned since, uint64_t memory,
                   unsigned how)
{
    if (!is_on(x))
        return;
    note_reads(x, thread, memory, how & PL_TRUST_READS);
    note_at(x, thread, memory, since, how & ~(unsigned)PL_TRUST_READS);
}

/* The places of t that an access after n is later than, a bit each, modulo 64. */
static uint64_t places(const struct pl_trust *x, const struct pl_node *n, unsigned t)
{
    uint64_t all = 0;
    if (n->porf[t] <= n->hb[t])
        return 0;
    for (unsigned i = 0; i < x->heads[t] && i < HEADS; i++)
        if (n->hb[t] <= x->head[t][i] && x->head[t][i] < n->porf[t])
            all |= (uint64_t)1 << x->head[t][i] % 64;
    return x->heads[t] > HEADS ? ~(uint64_t)0 : all; /* any may have been one */
}

/* NULL: nothing is to be noted of what the thread does now. */
static const struct pl_node *before(const struct pl_trust *x, unsigned thread)
{
    unsigned made = thread < x->g->threads ? x->made[thread] : 0;
    return made && x->looped && is_on(x) ? &x->g->thread[thread].node[made - 1] : NULL;
}

bool pl_trust_is_later(const struct pl_trust *x, unsigned thread)
{
    const struct pl_node *n = before(x, thread);
    for (unsigned t = 0; n && t < x->g->threads; t++)
        if (t != thread && places(x, n, t))
            return true;
    return false;
}

void pl_trust_note_later(struct pl_trust *x, unsigned thread, uint64_t memory, unsigned how)
{
    const struct pl_node *n = before(x, thread);
    for (unsigned t = 0; n && t < x->g->threads; t++) {
        uint64_t all = t == thread ? 0 : places(x, n, t);
        if (!all)
            continue;
        if (how & PL_TRUST_READS)
            x->out.later[row_of(x, t)] |= all;
        note_reads(x, t, memory, (how & PL_TRUST_READS) << PL_TRUST_LATER);
        for (uint64_t rest = all; rest; rest &= rest - 1)
            note_at(x, t, memory, (unsigned)__builtin_ctzll(rest),
                    (how & ~(unsigned)PL_TRUST_READS) << PL_TRUST_LATER);
    }
}

bool pl_trust_has_shown(const struct pl_trust *x, unsigned thread, unsigned since, uint64_t start,
                        uint64_t end)
{
    const struct pl_graph *g = x->g;
    for (unsigned k = since; k < x->made[thread]; k++) {
        const struct pl_node *n = &g->thread[thread].node[k];
        if (n->kind == PL_GRAPH_READ || n->kind == PL_GRAPH_FENCE || n->kind == PL_GRAPH_CHOICE ||
            n->kind == PL_GRAPH_JOIN)
            continue;
        uint64_t address = n->location ? g->location[n->location - 1].key << 16 >> 16 : 0;
        if (address - start >= end - start)
            return true;
    }
    return false;
}

/* Where one thread's rounds are left out, and an access is later that may race with them. */
static uint64_t suspects(const struct pl_trust *x, unsigned row)
{
    uint64_t reads = x->out.races >> row & 1 ? x->out.later[row] : 0;
    return x->out.left[row] & (x->out.placed[row] | reads);
}

bool pl_trust_look_into(struct pl_trust *x)
{
    uint64_t any = 0;
    if (x->out.looks)
        return false;
    for (unsigned t = 0; t < PL_GRAPH_THREADS; t++)
        any |= suspects(x, t);
    x->out.anybody = x->twins;
    return x->out.looks = any != 0;
}

bool pl_trust_looks_into(const struct pl_trust *x, unsigned thread, unsigned since)
{
    return x->out.looks && (suspects(x, x->out.anybody ? 0 : thread) >> since % 64 & 1);
}

void pl_trust_look_away(struct pl_trust *x)
{
    x->out.looks = false;
}

void pl_trust_forget_left_out(struct pl_trust *x)
{
    if (x->out.looks || !x->out.noted)
        return;
    memset(x->out.mark, 0, PL_TRUST_MARKS);
    x->out = (struct left_out){.mark = x->out.mark};
}

void pl_trust_set_marks(struct pl_trust *x, uint8_t *mark)
{
    x->out.mark = mark;
}
