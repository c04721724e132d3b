/* Histories and the table of their values. */
#include "history/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

enum { FIRST_ROOM = 64 };

void pl_values_init(struct pl_values *v)
{
    *v = (struct pl_values){0};
    pl_strbuf_init(&v->bytes);
}

void pl_values_release(struct pl_values *v)
{
    free(v->entry);
    free(v->slot);
    pl_strbuf_release(&v->bytes);
    *v = (struct pl_values){0};
}

static uint32_t hash_bytes(const void *bytes, size_t length, bool list)
{
    const unsigned char *at = bytes;
    uint64_t h = list ? 0x9e3779b97f4a7c15u : 0xcbf29ce484222325u;
    for (size_t i = 0; i < length; i++)
        h = (h ^ at[i]) * 0x100000001b3u;
    return (uint32_t)(h ^ (h >> 32));
}

/* The slot of an entry, or the free one where it belongs. */
static uint32_t *find_slot(struct pl_values *v, const void *bytes, size_t length, bool list)
{
    uint32_t i = hash_bytes(bytes, length, list) & (v->slots - 1);
    for (;; i = (i + 1) & (v->slots - 1)) {
        if (!v->slot[i])
            return &v->slot[i];
        const struct pl_value_entry *e = &v->entry[v->slot[i] - 1];
        if (e->length == length && e->list == list &&
            memcmp(v->bytes.text + e->start, bytes, length) == 0)
            return &v->slot[i];
    }
}

static void grow(struct pl_values *v)
{
    v->room = v->room ? v->room * 2 : FIRST_ROOM;
    v->entry = realloc(v->entry, v->room * sizeof *v->entry);
    free(v->slot);
    v->slots = v->room * 2;
    v->slot = calloc(v->slots, sizeof *v->slot);
    PL_ASSERT(v->entry && v->slot);
    for (uint32_t i = 0; i < v->count; i++)
        *find_slot(v, v->bytes.text + v->entry[i].start, v->entry[i].length, v->entry[i].list) =
            i + 1;
}

static pl_value intern(struct pl_values *v, const void *bytes, size_t length, bool list)
{
    if (v->count == v->room)
        grow(v);
    uint32_t *slot = find_slot(v, bytes, length, list);
    if (!*slot) {
        v->entry[v->count] = (struct pl_value_entry){v->bytes.length, (uint32_t)length, list};
        pl_strbuf_add_bytes(&v->bytes, bytes, length);
        *slot = ++v->count;
    }
    return PL_INTERNED + (pl_value)(*slot - 1);
}

pl_value pl_values_text(struct pl_values *v, const char *text, size_t length)
{
    return intern(v, text, length, false);
}

pl_value pl_values_list(struct pl_values *v, const pl_value *member, size_t count)
{
    return intern(v, count ? (const void *)member : "", count * sizeof *member, true);
}

const void *pl_values_members(const struct pl_values *v, pl_value value, size_t *count)
{
    if (value < PL_INTERNED || !v->entry[value - PL_INTERNED].list)
        return NULL;
    const struct pl_value_entry *e = &v->entry[value - PL_INTERNED];
    *count = e->length / sizeof(pl_value);
    return v->bytes.text + e->start;
}

void pl_values_print(const struct pl_values *v, pl_value value, struct pl_strbuf *out)
{
    if (value == PL_NIL) {
        pl_strbuf_add(out, "nil");
    } else if (value == PL_ANY) {
        pl_strbuf_add(out, "?");
    } else if (value < PL_INTERNED) {
        pl_strbuf_addf(out, "%lld", (long long)value);
    } else if (!v->entry[value - PL_INTERNED].list) {
        const struct pl_value_entry *e = &v->entry[value - PL_INTERNED];
        pl_strbuf_add_bytes(out, v->bytes.text + e->start, e->length);
    } else {
        size_t count;
        const char *members = pl_values_members(v, value, &count);
        pl_strbuf_add(out, "[");
        for (size_t i = 0; i < count; i++) {
            pl_value member;
            memcpy(&member, members + i * sizeof member, sizeof member);
            pl_strbuf_add(out, i ? " " : "");
            pl_values_print(v, member, out);
        }
        pl_strbuf_add(out, "]");
    }
}

void pl_history_init(struct pl_history *h)
{
    *h = (struct pl_history){0};
    pl_values_init(&h->values);
    pl_values_init(&h->thread_names);
}

void pl_history_release(struct pl_history *h)
{
    free(h->operation);
    free(h->event);
    pl_values_release(&h->values);
    pl_values_release(&h->thread_names);
    *h = (struct pl_history){0};
}

struct pl_operation *pl_history_add(struct pl_history *h)
{
    if (h->count == h->room) {
        h->room = h->room ? h->room + h->room / 2 : FIRST_ROOM;
        h->operation = realloc(h->operation, h->room * sizeof *h->operation);
        PL_ASSERT(h->operation);
    }
    struct pl_operation *o = &h->operation[h->count++];
    memset(o, 0, sizeof *o);
    o->ret = PL_NEVER;
    o->result = PL_ANY;
    return o;
}

static bool sorted_by_call(const struct pl_history *h)
{
    for (uint32_t i = 1; i < h->count; i++)
        if (h->operation[i].call < h->operation[i - 1].call)
            return false;
    return true;
}

static int by_call(const void *a, const void *b)
{
    const struct pl_operation *x = a, *y = b;
    return (x->call > y->call) - (x->call < y->call);
}

void pl_history_finish(struct pl_history *h)
{
    uint32_t end = 0;
    for (uint32_t i = 0; i < h->count; i++) {
        const struct pl_operation *o = &h->operation[i];
        PL_ASSERT(o->call < o->ret); /* I1 */
        if (o->call >= end)
            end = o->call + 1;
        if (!pl_pending(o) && o->ret >= end)
            end = o->ret + 1;
    }
    if (!sorted_by_call(h))
        qsort(h->operation, h->count, sizeof *h->operation, by_call);
    free(h->event);
    h->event = malloc((end + 1) * sizeof *h->event);
    PL_ASSERT(h->event);
    memset(h->event, 0xff, (end + 1) * sizeof *h->event);
    for (uint32_t i = 0; i < h->count; i++) {
        h->event[h->operation[i].call] = i * 2;
        if (!pl_pending(&h->operation[i]))
            h->event[h->operation[i].ret] = i * 2 + 1;
    }
    h->events = 0;
    for (uint32_t t = 0; t < end; t++) {
        if (h->event[t] == PL_NEVER)
            continue;
        struct pl_operation *o = &h->operation[h->event[t] / 2];
        *(h->event[t] % 2 ? &o->ret : &o->call) = h->events;
        h->event[h->events++] = h->event[t];
    }
}
