/* Handing work from one exploring process to another: share.h. */
#include "cli/share.h"

#include <string.h>

static uint32_t load(const volatile uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

/* It waits, and nothing is on its way to it. */
static bool is_idle(const struct pl_wire *w)
{
    return load(&w->idle) && !load(&w->taken);
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

bool pl_share(struct pl_process *const *process, size_t count, bool *waiting)
{
    size_t idle = 0, done = 0;
    for (size_t i = 0; i < count; i++) {
        struct pl_wire *to = process[i]->wire;
        if (process[i]->ended || !is_idle(to))
            continue;
        struct pl_wire *from = giver(process, count, to);
        if (from)
            hand_over(from, to);
        idle += !from;
    }
    for (size_t i = 0; i < count; i++) {
        struct pl_wire *w = process[i]->wire;
        bool busy = !process[i]->ended && !load(&w->idle);
        done += process[i]->ended || (is_idle(w) && !has_given(w));
        if (idle && busy && load(&w->want) == PL_WANT_NOTHING)
            __atomic_store_n(&w->want, PL_WANT_WORK, __ATOMIC_RELEASE);
    }
    *waiting = idle > 0;
    return done == count;
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
