/*
 * Exploring with few preemptions (turns.c): which steps of a run are in conflict with later ones,
 * so that leaving a thread before them may make a difference. As in dynamic partial-order
 * reduction, these are the last of each thread that no chain of others orders before the later one.
 */
#include <string.h>

#include "explore/trust_internal.h"

/* 1 + the index of the last event of each thread there, in any run so far, or that it would have
 * made had it not had to wait. */
static struct {
    uint16_t wrote[PL_GRAPH_THREADS][PL_GRAPH_LOCATIONS],
        read[PL_GRAPH_THREADS][PL_GRAPH_LOCATIONS];
    uint16_t stood[PL_GRAPH_THREADS][PL_GRAPH_LENGTH]; /* where the void rounds from there ended */
} future;

/* Of a run, as far as it has been looked at. The next one begins as this one did: it is taken back
 * to where they part, not looked at anew. */
static struct {
    uint32_t steps, attempts; /* looked at */
    /* 1 + the place in the order of the last step of each thread there, 0 = none */
    uint16_t wrote[PL_GRAPH_LOCATIONS][PL_GRAPH_THREADS];
    uint16_t read[PL_GRAPH_LOCATIONS][PL_GRAPH_THREADS];
    uint16_t past[PL_GRAPH_EVENTS][PL_GRAPH_THREADS]; /* of each step: how many of each thread */
    uint16_t made[PL_GRAPH_THREADS], last[PL_GRAPH_THREADS]; /* steps, 1 + the place of the last */
    struct attempt waits[PL_GRAPH_THREADS];                  /* since then */
} run;

/* What a step, and an attempt, has changed there. */
static struct {
    uint32_t attempts;               /* looked at before the step */
    uint16_t *place, at_place;       /* in run.wrote or run.read, NULL: nothing */
    uint16_t made, last;             /* of its thread */
    uint16_t past[PL_GRAPH_THREADS]; /* an update: of its read */
    uint8_t thread;
    bool update;
    struct attempt waits;
} old_step[PL_GRAPH_EVENTS + 1];
static struct {
    uint16_t thread;
    struct attempt waits;
} old_attempt[ATTEMPTS];

void pl_turns_forget(void)
{
    memset(&future, 0, sizeof future);
    memset(&run, 0, sizeof run);
}

static const uint16_t *past_of(unsigned thread)
{
    static const uint16_t nothing[PL_GRAPH_THREADS];
    return run.last[thread] ? run.past[run.last[thread] - 1] : nothing;
}

static void note(struct pl_trust *x, uint16_t step)
{
    if (step)
        x->turn[step - 1].noted = true;
}

/* The last step of the thread that is in conflict with one at the location. */
static uint16_t conflicting(unsigned t, uint32_t location, bool writes)
{
    uint16_t wrote = run.wrote[location - 1][t], read = run.read[location - 1][t];
    return writes && read > wrote ? read : wrote;
}

/* Is the step `s` of thread t ordered before one of `thread` at the location by others? */
static bool is_ordered(const struct pl_trust *x, unsigned thread, uint32_t location, bool writes,
                       unsigned t, uint16_t s)
{
    unsigned index = x->g->order[s - 1].index;
    if (index < past_of(thread)[t])
        return true;
    for (unsigned k = 0; k < x->g->threads; k++) {
        uint16_t other = k == t || k == thread ? 0 : conflicting(k, location, writes);
        if (other && run.past[other - 1][t] > index)
            return true;
    }
    return false;
}

static void note_conflicts(struct pl_trust *x, unsigned thread, uint32_t location, bool writes)
{
    for (unsigned t = 0; t < x->g->threads; t++) {
        uint16_t s = t == thread ? 0 : conflicting(t, location, writes);
        if (s && !x->turn[s - 1].noted && !is_ordered(x, thread, location, writes, t, s))
            note(x, s);
    }
}

static void note_future(uint16_t *most, unsigned index)
{
    if (*most < index + 1)
        *most = (uint16_t)(index + 1);
}

static void note_attempts(struct pl_trust *x, uint32_t at)
{
    old_step[at].attempts = run.attempts;
    for (; run.attempts < x->attempts && x->attempt[run.attempts].at <= at; run.attempts++) {
        const struct attempt *a = &x->attempt[run.attempts];
        old_attempt[run.attempts].thread = a->thread;
        old_attempt[run.attempts].waits = run.waits[a->thread];
        run.waits[a->thread] = *a;
        if (!a->location)
            continue;
        note_conflicts(x, a->thread, a->location, false);
        note_future(&future.read[a->thread][a->location - 1], run.made[a->thread]);
    }
}

/* Those who wait there would have waited for this, too, had they tried again. */
static void note_waiting(struct pl_trust *x, const struct pl_node *n, uint16_t step)
{
    for (unsigned t = 0; t < x->g->threads; t++)
        if (t != n->self.thread && run.waits[t].location == n->location)
            note(x, step);
}

