/* See graph.h. */
#include "graph.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void or_graph_init(struct or_graph *g)
{
    memset(g, 0, sizeof *g);
    for (int t = 0; t < OR_THREADS; t++)
        g->blocked[t] = -1;
}

bool or_graph_is_blocked(const struct or_graph *g)
{
    for (int t = 0; t < OR_THREADS; t++)
        if (g->blocked[t] >= 0)
            return true;
    return false;
}

/* --- rendering ------------------------------------------------------------------ */

static void render_ref(struct or_ref ref, struct pl_strbuf *out)
{
    if (ref.thread < 0)
        pl_strbuf_add(out, " init");
    else
        pl_strbuf_addf(out, " %d.%d", ref.thread, ref.index);
}

static void render_event(const struct or_event *e, const struct or_program *p,
                         struct pl_strbuf *out)
{
    switch (e->kind) {
    case OR_EV_READ:
        pl_strbuf_addf(out, "R %s %d", p->loc_names[e->loc], e->read);
        render_ref(e->rf, out);
        break;
    case OR_EV_WRITE:
        pl_strbuf_addf(out, "W %s %d", p->loc_names[e->loc], e->written);
        break;
    case OR_EV_UPDATE:
        pl_strbuf_addf(out, "U %s %d->%d", p->loc_names[e->loc], e->read, e->written);
        render_ref(e->rf, out);
        break;
    case OR_EV_FENCE:
        pl_strbuf_add(out, "F");
        break;
    case OR_EV_LOCK:
        pl_strbuf_addf(out, "L %s", p->lock_names[e->loc]);
        break;
    case OR_EV_UNLOCK:
        pl_strbuf_addf(out, "UL %s", p->lock_names[e->loc]);
        break;
    }
}

static void render_order(const char *what, const char *name, const struct or_ref *refs, int count,
                         struct pl_strbuf *out)
{
    if (count == 0)
        return;
    pl_strbuf_addf(out, "%s %s:", what, name);
    for (int i = 0; i < count; i++)
        render_ref(refs[i], out);
    pl_strbuf_add(out, "\n");
}

void or_graph_render(const struct or_graph *g, const struct or_program *p, struct pl_strbuf *out)
{
    for (int t = 0; t < p->threads; t++) {
        pl_strbuf_addf(out, "%d:", t);
        for (int i = 0; i < g->counts[t]; i++) {
            pl_strbuf_add(out, i ? "; " : " ");
            render_event(&g->events[t][i], p, out);
        }
        pl_strbuf_add(out, "\n");
    }
    for (int l = 0; l < p->locs; l++)
        render_order("co", p->loc_names[l], g->co[l], g->co_counts[l], out);
    for (int l = 0; l < p->locks; l++)
        render_order("lock", p->lock_names[l], g->lock_order[l], g->lock_counts[l], out);
    for (int t = 0; t < p->threads; t++)
        if (g->blocked[t] >= 0)
            pl_strbuf_addf(out, "blocked: %d %s\n", t, p->lock_names[g->blocked[t]]);
}

static int final_value(const struct or_graph *g, int loc)
{
    if (g->co_counts[loc] == 0)
        return 0;
    struct or_ref last = g->co[loc][g->co_counts[loc] - 1];
    return g->events[last.thread][last.index].written;
}

void or_graph_render_outcome(const struct or_graph *g, const struct or_program *p,
                             struct pl_strbuf *out)
{
    const char *gap = "";
    for (int t = 0; t < p->threads; t++) {
        unsigned set = 0;
        for (int i = 0; i < p->thread[t].count; i++)
            if (p->thread[t].ops[i].dest >= 0)
                set |= 1u << p->thread[t].ops[i].dest;
        for (int r = 0; r < OR_REGS; r++) {
            if (!(set >> r & 1u))
                continue;
            pl_strbuf_addf(out, "%s%d:r%d=%d", gap, t, r, g->regs[t][r]);
            gap = " ";
        }
    }
    for (int l = 0; l < p->locs; l++) {
        pl_strbuf_addf(out, "%s%s=%d", gap, p->loc_names[l], final_value(g, l));
        gap = " ";
    }
}

