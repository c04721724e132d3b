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
    for (unsigned i = 0; i < g->locations; i++)
        g->location[i].writes = g->location[i].uses = 0;
    g->threads = g->locations = g->events = g->stamps = 0;
}

void pl_graph_copy(struct pl_graph *to, const struct pl_graph *from)
{
    to->threads = from->threads;
    to->locations = from->locations;
    to->events = from->events;
    to->stamps = from->stamps;
    for (unsigned t = 0; t < from->threads; t++) {
        struct pl_graph_thread *a = &to->thread[t];
        const struct pl_graph_thread *b = &from->thread[t];
        a->count = b->count;
        memcpy(a->node, b->node, b->count * sizeof *a->node);
    }
    for (unsigned i = 0; i < from->locations; i++) {
        struct pl_location *a = &to->location[i];
        const struct pl_location *b = &from->location[i];
        a->key = b->key;
        a->initial = b->initial;
        a->uses = b->uses;
        a->writes = b->writes;
        memcpy(a->co, b->co, b->writes * sizeof *a->co);
    }
    memcpy(to->order, from->order, from->events * sizeof *to->order);
}

uint32_t pl_graph_location(struct pl_graph *g, uint64_t key, uint64_t initial)
{
    for (uint32_t i = 0; i < g->locations; i++)
        if (g->location[i].key == key) {
            if (!g->location[i].uses) /* left over from events that were cut off */
                g->location[i].initial = initial;
            return i + 1;
        }
    if (g->locations == PL_GRAPH_LOCATIONS)
        return 0;
    struct pl_location *l = &g->location[g->locations++];
    l->key = key;
    l->initial = initial;
    l->writes = l->uses = 0;
    return g->locations;
}

/* ---- events ---- */

static void join(uint16_t *to, const uint16_t *from)
{
    for (unsigned t = 0; t < PL_GRAPH_THREADS; t++)
        to[t] = to[t] > from[t] ? to[t] : from[t];
}

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
    if (n->self.index) {
        memcpy(n->porf, n[-1].porf, sizeof n->porf);
        memcpy(n->hb, n[-1].hb, sizeof n->hb);
        if (n[-1].kind == PL_GRAPH_WRITE && (n[-1].flags & PL_GRAPH_F_LOCK)) {
            const struct pl_node *unlock = pl_graph_awaited(g, &n[-1]);
            if (unlock && unlock != &n[-1]) {
                join(n->porf, unlock->porf);
                if (!(n[-1].flags & PL_GRAPH_F_QUIET))
                    join(n->hb, unlock->hb);
            }
        }
    } else {
        memset(n->porf, 0, sizeof n->porf);
        memset(n->hb, 0, sizeof n->hb);
    }
    n->porf[t] = n->hb[t] = (uint16_t)(n->self.index + 1);
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
    memset(n, 0, sizeof *n);
    n->kind = (uint8_t)kind;
    n->location = location;
    if (location)
        g->location[location - 1].uses++;
    n->self = (struct pl_ref){(uint16_t)thread, (uint16_t)t->count};
    n->rf = PL_INIT;
    n->stamp = ++g->stamps;
    t->count++;
    past_of_thread(g, n);
    g->order[g->events++] = n->self;
    return n;
}

void pl_graph_add_past(struct pl_node *to, const struct pl_node *from)
{
    join(to->porf, from->porf);
    join(to->hb, from->hb);
}

/* The hb of a fence gains what relaxed reads before it in po have seen released. */
static void acquire_fence(const struct pl_graph *g, struct pl_node *fence)
{
    const struct pl_node *first = g->thread[fence->self.thread].node;
    for (const struct pl_node *n = first; n < fence; n++)
        if (n->kind == PL_GRAPH_READ && !pl_is_init(n->rf))
            join(fence->hb, pl_at(g, n->rf)->release);
}

void pl_graph_set_rf(struct pl_graph *g, struct pl_node *read, struct pl_ref write)
{
    past_of_thread(g, read);
    read->rf = write;
    read->flags &= (uint8_t)~PL_GRAPH_F_RMW; /* until its write is there */
    if (read->kind == PL_GRAPH_FENCE) {
        if (pl_acquires(read->order))
            acquire_fence(g, read);
        return;
    }
    bool initial = pl_is_init(write);
    const struct pl_node *w = initial ? read : pl_at(g, write);
    uint64_t written;
    read->value = initial ? g->location[read->location - 1].initial : w->value;
    if (read->op != PL_OP_NONE)
        read->order =
            pl_graph_update(read, read->value, &written) ? read->order_ok : read->order_fail;
    if (initial)
        return;
    join(read->porf, w->porf);
    if (pl_acquires(read->order))
        join(read->hb, w->release);
}

/*
 * The release sequence of RC11: heads are release writes (the write itself, earlier release
 * writes of the same thread to the location) and release fences before a relaxed write;
 * it goes on through read-modify-writes.
 */
void pl_graph_set_release(struct pl_graph *g, struct pl_node *write)
{
    memset(write->release, 0, sizeof write->release);
    const struct pl_node *first = g->thread[write->self.thread].node;
    if (pl_releases(write->order)) {
        join(write->release, write->hb);
    } else {
        for (const struct pl_node *n = first; n < write; n++) {
            bool fence = n->kind == PL_GRAPH_FENCE && pl_releases(n->order);
            bool head = n->kind == PL_GRAPH_WRITE && n->location == write->location &&
                        pl_releases(n->order);
            if (fence || head)
                join(write->release, n->hb);
        }
    }
    if ((write->flags & PL_GRAPH_F_RMW) && !pl_is_init(write[-1].rf))
        join(write->release, pl_at(g, write[-1].rf)->release);
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

/* ---- coherence order ---- */

int pl_co_place(const struct pl_graph *g, uint32_t location, struct pl_ref write)
{
    const struct pl_location *l = &g->location[location - 1];
    if (pl_is_init(write))
        return -1;
    for (int i = (int)l->writes - 1; i >= 0; i--)
        if (pl_same(l->co[i], write))
            return i;
    return -2;
}

void pl_graph_insert_co(struct pl_graph *g, struct pl_node *write, unsigned position)
{
    struct pl_location *l = &g->location[write->location - 1];
    memmove(&l->co[position + 1], &l->co[position], (l->writes - position) * sizeof *l->co);
    l->co[position] = write->self;
    l->writes++;
}

void pl_graph_remove_co(struct pl_graph *g, struct pl_node *write)
{
    struct pl_location *l = &g->location[write->location - 1];
    int at = pl_co_place(g, write->location, write->self);
    if (at < 0)
        return;
    l->writes--;
    memmove(&l->co[at], &l->co[at + 1], (l->writes - (uint32_t)at) * sizeof *l->co);
}

/* ---- taking away ---- */

void pl_graph_remove_last(struct pl_graph *g, unsigned thread)
{
    struct pl_graph_thread *t = &g->thread[thread];
    struct pl_node *n = &t->node[--t->count];
    if (n->location)
        g->location[n->location - 1].uses--;
    if (n->kind == PL_GRAPH_WRITE)
        pl_graph_remove_co(g, n);
}

void pl_graph_cut(struct pl_graph *g, uint32_t count)
{
    while (g->events > count)
        pl_graph_remove_last(g, g->order[--g->events].thread);
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
