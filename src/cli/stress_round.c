/* A round as a history: see stress_round.h. */
#include "cli/stress_round.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shrink/localise.h"

struct stamp {
    uint64_t tick;
    uint32_t event; /* operation * 2, + 1 for its return */
};

struct reading {
    struct pl_stressed *out;
    const struct pl_stress_call *call;
    const uint16_t *number;
    uint32_t calls;
    struct pl_against *against;
    uint64_t last_call; /* stamp of the thread's last record */
    struct stamp *stamp;
    size_t stamps, room;
};

static void add_stamp(struct reading *r, uint64_t tick, uint32_t event)
{
    if (r->stamps == r->room) {
        r->room = r->room ? 2 * r->room : 4096;
        r->stamp = realloc(r->stamp, r->room * sizeof *r->stamp);
        PL_ASSERT(r->stamp);
    }
    r->stamp[r->stamps++] = (struct stamp){tick, event};
}

pl_value pl_stressed_value(struct pl_history *h, const struct pl_against *against, pl_value value)
{
    const struct pl_values *from = &against->history.values;
    size_t count;
    if (value < PL_INTERNED)
        return value;
    const void *members = pl_values_members(from, value, &count);
    if (!members) {
        const struct pl_value_entry *e = &from->entry[value - PL_INTERNED];
        return pl_values_text(&h->values, from->bytes.text + e->start, e->length);
    }
    pl_value copy[PL_STRESS_RESPONSE];
    count = count < PL_STRESS_RESPONSE ? count : PL_STRESS_RESPONSE;
    memcpy(copy, members, count * sizeof *copy);
    for (size_t i = 0; i < count; i++)
        copy[i] = pl_stressed_value(h, against, copy[i]);
    return pl_values_list(&h->values, copy, count);
}

static void add_operation(struct reading *r, unsigned thread, unsigned call, int64_t argument)
{
    struct pl_history *h = &r->out->history;
    uint32_t number = h->count;
    struct pl_operation *o = pl_history_add(h);
    *o = r->against->meant[r->number[call]].operation;
    if (r->call[call].fresh)
        o->argument[r->call[call].fresh - 1] = argument;
    o->thread = thread;
    o->line = 1 + call;
    o->ret = PL_NEVER;
    o->call = number;
}

static bool read_thread(struct reading *r, const struct pl_stress_wire *w, unsigned round,
                        unsigned thread)
{
    const struct pl_stress_thread *s = &w->round[round].of[thread];
    const uint8_t *at = pl_stress_records(w, round, thread), *end = at + s->used;
    struct pl_history *h = &r->out->history;
    r->last_call = 0;
    if (s->used > w->options.room)
        return false;
    while (at < end) {
        struct pl_stress_record record;
        if ((size_t)(end - at) < sizeof record)
            return false;
        memcpy(&record, at, sizeof record);
        at += sizeof record;
        if (record.operation >= r->calls || record.length > end - at)
            return false;
        uint32_t number = h->count;
        add_operation(r, thread, record.operation, record.argument);
        h->operation[number].result = pl_stressed_value(
            h, r->against,
            pl_against_value(r->against, r->number[record.operation], at, record.length));
        r->last_call = record.call;
        add_stamp(r, record.call, 2 * number);
        add_stamp(r, record.ret, 2 * number + 1);
        at += (record.length + 7u) & ~7u;
    }
    return true;
}

/* An operation that never returned: the round ended under it. */
static void add_pending(struct reading *r, const struct pl_stress_wire *w, unsigned round,
                        unsigned thread)
{
    const struct pl_stress_thread *s = &w->round[round].of[thread];
    if (!s->under_way || s->under_way > r->calls || s->call == r->last_call)
        return;
    uint32_t number = r->out->history.count;
    add_operation(r, thread, s->under_way - 1, s->argument);
    r->out->history.operation[number].result = PL_ANY;
    add_stamp(r, s->call, 2 * number);
}

static int by_time(const void *a, const void *b)
{
    const struct stamp *x = a, *y = b;
    if (x->tick != y->tick)
        return x->tick < y->tick ? -1 : 1;
    return (int)(x->event & 1) - (int)(y->event & 1);
}

void pl_stressed_name_threads(struct pl_history *h, unsigned threads)
{
    char name[16];
    for (unsigned t = 0; t <= threads; t++) {
        (void)snprintf(name, sizeof name, t == threads ? "main" : "%u", t + 1);
        (void)pl_values_text(&h->thread_names, name, strlen(name));
    }
    h->threads = threads + 1;
}

void pl_stressed_read(struct pl_stressed *out, const struct pl_stress_wire *wire, unsigned round,
                      struct pl_against *against, const uint16_t *number)
{
    struct reading r = {.out = out,
                        .call = wire->options.call,
                        .number = number,
                        .calls = wire->options.calls,
                        .against = against};
    unsigned threads = wire->options.threads;
    *out = (struct pl_stressed){0};
    pl_history_init(&out->history);
    pl_stressed_name_threads(&out->history, threads);
    for (unsigned t = 0; t <= threads && !out->damaged; t++) {
        out->damaged = !read_thread(&r, wire, round, t);
        add_pending(&r, wire, round, t);
    }
    struct pl_history *h = &out->history;
    if (r.stamps)
        qsort(r.stamp, r.stamps, sizeof *r.stamp, by_time);
    for (size_t i = 0; i < r.stamps; i++) {
        struct pl_operation *o = &h->operation[r.stamp[i].event / 2];
        *(r.stamp[i].event % 2 ? &o->ret : &o->call) = (uint32_t)i;
    }
    free(r.stamp);
    pl_history_finish(h);
}

/* Of an operation that no thread made: the state was made by it. */
static uint16_t call_like(const struct pl_against *against, const struct pl_operation *o)
{
    for (size_t k = 0; k < against->count; k++) {
        const struct pl_operation *known = &against->meant[k].operation;
        if (known->code == o->code && memcmp(known->argument, o->argument, sizeof o->argument) == 0)
            return (uint16_t)k;
    }
    return PL_CALL_BY_LABEL;
}

void pl_stressed_name_calls(struct pl_stressed *s, const struct pl_stress_wire *wire,
                            const struct pl_against *against, const uint16_t *number)
{
    struct pl_history *h = &s->history;
    s->call = calloc(h->count + 1u, sizeof *s->call);
    PL_ASSERT(s->call);
    for (uint32_t i = 0; i < h->count; i++) {
        unsigned line = h->operation[i].line;
        s->call[i] = !line                                ? call_like(against, &h->operation[i])
                     : wire->options.call[line - 1].fresh ? PL_CALL_BY_LABEL
                                                          : number[line - 1];
        h->operation[i].line = 0;
    }
}

void pl_stressed_release(struct pl_stressed *s)
{
    pl_history_release(&s->history);
    free(s->call);
    *s = (struct pl_stressed){0};
}
