/* Execution graphs: adding, cutting, copying. See graph.h. */
#include "graph/graph.h"

#include <string.h>
#include <sys/mman.h>

struct pl_graph *pl_graph_new(void)
{
    void *p = mmap(NULL, sizeof(struct pl_graph), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void pl_graph_free(struct pl_graph *g)
{
    if (g)
        (void)munmap(g, sizeof *g);
}

void pl_graph_clear(struct pl_graph *g)
{
    for (unsigned t = 0; t < g->threads; t++)
        g->thread[t].count = 0;
    g->threads = g->locations = g->events = g->stamps = 0;
}

/* One that is left over from events that were cut off; 0: there is none. */
static uint32_t unused(const struct pl_graph *g)
{
    for (uint32_t i = g->locations; i > 0; i--)
        if (!g->location[i - 1].uses)
            return i;
    return 0;
}

uint32_t pl_graph_location(struct pl_graph *g, uint64_t key, uint64_t initial)
{
    for (uint32_t i = 0; i < g->locations; i++)
        if (g->location[i].key == key) {
            if (!g->location[i].uses) /* left over from events that were cut off */
                g->location[i].initial = initial;
            return i + 1;
        }
    uint32_t number = g->locations < PL_GRAPH_LOCATIONS ? ++g->locations : unused(g);
    if (!number)
        return 0;
    struct pl_location *l = &g->location[number - 1];
    l->key = key;
    l->initial = initial;
    l->writes = l->uses = 0;
    l->readers = PL_INIT;
    memset(l->last, 0, sizeof l->last);
    return number;
}

/* ---- events ---- */

const struct pl_node *pl_graph_awaited(const struct pl_graph *g, const struct pl_node *lock)
{
    struct pl_ref before = lock[-1].rf;
    if (pl_is_init(before))
        return lock;
    const struct pl_graph_thread *t = &g->thread[before.thread];
    for (unsigned k = before.index + 1u; k < t->count; k++)
        if (t->node[k].kind == PL_GRAPH_UNLOCK && t->node[k].other == before.index &&
            t->node[k].location == lock->location)
            return &t->node[k];
    return NULL;
}

/* The views of a new event before it reads anything: its thread's past. After a lock that is
 * also the unlock it waited for; the lock's own views do not have it, because it may be
 * asked for before the unlock is there. */
static void past_of_thread(const struct pl_graph *g, struct pl_node *n)
{
    unsigned t = n->self.thread;
    n->gained = false;
    if (n->self.index) {
        memcpy(n->porf, n[-1].porf, sizeof n->porf);
        memcpy(n->hb, n[-1].hb, sizeof n->hb);
        if (n[-1].kind == PL_GRAPH_WRITE && (n[-1].flags & PL_GRAPH_F_LOCK)) {
            const struct pl_node *unlock = pl_graph_awaited(g, &n[-1]);
            if (unlock && unlock != &n[-1]) {
                pl_view_join(n->porf, unlock->porf);
                n->gained = !(n[-1].flags & PL_GRAPH_F_QUIET);
                if (n->gained)
                    pl_view_join(n->hb, unlock->hb);
            }
        }
    } else {
        memset(n->porf, 0, sizeof n->porf);
        memset(n->hb, 0, sizeof n->hb);
    }
    n->porf[t] = n->hb[t] = (uint16_t)(n->self.index + 1);
}

static bool is_sc(const struct pl_node *n)
{
    return n->order == PL_SC && (pl_is_access(n) || n->kind == PL_GRAPH_FENCE);
}

/* Where the thread's earlier fences and seq_cst events are. */
static void landmarks(struct pl_node *n)
{
    const struct pl_node *p = n - 1;
    bool fence = p->kind == PL_GRAPH_FENCE;
    n->release_fence = fence && pl_releases(p->order) ? n->self.index : p->release_fence;
    n->sc = is_sc(p) ? n->self.index : p->sc;
    n->sc_fence = fence && p->order == PL_SC ? n->self.index : p->sc_fence;
}

static void join_chain(struct pl_graph *g, struct pl_node *n)
{
    struct pl_location *l = &g->location[n->location - 1];
    l->uses++;
    if (!pl_is_access(n))
        return;
    n->before = l->last[n->self.thread];
    l->last[n->self.thread] = (uint16_t)(n->self.index + 1);
    const struct pl_node *p = pl_before(n);
    if (p)
        n->head = p->kind == PL_GRAPH_WRITE && pl_releases(p->order) ? n->before : p->head;
}

struct pl_node *pl_graph_add(struct pl_graph *g, unsigned thread, enum pl_graph_kind kind,
                             uint32_t location)
{
    struct pl_graph_thread *t = &g->thread[thread];
    if (thread >= g->threads) {
        for (unsigned i = g->threads; i <= thread; i++)
            g->thread[i].count = 0;
        g->threads = thread + 1;
    }
    struct pl_node *n = &t->node[t->count];
    memset(n, 0, offsetof(struct pl_node, porf));
    n->kind = (uint8_t)kind;
    n->location = location;
    n->self = (struct pl_ref){(uint16_t)thread, (uint16_t)t->count};
    n->rf = n->readers = PL_INIT;
    n->place = PL_NOWHERE;
    n->stamp = ++g->stamps;
    t->count++;
    if (location)
        join_chain(g, n);
    if (n->self.index)
        landmarks(n);
    past_of_thread(g, n);
    g->order[g->events++] = n->self;
    return n;
}

void pl_graph_add_past(struct pl_node *to, const struct pl_node *from)
{
    pl_view_join(to->porf, from->porf);
    pl_view_join(to->hb, from->hb);
    to->gained = true;
}

void pl_graph_add_create(const struct pl_graph *g, struct pl_node *begin)
{
    const struct pl_graph_thread *t = &g->thread[begin->value];
    for (unsigned k = 0; k < t->count; k++)
        if (t->node[k].kind == PL_GRAPH_CREATE && t->node[k].value == begin->self.thread)
            pl_graph_add_past(begin, &t->node[k]);
}

/* The hb of a fence gains what relaxed reads before it in po have seen released; the fence
 * before it has what was read before that. */
static void acquire_fence(const struct pl_graph *g, struct pl_node *fence)
{
    const struct pl_node *first = g->thread[fence->self.thread].node, *n = fence;
    while (n-- > first && !(n->kind == PL_GRAPH_FENCE && pl_acquires(n->order)))
        if (n->kind == PL_GRAPH_READ && !pl_is_init(n->rf))
            pl_view_join(fence->hb, pl_at(g, n->rf)->release);
}

/* The head of the list of reads from what `read` reads from. */
static struct pl_ref *readers_of(struct pl_graph *g, const struct pl_node *read)
{
    return pl_is_init(read->rf) ? &g->location[read->location - 1].readers
                                : &pl_at(g, read->rf)->readers;
}

static void link_read(struct pl_graph *g, struct pl_node *read)
{
    struct pl_ref *head = readers_of(g, read);
    read->next = *head;
    *head = read->self;
    read->linked = true;
}

static void unlink_read(struct pl_graph *g, struct pl_node *read)
{
    if (!read->linked)
        return;
    read->linked = false;
    struct pl_ref *p = readers_of(g, read);
    while (!pl_same(*p, read->self))
        p = &pl_at(g, *p)->next;
    *p = read->next;
}

void pl_graph_set_rf(struct pl_graph *g, struct pl_node *read, struct pl_ref write)
{
    past_of_thread(g, read);
    unlink_read(g, read);
    read->rf = write;
    /* until its write is there; with another value its loop may go on */
    read->flags &= (uint8_t) ~(PL_GRAPH_F_RMW | PL_GRAPH_F_SPIN);
    if (read->kind == PL_GRAPH_FENCE) {
        if (pl_acquires(read->order))
            acquire_fence(g, read);
        read->gained = true;
        return;
    }
    link_read(g, read);
    bool initial = pl_is_init(write);
    const struct pl_node *w = initial ? read : pl_at(g, write);
    uint64_t written;
    read->value = initial ? g->location[read->location - 1].initial : w->value;
    if (read->op != PL_OP_NONE)
        read->order =
            pl_graph_update(read, read->value, &written) ? read->order_ok : read->order_fail;
    if (initial)
        return;
    pl_view_join(read->porf, w->porf);
    if (pl_acquires(read->order)) {
        pl_view_join(read->hb, w->release);
        read->gained = true;
    }
}

/*
 * The release sequence of RC11: heads are release writes (the write itself, earlier release
 * writes of the same thread to the location) and release fences before a relaxed write;
 * it goes on through read-modify-writes. The last head of a thread has the views of the others.
 */
void pl_graph_set_release(struct pl_graph *g, struct pl_node *write)
{
    const struct pl_node *first = g->thread[write->self.thread].node;
    if (pl_releases(write->order)) {
        memcpy(write->release, write->hb, sizeof write->release);
    } else {
        memset(write->release, 0, sizeof write->release);
        if (write->release_fence)
            pl_view_join(write->release, first[write->release_fence - 1].hb);
        if (write->head)
            pl_view_join(write->release, first[write->head - 1].hb);
    }
    if ((write->flags & PL_GRAPH_F_RMW) && !pl_is_init(write[-1].rf))
        pl_view_join(write->release, pl_at(g, write[-1].rf)->release);
}

bool pl_graph_update(const struct pl_node *read, uint64_t old, uint64_t *written)
{
    uint64_t mask = read->size >= 8 ? ~(uint64_t)0 : ((uint64_t)1 << read->size * 8) - 1;
    uint64_t x = read->operand, result = 0;
    switch ((enum pl_graph_op)read->op) {
    case PL_OP_NONE:
        return false;
    case PL_OP_EXCHANGE:
    case PL_OP_LOCK:
        result = x;
        break;
    case PL_OP_ADD:
        result = old + x;
        break;
    case PL_OP_SUB:
        result = old - x;
        break;
    case PL_OP_AND:
        result = old & x;
        break;
    case PL_OP_OR:
        result = old | x;
        break;
    case PL_OP_XOR:
        result = old ^ x;
        break;
    case PL_OP_NAND:
        result = ~(old & x);
        break;
    case PL_OP_CAS:
        if (((old ^ read->expected) & mask) != 0)
            return false;
        result = x;
        break;
    case PL_OP_TAKE:
        if (old == 0)
            return false;
        result = old - 1;
        break;
    case PL_OP_SHARE:
        if (old == read->expected)
            return false;
        result = old + 1;
        break;
    case PL_OP_LEAVE:
        if (old == 0)
            return false;
        result = old == read->expected ? 0 : old - 1;
        break;
    }
    *written = result & mask;
    return true;
}

bool pl_graph_awaits(const struct pl_node *read)
{
    uint64_t written;
    switch ((enum pl_await)read->await) {
    case PL_AWAIT_NONE:
        return false;
    case PL_AWAIT_WRITE:
        return !pl_graph_update(read, read->value, &written);
    case PL_AWAIT_EQUAL:
        return read->value != read->expected;
    case PL_AWAIT_OTHER:
        return read->value == read->expected;
    }
    return false;
}

bool pl_graph_is_half(const struct pl_node *n)
{
    uint64_t written;
    return n->kind == PL_GRAPH_READ && !(n->flags & PL_GRAPH_F_RMW) &&
           pl_graph_update(n, n->value, &written);
}

/* ---- coherence order ---- */

static void renumber(struct pl_graph *g, struct pl_location *l, unsigned from)
{
    for (unsigned i = from; i < l->writes; i++)
        pl_at(g, l->co[i])->place = (int16_t)i;
}

void pl_graph_insert_co(struct pl_graph *g, struct pl_node *write, unsigned position)
{
    struct pl_location *l = &g->location[write->location - 1];
    for (unsigned i = l->writes++; i > position; i--)
        l->co[i] = l->co[i - 1];
    l->co[position] = write->self;
    renumber(g, l, position);
}

void pl_graph_remove_co(struct pl_graph *g, struct pl_node *write)
{
    struct pl_location *l = &g->location[write->location - 1];
    if (write->place == PL_NOWHERE)
        return;
    unsigned place = (unsigned)write->place;
    l->writes--;
    for (unsigned i = place; i < l->writes; i++)
        l->co[i] = l->co[i + 1];
    renumber(g, l, place);
    write->place = PL_NOWHERE;
}

bool pl_graph_fits(const struct pl_graph *g, uint32_t location, unsigned position)
{
    const struct pl_location *l = &g->location[location - 1];
    return position >= l->writes || !(pl_at(g, l->co[position])->flags & PL_GRAPH_F_RMW);
}

int pl_view_place(const struct pl_graph *g, uint32_t location, const uint16_t *view)
{
    int place = -1;
    for (unsigned t = 0; t < g->threads; t++) {
        const struct pl_node *n = pl_last_access(g, location, t, view[t]); /* I5 */
        int p = n ? pl_place(g, n) : -1;
        place = p > place ? p : place;
    }
    return place;
}

int pl_graph_lowest(struct pl_graph *g, const struct pl_model *model, struct pl_node *e)
{
    struct pl_location *l = &g->location[e->location - 1];
    if (e->kind == PL_GRAPH_READ) {
        unlink_read(g, e);
        past_of_thread(g, e);
    } else {
        pl_graph_remove_co(g, e);
    }
    if (!l->writes)
        return -1;
    l->last[e->self.thread] = e->before; /* the model sees the graph without it */
    int lowest = model->lowest(g, e);
    l->last[e->self.thread] = (uint16_t)(e->self.index + 1);
    return lowest;
}

/* ---- taking away ---- */

void pl_graph_remove_last(struct pl_graph *g, unsigned thread)
{
    struct pl_graph_thread *t = &g->thread[thread];
    struct pl_node *n = &t->node[--t->count];
    if (!n->location)
        return;
    struct pl_location *l = &g->location[n->location - 1];
    l->uses--;
    if (pl_is_access(n))
        l->last[thread] = n->before;
    if (n->kind == PL_GRAPH_WRITE) {
        pl_graph_remove_co(g, n);
        if (n->flags & PL_GRAPH_F_RMW)
            n[-1].flags &= (uint8_t)~PL_GRAPH_F_RMW; /* its write is to come again */
    } else if (n->kind == PL_GRAPH_READ) {
        unlink_read(g, n);
    }
}

void pl_graph_cut(struct pl_graph *g, uint32_t count)
{
    while (g->events > count)
        pl_graph_remove_last(g, g->order[--g->events].thread);
}

static void copy_location(struct pl_graph *to, const struct pl_graph *from, unsigned i)
{
    struct pl_location *a = &to->location[i];
    const struct pl_location *b = &from->location[i];
    a->key = b->key;
    a->initial = b->initial;
    a->uses = a->writes = 0;
    a->readers = PL_INIT;
    for (unsigned t = 0; t < PL_GRAPH_THREADS; t++)
        a->last[t] = 0;
    if (!b->uses)
        return;
    for (unsigned t = 0; t < to->threads; t++) {
        const struct pl_node *n = pl_last_access(from, i + 1, t, to->thread[t].count);
        a->last[t] = n ? (uint16_t)(n->self.index + 1) : 0;
    }
    for (unsigned k = 0; k < b->writes; k++) {
        struct pl_ref w = b->co[k];
        if (w.index >= to->thread[w.thread].count)
            continue;
        pl_at(to, w)->place = (int16_t)a->writes;
        a->co[a->writes++] = w;
    }
}

void pl_graph_revisit(struct pl_graph *to, const struct pl_graph *from, const struct pl_node *read,
                      const struct pl_node *write)
{
    to->threads = from->threads;
    to->locations = from->locations;
    to->stamps = from->stamps;
    to->events = 0;
    for (unsigned t = 0; t < from->threads; t++) {
        const struct pl_graph_thread *b = &from->thread[t];
        unsigned count = b->count;
        while (count > write->porf[t] && b->node[count - 1].stamp >= read->stamp)
            count--; /* stamps grow along po, and porf is closed under it */
        to->thread[t].count = count;
        memcpy(to->thread[t].node, b->node, count * sizeof *b->node);
    }
    for (unsigned i = 0; i < from->locations; i++)
        copy_location(to, from, i);
    for (uint32_t i = 0; i < from->events; i++) {
        struct pl_ref e = from->order[i];
        if (e.index >= to->thread[e.thread].count)
            continue;
        struct pl_node *n = pl_at(to, e);
        n->readers = PL_INIT;
        to->order[to->events++] = e;
        if (n->location)
            to->location[n->location - 1].uses++;
        if (n->kind == PL_GRAPH_READ)
            link_read(to, n);
    }
    pl_graph_remove_co(to, pl_at(to, write->self));
    struct pl_node *r = pl_at(to, read->self);
    to->thread[read->self.thread].count++;
    *r = *read;
    r->linked = false;
    to->order[to->events++] = r->self;
    join_chain(to, r);
    past_of_thread(to, r);
}

/* ---- what is the same graph ---- */

static uint64_t mix(uint64_t h, uint64_t x)
{
    h ^= x + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
    return h * 0xbf58476d1ce4e5b9u;
}

uint64_t pl_graph_hash(const struct pl_graph *g)
{
    uint64_t hash = 1;
    for (unsigned t = 0; t < g->threads; t++)
        for (unsigned i = 0; i < g->thread[t].count; i++) {
            const struct pl_node *n = &g->thread[t].node[i];
            hash = mix(hash, (uint64_t)n->kind << 32 | t << 16 | i);
            hash = mix(hash, n->location ? g->location[n->location - 1].key : 0);
            if (n->kind == PL_GRAPH_READ)
                hash = mix(hash, (uint64_t)n->rf.thread << 16 | n->rf.index);
            if (n->kind == PL_GRAPH_CHOICE)
                hash = mix(hash, n->value);
        }
    uint64_t sum = 0; /* locations may be numbered differently: any order */
    for (unsigned i = 0; i < g->locations; i++) {
        uint64_t one = g->location[i].key;
        for (unsigned k = 0; k < g->location[i].writes; k++) {
            struct pl_ref w = g->location[i].co[k];
            one = mix(one, (uint64_t)w.thread << 16 | w.index);
        }
        sum += g->location[i].writes ? one : 0;
    }
    return mix(hash, sum);
}
