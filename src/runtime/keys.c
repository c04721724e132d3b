/*
 * Thread-specific data (pthread_key_*) and the destructors of C++ thread_locals.
 *
 *   key[k]       used, destructor; those from keys_end on are unused
 *   value[t][k]  of thread t; those from values_end[t] on are NULL
 *   thread[t].cxx_exit → node → node …   destructors to run, last registered first
 *
 * What constructors made before main (keys, values and destructors of the main
 * thread) is copied at the first reset and put back at every later one. A reset costs
 * no more than what the execution used.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "runtime/objects.h"

enum { MAX_KEYS = PTHREAD_KEYS_MAX, MAX_NODES = 1 << 14 };

struct key {
    bool used;
    void (*destructor)(void *);
};

struct node {
    struct node *next;
    void (*destructor)(void *);
    void *object;
};

static struct key key[MAX_KEYS];
static uint32_t keys_end;
static const void *value[PL_MAX_THREADS][MAX_KEYS];
static uint32_t values_end[PL_MAX_THREADS];
static bool values_set; /* or taken away, in this execution */
static struct node node[MAX_NODES];
static uint32_t nodes_used;   /* bump pointer into node[] */
static struct node *unused;   /* given back by threads that have ended */
static bool main_has_its_own; /* thread[0].cxx_exit is what it was before main */

/* As it was when main was first about to run. */
static struct {
    bool taken;
    struct key key[MAX_KEYS];
    const void *value[MAX_KEYS];
    uint32_t keys_end, values_end, nodes_used;
    void *cxx_exit;
} before_main;

static void take_snapshot(void)
{
    before_main.taken = true;
    memcpy(before_main.key, key, sizeof key);
    memcpy(before_main.value, value[0], sizeof value[0]);
    before_main.keys_end = keys_end;
    before_main.values_end = values_end[0];
    before_main.nodes_used = nodes_used;
    before_main.cxx_exit = rt.thread[0].cxx_exit;
}

static void reset_values(void)
{
    for (uint32_t t = 0; t < PL_MAX_THREADS; t++) {
        memset(value[t], 0, values_end[t] * sizeof value[t][0]);
        values_end[t] = 0;
    }
    memcpy(value[0], before_main.value, before_main.values_end * sizeof value[0][0]);
    values_end[0] = before_main.values_end;
    values_set = false;
}

void pl_keys_reset(void)
{
    if (!before_main.taken)
        take_snapshot();
    if (values_set)
        reset_values();
    uint32_t end = keys_end > before_main.keys_end ? keys_end : before_main.keys_end;
    memcpy(key, before_main.key, end * sizeof key[0]);
    keys_end = before_main.keys_end;
    nodes_used = before_main.nodes_used;
    unused = NULL;
    main_has_its_own = false; /* later: the thread itself is not set up yet */
}

/* The running thread; before main, and after the end, there is only the main thread. */
static struct pl_thread *self(void)
{
    if (!rt.active)
        return &rt.thread[0];
    if (pl_unlikely(rt.self->id == 0 && !main_has_its_own)) {
        main_has_its_own = true;
        rt.self->cxx_exit = before_main.cxx_exit;
    }
    return rt.self;
}

/* ---- keys ---- */

int pl_key_create(unsigned *result, void (*destructor)(void *), uint64_t pc)
{
    if (rt.active) {
        pl_writes(result, sizeof *result, pc);
        pl_point(pc);
        pl_changed();
    }
    unsigned k = 0;
    while (k < keys_end && key[k].used)
        k++;
    if (k == MAX_KEYS)
        return EAGAIN;
    rt.unkept = true;
    if (k == keys_end)
        keys_end++;
    key[k] = (struct key){true, destructor};
    /* Values of a deleted key of the same number are not the new key's. */
    for (uint32_t t = 0; t < PL_MAX_THREADS; t++)
        if (k < values_end[t]) {
            value[t][k] = NULL;
            values_set = true;
        }
    *result = k;
    return 0;
}

