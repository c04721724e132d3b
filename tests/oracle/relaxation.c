#include "relaxation.h"

#include "spec/codes.h"

enum { NOTHING = -1 };

struct search {
    const struct or_relaxation *relaxation;
    const struct pl_history *h;
    unsigned sequence[OR_RELAXED_OPERATIONS], count;
    int taken[OR_RELAXED_OPERATIONS]; /* at this place of the sequence: by which put */
};

static bool is_put(const struct search *s, unsigned place)
{
    return s->h->operation[s->sequence[place]].code == PL_PUT;
}

static pl_value put_value(const struct search *s, int put)
{
    return s->h->operation[s->sequence[put]].argument[0];
}

/* Was the value of the put at place p there before the place `now`? */
static bool there(const struct search *s, unsigned p, unsigned now)
{
    bool is = p < now && is_put(s, p);
    for (unsigned k = 0; k < now; k++)
        is = is && s->taken[k] != (int)p;
    return is;
}

/* Does the value of put a come out before that of put b? */
static bool first(const struct search *s, unsigned a, unsigned b)
{
    pl_value va = put_value(s, (int)a), vb = put_value(s, (int)b);
    switch (s->relaxation->head) {
    case OR_QUEUE:
        return a < b;
    case OR_STACK:
        return a > b;
    case OR_LEAST:
        return va < vb || (va == vb && a < b);
    case OR_GREATEST:
        return va > vb || (va == vb && a < b);
    }
    return false;
}

/* How many that are there before `now` come out before p. */
static unsigned ahead(const struct search *s, unsigned p, unsigned now)
{
    unsigned count = 0;
    for (unsigned k = 0; k < now; k++)
        count += there(s, k, now) && first(s, k, p);
    return count;
}

static unsigned size(const struct search *s, unsigned now)
{
    unsigned count = 0;
    for (unsigned k = 0; k < now; k++)
        count += there(s, k, now);
    return count;
}

/* A take, though there was something, of something that is not the head. */
static bool is_late(const struct search *s, unsigned now)
{
    return !is_put(s, now) && size(s, now) &&
           (s->taken[now] == NOTHING || ahead(s, (unsigned)s->taken[now], now));
}

static bool row_is_short(const struct search *s)
{
    unsigned row = 0;
    for (unsigned k = 0; k < s->count; k++) {
        if (!is_put(s, k))
            row = is_late(s, k) ? row + 1 : 0;
        if (row > s->relaxation->row)
            return false;
    }
    return true;
}

/* Of each value, each interval in which it is the head. */
static bool heads_are_taken(const struct search *s)
{
    for (unsigned p = 0; p < s->count; p++) {
        unsigned others = 0;
        for (unsigned now = 0; now < s->count; now++) {
            if (!there(s, p, now) || ahead(s, p, now))
                others = 0;
            else if (!is_put(s, now) && is_late(s, now))
                others++;
            if (others > s->relaxation->head_for)
                return false;
        }
    }
    return true;
}

static bool near_the_head(const struct search *s)
{
    for (unsigned k = 0; k < s->count; k++) {
        if (is_put(s, k))
            continue;
        if (s->taken[k] == NOTHING ? size(s, k) > s->relaxation->empty
                                   : ahead(s, (unsigned)s->taken[k], k) > s->relaxation->places)
            return false;
    }
    return true;
}

static bool place(struct search *s, unsigned done);

static bool with(struct search *s, unsigned done, unsigned i, int taken)
{
    s->sequence[s->count] = i;
    s->taken[s->count++] = taken;
    bool good = place(s, done | 1u << i);
    s->count--;
    return good;
}

static bool place(struct search *s, unsigned done)
{
    const struct pl_history *h = s->h;
    bool complete = true;
    for (size_t i = 0; i < h->count; i++)
        complete = complete && (done >> i & 1 || h->operation[i].ret == PL_NEVER);
    if (complete && near_the_head(s) && row_is_short(s) && heads_are_taken(s))
        return true;
    for (unsigned i = 0; i < h->count; i++) {
        const struct pl_operation *o = &h->operation[i];
        bool early = done >> i & 1;
        for (size_t j = 0; j < h->count; j++)
            early = early || (h->operation[j].ret < o->call && !(done >> j & 1));
        if (early)
            continue;
        bool any = o->ret == PL_NEVER;
        if (o->code == PL_PUT || any || o->result == PL_NIL)
            if (with(s, done, i, NOTHING))
                return true;
        for (unsigned p = 0; p < s->count && o->code == PL_TAKE; p++)
            if (there(s, p, s->count) && (any || put_value(s, (int)p) == o->result) &&
                with(s, done, i, (int)p))
                return true;
    }
    return false;
}

bool or_relaxed_good(const struct or_relaxation *relaxation, const struct pl_history *history)
{
    struct search s = {.relaxation = relaxation, .h = history};
    return place(&s, 0);
}
