/*
 * Semaphores, unnamed and named.
 *
 *   memory: the value, where glibc has it (so it survives from before main)
 *   record: waiters  threads blocked in a wait
 *           release  clocks of all posts so far
 *
 * Named semaphores live in a table of their own, as new in every execution: what
 * another process does with the name is not seen.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>
#include <string.h>

#include "runtime/model.h"
#include "runtime/objects.h"

static unsigned *value_of(sem_t *sem)
{
    return (unsigned *)(void *)sem; /* the low half of glibc's 64-bit word */
}

static struct pl_sync *record(sem_t *sem, uint64_t pc)
{
    bool fresh;
    struct pl_sync *s = pl_sync_object(PL_SYNC_SEM, sem, pc, &fresh);
    if (fresh)
        pl_first_use(sem, pc);
    return s;
}

static int fail(int error)
{
    errno = error;
    return -1;
}

static void start(sem_t *sem, int shared, unsigned value)
{
    memset(sem, 0, sizeof *sem);
    *value_of(sem) = value;
    ((int *)(void *)sem)[2] = shared ? 128 : 0; /* glibc's inverted FUTEX_PRIVATE_FLAG */
}

/* ---- under the explorer: the value is a location, and memory holds what it began with ---- */

static void explored_start(const sem_t *sem, unsigned value, uint64_t pc)
{
    struct pl_model_step step = {.object = sem, .operand = value, .order = PL_ORDER_RELAXED};
    pl_model_object_write(&step, pc);
}

static bool explored_take(sem_t *sem, enum pl_await await, bool timed, uint64_t pc)
{
    struct pl_model_step step = {.object = sem,
                                 .op = PL_OP_TAKE,
                                 .initial = *value_of(sem),
                                 .order = PL_ORDER_ACQUIRE,
                                 .await = await,
                                 .in = PL_EVENT_SEM_WAIT,
                                 .timed = timed};
    bool ok;
    uint64_t old = pl_model_object_update(&step, &ok, pc);
    if (ok)
        pl_trace(PL_EVENT_SEM_WAIT, sem, old - 1, pc);
    return ok;
}

static int explored_wait(sem_t *sem, struct pl_until until, uint64_t pc)
{
    if (until.time && explored_take(sem, PL_AWAIT_NONE, false, pc))
        return 0;
    if (!pl_until_valid(until))
        return fail(EINVAL);
    if (until.time && pl_model_choose(2, pc) == 1)
        return fail(pl_timed_out(sem, pc));
    (void)explored_take(sem, PL_AWAIT_WRITE, until.time != NULL, pc);
    return 0;
}

static int explored_post(sem_t *sem, uint64_t pc)
{
    struct pl_model_step step = {.object = sem,
                                 .op = PL_OP_SHARE,
                                 .expected = SEM_VALUE_MAX,
                                 .initial = *value_of(sem),
                                 .order = PL_ORDER_RELEASE};
    bool ok;
    uint64_t old = pl_model_object_update(&step, &ok, pc);
    if (!ok)
        return fail(EOVERFLOW);
    pl_trace(PL_EVENT_SEM_POST, sem, old + 1, pc);
    return 0;
}

PL_EXPORT int sem_init(sem_t *sem, int shared, unsigned value)
{
    uint64_t pc = PL_CALLER;
    if (value > SEM_VALUE_MAX)
        return fail(EINVAL);
    if (rt.active) {
        pl_point(pc);
        pl_writes(sem, sizeof *sem, pc);
        struct pl_sync *old = pl_sync_find(PL_SYNC_SEM, sem);
        if (old)
            pl_sync_drop(old);
    }
    start(sem, shared, value);
    if (rt.active)
        record(sem, pc);
    if (rt.exploring)
        explored_start(sem, value, pc);
    return 0;
}

PL_EXPORT int sem_destroy(sem_t *sem)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active)
        return 0;
    pl_point(pc);
    struct pl_sync *s = record(sem, pc);
    if (s->waiters)
        return fail(EBUSY);
    pl_changed();
    pl_sync_drop(s);
    return 0;
}