int pl_key_delete(unsigned k, uint64_t pc)
{
    if (rt.active) {
        pl_point(pc);
        pl_changed();
    }
    if (k >= keys_end || !key[k].used)
        return EINVAL;
    rt.unkept = true;
    key[k] = (struct key){false, NULL};
    return 0;
}

PL_EXPORT int pthread_key_create(pthread_key_t *result, void (*destructor)(void *))
{
    uint64_t pc = PL_CALLER;
    return pl_key_create(result, destructor, pc);
}

PL_EXPORT int __pthread_key_create(pthread_key_t *result, void (*destructor)(void *));
PL_EXPORT int __pthread_key_create(pthread_key_t *result, void (*destructor)(void *))
{
    uint64_t pc = PL_CALLER;
    return pl_key_create(result, destructor, pc);
}

PL_EXPORT int pthread_key_delete(pthread_key_t k)
{
    uint64_t pc = PL_CALLER;
    return pl_key_delete(k, pc);
}

/* A thread's own value: nobody else can see it, so no scheduling point. */
PL_EXPORT void *pthread_getspecific(pthread_key_t k)
{
    if (k >= keys_end || !key[k].used)
        return NULL;
    return (void *)(uintptr_t)value[self()->id][k];
}

PL_EXPORT int pthread_setspecific(pthread_key_t k, const void *to)
{
    if (k >= keys_end || !key[k].used)
        return EINVAL;
    uint32_t t = self()->id;
    value[t][k] = to;
    values_set = rt.unkept = true;
    if (values_end[t] <= k)
        values_end[t] = k + 1;
    return 0;
}

/* One round over the keys; was there anything to destroy? */
static bool destroy_values(uint32_t t)
{
    bool any = false;
    values_set = values_set || values_end[t];
    rt.unkept = rt.unkept || values_set;
    for (uint32_t k = 0; k < values_end[t]; k++) {
        const void *old = value[t][k];
        value[t][k] = NULL;
        if (old && key[k].used && key[k].destructor) {
            any = true;
            key[k].destructor((void *)(uintptr_t)old);
        }
    }
    return any;
}

/* ---- thread_local destructors ---- */

static int at_thread_exit(void (*destructor)(void *), void *object, uint64_t pc)
{
    struct pl_thread *thread = self();
    struct node *n = unused;
    rt.unkept = true;
    if (n)
        unused = n->next;
    else if (nodes_used < MAX_NODES)
        n = &node[nodes_used++];
    else
        pl_unsupported("more than 16384 thread_local objects with destructors at once", pc);
    *n = (struct node){thread->cxx_exit, destructor, object};
    thread->cxx_exit = n;
    return 0;
}

static void thread_locals_end(void)
{
    struct pl_thread *thread = self();
    while (thread->cxx_exit) { /* a destructor may register another */
        struct node n = *(struct node *)thread->cxx_exit;
        struct node *done = thread->cxx_exit;
        rt.unkept = true;
        thread->cxx_exit = n.next;
        if (done >= node + before_main.nodes_used) { /* the others are needed next time */
            done->next = unused;
            unused = done;
        }
        n.destructor(n.object);
    }
}

PL_EXPORT int __cxa_thread_atexit_impl(void (*destructor)(void *), void *object, void *dso);
PL_EXPORT int __cxa_thread_atexit_impl(void (*destructor)(void *), void *object, void *dso)
{
    uint64_t pc = PL_CALLER;
    (void)dso;
    return at_thread_exit(destructor, object, pc);
}

PL_EXPORT int __cxa_thread_atexit(void (*destructor)(void *), void *object, void *dso);
PL_EXPORT int __cxa_thread_atexit(void (*destructor)(void *), void *object, void *dso)
{
    uint64_t pc = PL_CALLER;
    (void)dso;
    return at_thread_exit(destructor, object, pc);
}

/* The end of a thread. exit(), also that of main's return, destroys the thread_locals of
 * its thread but not the values of keys: for them the thread itself must end. */
void pl_keys_run_destructors(void)
{
    struct pl_thread *thread = self();
    thread_locals_end();
    if (!thread->exiting)
        return;
    for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; round++)
        if (!destroy_values(thread->id))
            break;
    if (rt.active)
        pl_mutex_thread_ends();
}