/* --- sets ----------------------------------------------------------------------- */

static void *grow(void *old, size_t count, size_t size)
{
    void *now = reallocarray(old, count, size);
    PL_ASSERT(now != NULL);
    return now;
}

void or_set_init(struct or_set *s)
{
    memset(s, 0, sizeof *s);
}

void or_set_release(struct or_set *s)
{
    for (size_t i = 0; i < s->count; i++)
        free(s->items[i]);
    free(s->items);
    free(s->slots);
    or_set_init(s);
}

static uint64_t hash(const char *text)
{
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 0x100000001b3u;
    return h ^ h >> 29;
}

/* The slot of the text, or the free one where it belongs. */
static size_t find_slot(const struct or_set *s, const char *text)
{
    size_t at = hash(text) & (s->slot_count - 1);
    while (s->slots[at] && strcmp(s->items[s->slots[at] - 1], text) != 0)
        at = (at + 1) & (s->slot_count - 1);
    return at;
}

static void make_room(struct or_set *s)
{
    if (s->count == s->room) {
        s->room = s->room ? 2 * s->room : 16;
        s->items = grow(s->items, s->room, sizeof *s->items);
    }
    if (2 * (s->count + 1) <= s->slot_count)
        return;
    s->slot_count = s->slot_count ? 2 * s->slot_count : 64;
    s->slots = grow(s->slots, s->slot_count, sizeof *s->slots);
    memset(s->slots, 0, s->slot_count * sizeof *s->slots);
    for (size_t i = 0; i < s->count; i++)
        s->slots[find_slot(s, s->items[i])] = i + 1;
}

bool or_set_add(struct or_set *s, const char *text)
{
    make_room(s);
    size_t slot = find_slot(s, text);
    if (s->slots[slot])
        return false;
    char *copy = strdup(text);
    PL_ASSERT(copy != NULL);
    s->items[s->count++] = copy;
    s->slots[slot] = s->count;
    return true;
}

bool or_set_has(const struct or_set *s, const char *text)
{
    return s->slot_count > 0 && s->slots[find_slot(s, text)] != 0;
}

const char *or_set_missing(const struct or_set *a, const struct or_set *b)
{
    for (size_t i = 0; i < a->count; i++)
        if (!or_set_has(b, a->items[i]))
            return a->items[i];
    return NULL;
}

/* --- results -------------------------------------------------------------------- */

void or_result_init(struct or_result *r)
{
    memset(r, 0, sizeof *r);
}

void or_result_release(struct or_result *r)
{
    or_set_release(&r->graphs);
    or_set_release(&r->blocked);
    or_set_release(&r->outcomes);
    or_result_init(r);
}

static bool satisfies(const struct or_graph *g, const struct or_program *p)
{
    for (int i = 0; i < p->terms; i++) {
        const struct or_term *term = &p->term[i];
        int value =
            term->thread < 0 ? final_value(g, term->index) : g->regs[term->thread][term->index];
        if ((value == term->value) != term->equal)
            return false;
    }
    return true;
}

bool or_result_add(struct or_result *r, const struct or_program *p, const struct or_graph *g,
                   bool racy)
{
    bool blocked = or_graph_is_blocked(g);
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    or_graph_render(g, p, &text);
    bool fresh = or_set_add(blocked ? &r->blocked : &r->graphs, text.text);
    r->repeated += !fresh;
    r->racy = r->racy || racy;
    if (!blocked) {
        pl_strbuf_clear(&text);
        or_graph_render_outcome(g, p, &text);
        (void)or_set_add(&r->outcomes, text.text);
    }
    switch (p->outcome) {
    case OR_FINAL:
        r->satisfied = r->satisfied || (!blocked && satisfies(g, p));
        break;
    case OR_BLOCKED:
        r->satisfied = r->satisfied || blocked;
        break;
    case OR_RACE:
        r->satisfied = r->satisfied || racy;
        break;
    }
    pl_strbuf_release(&text);
    return fresh;
}