static int take(struct pl_sync *s, sem_t *sem, uint64_t pc)
{
    --*value_of(sem);
    pl_acquire(s->release);
    pl_changed();
    pl_trace(PL_EVENT_SEM_WAIT, sem, *value_of(sem), pc);
    return 0;
}

static int wait_until(sem_t *sem, struct pl_until until, uint64_t pc)
{
    if (!rt.active) {
        if (*value_of(sem) == 0)
            return fail(until.time ? ETIMEDOUT : EINTR);
        --*value_of(sem);
        return 0;
    }
    pl_reads(until.time, sizeof *until.time, pc);
    pl_point(pc);
    struct pl_sync *s = record(sem, pc);
    if (rt.exploring)
        return explored_wait(sem, until, pc);
    while (*value_of(sem) == 0) {
        if (!pl_until_valid(until))
            return fail(EINVAL);
        s->waiters |= pl_self_bit();
        enum pl_wake why = pl_block(PL_EVENT_SEM_WAIT, sem, pl_until_deadline(until), pc);
        s = record(sem, pc);
        if (why == PL_TIMED_OUT) {
            s->waiters &= ~pl_self_bit();
            return fail(pl_timed_out(sem, pc));
        }
    }
    return take(s, sem, pc);
}

PL_EXPORT int sem_wait(sem_t *sem)
{
    uint64_t pc = PL_CALLER;
    return wait_until(sem, PL_FOR_EVER, pc);
}

PL_EXPORT int sem_timedwait(sem_t *sem, const struct timespec *time)
{
    uint64_t pc = PL_CALLER;
    return wait_until(sem, (struct pl_until){time, CLOCK_REALTIME}, pc);
}

PL_EXPORT int sem_clockwait(sem_t *sem, clockid_t clock, const struct timespec *time)
{
    uint64_t pc = PL_CALLER;
    if (!pl_clock_valid(clock))
        return fail(EINVAL);
    return wait_until(sem, (struct pl_until){time, clock}, pc);
}

PL_EXPORT int sem_trywait(sem_t *sem)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active) {
        if (*value_of(sem) == 0)
            return fail(EAGAIN);
        --*value_of(sem);
        return 0;
    }
    pl_point(pc);
    struct pl_sync *s = record(sem, pc);
    if (rt.exploring)
        return explored_take(sem, PL_AWAIT_NONE, false, pc) ? 0 : fail(EAGAIN);
    if (*value_of(sem) == 0)
        return fail(EAGAIN);
    return take(s, sem, pc);
}

PL_EXPORT int sem_post(sem_t *sem)
{
    uint64_t pc = PL_CALLER;
    struct pl_sync *s = NULL;
    if (rt.active) {
        pl_point(pc);
        s = record(sem, pc);
        if (rt.exploring)
            return explored_post(sem, pc);
    }
    if (*value_of(sem) >= SEM_VALUE_MAX)
        return fail(EOVERFLOW);
    ++*value_of(sem);
    if (s) {
        pl_trace(PL_EVENT_SEM_POST, sem, *value_of(sem), pc);
        pl_release_join(s->release);
        pl_changed();
        pl_release_waiters(&s->waiters);
    }
    return 0;
}

PL_EXPORT int sem_getvalue(sem_t *sem, int *value)
{
    uint64_t pc = PL_CALLER;
    if (rt.active) {
        pl_writes(value, sizeof *value, pc);
        pl_point(pc);
        record(sem, pc);
        if (rt.exploring) {
            struct pl_model_step step = {
                .object = sem, .initial = *value_of(sem), .order = PL_ORDER_RELAXED};
            *value = (int)pl_model_object_read(&step, pc);
            return 0;
        }
    }
    *value = (int)*value_of(sem);
    return 0;
}

/* ---- named ---- */

