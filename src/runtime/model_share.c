/* Sharing a search with other processes: work that is handed over or taken in, through the wire. */
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/finding.h"
#include "runtime/model_internal.h"

/* The tool has put the number of the file into the options. */
void pl_model_share_facts(void)
{
    int fd = (int)rt.options->facts;
    if (!rt.options->sharing)
        return;
    void *map = (void *)syscall(SYS_mmap, &pl_facts, sizeof pl_facts, PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_FIXED, fd, 0);
    if (map != &pl_facts)
        pl_die("plumb: what processes share cannot be mapped\n");
    syscall(SYS_close, fd);
}

bool pl_model_shares(void)
{
    return rt.options->sharing && !pl_model.left;
}

void pl_model_give_if_wanted(void)
{
    struct pl_wire *w = rt.wire;
    if (pl_likely(w->want != PL_WANT_WORK))
        return;
    w->given = (uint32_t)pl_trust_give(pl_model.search, w->work, sizeof w->work);
    if (pl_trust_failure(pl_model.search) && !w->error[0])
        strncpy(w->error, pl_trust_failure(pl_model.search), sizeof w->error - 1);
    __atomic_store_n(&w->want, w->given ? PL_WANT_DONE : PL_WANT_NOTHING, __ATOMIC_RELEASE);
}

/* Waits until the tool has taken what was given. */
static void wait_until_taken(void)
{
    const struct timespec nap = {.tv_nsec = 50000};
    while (__atomic_load_n(&rt.wire->want, __ATOMIC_ACQUIRE) >= PL_WANT_DONE && !rt.wire->stop) {
        rt.wire->heartbeat++;
        syscall(SYS_nanosleep, &nap, NULL);
    }
}

/* Puts as many pieces into work[] as there is room for; the first may be the run to come. */
static uint32_t fill_batch(bool *next)
{
    struct pl_wire *w = rt.wire;
    uint32_t used = 0;
    for (;;) {
        uint8_t *at = w->work + used + sizeof used;
        uint64_t room = sizeof w->work - used;
        room = room > sizeof used ? room - sizeof used : 0;
        uint64_t bytes = *next ? pl_trust_give_next(pl_model.search, at, room)
                               : pl_trust_give(pl_model.search, at, room);
        if (!bytes)
            return used;
        *next = false;
        uint32_t size = (uint32_t)bytes;
        memcpy(w->work + used, &size, sizeof size);
        used += (uint32_t)sizeof size + size;
    }
}

/* The tool has said how many executions this process may make, and adds to that while others leave
 * some: so together they make no more than were asked for. */
void pl_model_wait_for_leave(void)
{
    const struct pl_wire *w = rt.wire;
    const struct timespec nap = {.tv_nsec = 100000};
    while (w->executions >= w->allowed && !w->stop && !w->drain) {
        rt.wire->heartbeat++;
        syscall(SYS_nanosleep, &nap, NULL);
    }
}

bool pl_model_drain(void)
{
    struct pl_wire *w = rt.wire;
    bool next = true;
    if (pl_likely(!w->drain))
        return false;
    wait_until_taken(); /* or work[] is not free */
    for (uint32_t used; (used = fill_batch(&next)) > 0 && !w->stop;) {
        w->given = used;
        __atomic_store_n(&w->want, PL_WANT_BATCH, __ATOMIC_RELEASE);
        wait_until_taken();
    }
    if (pl_trust_failure(pl_model.search))
        strncpy(w->error, pl_trust_failure(pl_model.search), sizeof w->error - 1);
    return true;
}

bool pl_model_receive(void)
{
    struct pl_wire *w = rt.wire;
    for (bool more = false; !more;) {
        __atomic_store_n(&w->idle, 1, __ATOMIC_RELEASE);
        while (!__atomic_load_n(&w->taken, __ATOMIC_ACQUIRE)) {
            if (w->stop)
                return false;
            struct timespec nap = {.tv_nsec = 100000};
            syscall(SYS_nanosleep, &nap, NULL);
        }
        more = pl_trust_receive(pl_model.search, w->work, w->taken);
        w->heartbeat++;
        w->exhausted = !more && !w->cut;
        __atomic_store_n(&w->idle, 0,
                         __ATOMIC_RELEASE); /* first, or it would look as if it waits */
        __atomic_store_n(&w->taken, 0, __ATOMIC_RELEASE);
        if (pl_trust_failure(pl_model.search)) {
            strncpy(w->error, pl_trust_failure(pl_model.search), sizeof w->error - 1);
            return false;
        }
    }
    pl_model.explorer = pl_model.search;
    return true;
}
