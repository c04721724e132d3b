/* Handing work from one exploring process to another: share.h. */
#include "cli/share.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum pl_status pl_common_init(struct pl_common *c, struct pl_error *error)
{
    const size_t bytes = sizeof *c->facts;
    void *map = MAP_FAILED;
    c->fd = memfd_create("plumb-facts", MFD_CLOEXEC);
    if (c->fd >= 0 && ftruncate(c->fd, (off_t)bytes) == 0)
        map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, c->fd, 0);
    if (map == MAP_FAILED) {
        pl_common_release(c);
        return pl_fail_errno(error, "cannot make the file that processes share");
    }
    c->facts = map;
    return PL_OK;
}

void pl_common_release(struct pl_common *c)
{
    if (c->facts)
        (void)munmap(c->facts, sizeof *c->facts);
    if (c->fd >= 0)
        (void)close(c->fd);
    *c = (struct pl_common){.fd = -1};
}

static uint32_t load(const volatile uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

/* Who takes work in is first no longer idle, and then there is none on its way; seen in the other
 * order, it would be neither for a moment. */
bool pl_share_is_idle(const struct pl_wire *w)
{
    return !load(&w->taken) && load(&w->idle);
}

static bool has_given(const struct pl_wire *w)
{
    return load(&w->want) == PL_WANT_DONE;
}

static void hand_over(struct pl_wire *from, struct pl_wire *to)
{
    uint32_t bytes = from->given;
    if (from != to)
        memcpy(to->work, from->work, bytes);
    to->exhausted = 0; /* before it is taken from where it was */
    __atomic_store_n(&from->want, PL_WANT_NOTHING, __ATOMIC_RELEASE);
    __atomic_store_n(&to->taken, bytes, __ATOMIC_RELEASE);
}

/* Whose work an idle process can have: its own, if it gave some before it became idle (its
 * work[] is not free then), or anybody's. */
static struct pl_wire *giver(struct pl_process *const *process, size_t count, struct pl_wire *to)
{
    if (has_given(to))
        return to;
    for (size_t i = 0; i < count; i++)
        if (has_given(process[i]->wire))
            return process[i]->wire;
    return NULL;
}

void pl_pool_add(struct pl_pool *pool, const uint8_t *work, uint32_t bytes)
{
    if (pool->count == pool->room) {
        pool->room = pool->room ? 2 * pool->room : 64;
        pool->piece = realloc(pool->piece, pool->room * sizeof *pool->piece);
        PL_ASSERT(pool->piece);
    }
    uint8_t *copy = malloc(bytes ? bytes : 1);
    PL_ASSERT(copy);
    memcpy(copy, work, bytes);
    pool->piece[pool->count++] = (struct pl_piece){bytes, copy};
}

void pl_pool_release(struct pl_pool *pool)
{
    for (size_t i = 0; i < pool->count; i++)
        free(pool->piece[i].work);
    free(pool->piece);
    *pool = (struct pl_pool){0};
}

/* Gives the last piece of the pool to an idle process. */
static bool take_from_pool(struct pl_pool *pool, struct pl_wire *to)
{
    if (!pool || !pool->count)
        return false;
    struct pl_piece *last = &pool->piece[--pool->count];
    PL_ASSERT(to && last->work);
    uint32_t bytes = last->bytes < PL_MAX_WORK ? last->bytes : PL_MAX_WORK;
    memcpy(to->work, last->work, bytes);
    free(last->work);
    to->exhausted = 0;
    __atomic_store_n(&to->taken, bytes, __ATOMIC_RELEASE);
    return true;
}

static void add_batch(struct pl_pool *pool, const struct pl_wire *w)
{
    uint32_t size, given = w->given < PL_MAX_WORK ? w->given : PL_MAX_WORK;
    for (uint32_t at = 0; at + sizeof size <= given; at += size) {
        memcpy(&size, w->work + at, sizeof size);
        at += (uint32_t)sizeof size;
        if (size > given - at)
            return; /* the program has damaged it */
        pl_pool_add(pool, w->work + at, size);
    }
}

bool pl_share_drain(struct pl_process *const *process, size_t count, struct pl_pool *pool)
{
    size_t drained = 0;
    for (size_t i = 0; i < count; i++) {
        struct pl_wire *w = process[i]->wire;
        w->drain = 1;
        bool idle =
            process[i]->ended || pl_share_is_idle(w); /* first: it gives before it is idle */
        uint32_t given = load(&w->want);
        if (given == PL_WANT_DONE)
            pl_pool_add(pool, w->work, w->given);
        if (given == PL_WANT_BATCH)
            add_batch(pool, w);
        if (given >= PL_WANT_DONE) {
            __atomic_store_n(&w->want, PL_WANT_NOTHING, __ATOMIC_RELEASE);
        } else if (idle) {
            drained++;
        }
    }
    for (size_t i = 0; drained == count && i < count; i++) {
        process[i]->wire->drain = 0;
        process[i]->wire->want = PL_WANT_NOTHING; /* nobody has anything to give now */
    }
    return drained == count;
}

bool pl_share(struct pl_process *const *process, size_t count, struct pl_pool *pool, bool *waiting)
{
    size_t idle = 0, done = 0;
    for (size_t i = 0; i < count; i++) {
        struct pl_wire *to = process[i]->wire;
        if (process[i]->ended || !pl_share_is_idle(to))
            continue;
        struct pl_wire *from = giver(process, count, to);
        if (from)
            hand_over(from, to);
        idle += !from && !take_from_pool(pool, to);
    }
    for (size_t i = 0; i < count; i++) {
        struct pl_wire *w = process[i]->wire;
        bool busy = !process[i]->ended && !load(&w->idle);
        done += process[i]->ended || (pl_share_is_idle(w) && !has_given(w));
        if (idle && busy && load(&w->want) == PL_WANT_NOTHING)
            __atomic_store_n(&w->want, PL_WANT_WORK, __ATOMIC_RELEASE);
    }
    *waiting = idle > 0;
    return done == count && !(pool && pool->count);
}

bool pl_share_exhausted(struct pl_process *const *process, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct pl_wire *w = process[i]->wire;
        if (!w->exhausted || w->taken || w->want == PL_WANT_DONE)
            return false;
    }
    return count > 0;
}