enum { MAX_NAMED = 64 };
static struct named {
    sem_t sem;
    unsigned opened;         /* sem_open not yet closed */
    bool used, linked;       /* still to be found by its name */
    char name[NAME_MAX + 1]; /* without the slashes in front */
} named[MAX_NAMED];
static uint32_t named_generation;

static void named_renew(void)
{
    rt.unkept = true;
    if (named_generation == rt.generation)
        return;
    named_generation = rt.generation;
    for (int i = 0; i < MAX_NAMED; i++)
        named[i].used = false;
}

/* The name as the table has it, or NULL with errno. */
static const char *plain_name(const char *name)
{
    while (*name == '/')
        name++;
    if (*name == '\0' || strchr(name, '/')) {
        errno = EINVAL;
        return NULL;
    }
    if (strlen(name) > NAME_MAX - 4) { /* glibc puts "sem." in front */
        errno = ENAMETOOLONG;
        return NULL;
    }
    return name;
}

static struct named *find_named(const char *name)
{
    for (int i = 0; i < MAX_NAMED; i++)
        if (named[i].used && named[i].linked && strcmp(named[i].name, name) == 0)
            return &named[i];
    return NULL;
}

static sem_t *open_named(const char *name, int flags, unsigned value, uint64_t pc)
{
    struct named *n = find_named(name);
    if (n) {
        if (flags & O_CREAT && flags & O_EXCL) {
            errno = EEXIST;
            return SEM_FAILED;
        }
        n->opened++;
        return &n->sem;
    }
    if (!(flags & O_CREAT)) {
        errno = ENOENT;
        return SEM_FAILED;
    }
    if (value > SEM_VALUE_MAX) {
        errno = EINVAL;
        return SEM_FAILED;
    }
    for (n = named; n < named + MAX_NAMED && n->used; n++)
        ;
    if (n == named + MAX_NAMED)
        pl_unsupported("more than 64 named semaphores in one execution", pc);
    n->used = n->linked = true;
    n->opened = 1;
    (void)stpncpy(n->name, name, sizeof n->name - 1);
    start(&n->sem, 1, value);
    return &n->sem;
}

PL_EXPORT sem_t *sem_open(const char *name, int flags, ...)
{
    uint64_t pc = PL_CALLER;
    unsigned value = 0;
    if (flags & O_CREAT) {
        va_list arguments;
        va_start(arguments, flags);
        (void)va_arg(arguments, mode_t);
        value = va_arg(arguments, unsigned);
        va_end(arguments);
    }
    const char *plain = plain_name(name);
    if (!plain)
        return SEM_FAILED;
    if (!rt.active)
        pl_unsupported("sem_open before main: not supported", pc);
    pl_point(pc);
    named_renew();
    pl_changed();
    return open_named(plain, flags, value, pc);
}

static void forget_if_gone(struct named *n)
{
    if (n->opened || n->linked)
        return;
    struct pl_sync *s = rt.active ? pl_sync_find(PL_SYNC_SEM, &n->sem) : NULL;
    if (s)
        pl_sync_drop(s);
    n->used = false;
}

PL_EXPORT int sem_close(sem_t *sem)
{
    uint64_t pc = PL_CALLER;
    if (rt.active)
        pl_point(pc);
    named_renew();
    for (int i = 0; i < MAX_NAMED; i++) {
        if (&named[i].sem != sem || !named[i].used || !named[i].opened)
            continue;
        named[i].opened--;
        forget_if_gone(&named[i]);
        return 0;
    }
    return fail(EINVAL);
}

PL_EXPORT int sem_unlink(const char *name)
{
    uint64_t pc = PL_CALLER;
    const char *plain = plain_name(name);
    if (!plain)
        return fail(errno == EINVAL ? ENOENT : errno); /* as glibc */
    if (rt.active)
        pl_point(pc);
    named_renew();
    struct named *n = find_named(plain);
    if (!n)
        return fail(ENOENT);
    n->linked = false;
    pl_changed();
    forget_if_gone(n);
    return 0;
}