static void add_past(uint16_t *past, const uint16_t *more, unsigned threads)
{
    for (unsigned t = 0; t < threads; t++)
        past[t] = past[t] < more[t] ? more[t] : past[t];
}

/* What comes before the step: of its own thread, and those in conflict with it. */
static void set_past(const struct pl_trust *x, const struct pl_node *n, uint32_t at, bool writes)
{
    unsigned threads = x->g->threads, thread = n->self.thread;
    uint16_t *past = run.past[at];
    memcpy(past, past_of(thread), threads * sizeof *past);
    for (unsigned t = 0; n->location && t < threads; t++) {
        uint16_t s = t == thread ? 0 : conflicting(t, n->location, writes);
        if (s)
            add_past(past, run.past[s - 1], threads);
    }
    past[thread] = n->self.index + 1;
    old_step[at].thread = (uint8_t)thread;
    old_step[at].last = run.last[thread];
    old_step[at].made = run.made[thread];
    old_step[at].waits = run.waits[thread];
    run.last[thread] = (uint16_t)(at + 1);
    run.made[thread] = n->self.index + 1;
    run.waits[thread] = (struct attempt){0};
}

static void note_event(struct pl_trust *x, const struct pl_node *n, uint32_t at)
{
    unsigned t = n->self.thread;
    bool update = n->kind == PL_GRAPH_WRITE && (n->flags & PL_GRAPH_F_RMW);
    bool writes = n->kind != PL_GRAPH_READ;
    if (n->location && at >= x->cut)
        note_conflicts(x, t, n->location, writes);
    set_past(x, n, at, writes);
    old_step[at].place = NULL;
    old_step[at].update = update;
    if (!n->location)
        return;
    uint16_t step = (uint16_t)(update ? at : at + 1); /* its read comes just before it */
    if (update) {
        memcpy(old_step[at].past, run.past[at - 1], sizeof *run.past);
        memcpy(run.past[at - 1], run.past[at], x->g->threads * sizeof **run.past);
    }
    note_future(writes ? &future.wrote[t][n->location - 1] : &future.read[t][n->location - 1],
                n->self.index);
    if (writes)
        note_waiting(x, n, step);
    uint16_t *place = writes ? &run.wrote[n->location - 1][t] : &run.read[n->location - 1][t];
    old_step[at].place = place;
    old_step[at].at_place = *place;
    *place = step;
}

static void take_back_attempts(uint32_t to)
{
    while (run.attempts > to) {
        run.attempts--;
        run.waits[old_attempt[run.attempts].thread] = old_attempt[run.attempts].waits;
    }
}

static void take_back(uint32_t to)
{
    while (run.steps > to) {
        take_back_attempts(old_step[run.steps].attempts);
        uint32_t at = --run.steps;
        unsigned thread = old_step[at].thread;
        if (old_step[at].place)
            *old_step[at].place = old_step[at].at_place;
        if (old_step[at].update)
            memcpy(run.past[at - 1], old_step[at].past, sizeof *run.past);
        run.last[thread] = old_step[at].last;
        run.made[thread] = old_step[at].made;
        run.waits[thread] = old_step[at].waits;
    }
    take_back_attempts(old_step[to].attempts);
}

/* The run came to what was explored before. What comes of that is in conflict with steps of this
 * run as well: with which, is known only as far as what each thread has ever done from there on. */
static void note_rest(struct pl_trust *x)
{
    const struct pl_graph *g = x->g;
    for (unsigned t = 0; t < g->threads; t++) {
        unsigned made = g->thread[t].count;
        for (uint32_t i = 0; i < g->locations; i++) {
            bool writes = future.wrote[t][i] > made;
            for (unsigned k = 0; k < g->threads && (writes || future.read[t][i] > made); k++) {
                uint16_t s = k == t ? 0 : conflicting(k, i + 1, writes);
                if (s && g->order[s - 1].index >= past_of(t)[k])
                    note(x, s);
            }
        }
        for (unsigned from = 0; from < made; from++)
            for (unsigned k = from; future.stood[t][from] > made && k < made; k++)
                note(x, (uint16_t)g->thread[t].node[k].stamp);
    }
}

void pl_turns_note(struct pl_trust *x)
{
    const struct pl_graph *g = x->g;
    take_back(x->cut < run.steps ? x->cut : run.steps);
    for (; run.steps < g->events; run.steps++) {
        note_attempts(x, run.steps);
        note_event(x, pl_at(g, g->order[run.steps]), run.steps);
    }
    note_attempts(x, g->events);
    if (x->met)
        note_rest(x);
}

void pl_trust_stood(struct pl_trust *x, struct pl_round round)
{
    uint16_t *to = &future.stood[round.thread][round.from];
    if (!x->turning)
        return;
    *to = *to < round.to ? round.to : *to;
    for (unsigned k = round.from; k < round.to; k++)
        x->turn[x->g->thread[round.thread].node[k].stamp - 1].noted = true;
}
