/*
 * The subject on real threads: libplumb_stress.a, linked with a natively compiled subject in place
 * of the runtime. wire.h says how it works with the tool.
 *
 * Invariants:
 * I1  Between the two stamps of an operation nothing runs but the operation and the recording
 *     of its response.
 * I2  A thread writes to its own buffer only; nobody reads it before the round is over.
 * I3  What a thread does depends on the seed, the round and its number alone: which operations,
 *     with which values. What comes of it is up to the machine.
 * I4  Between two windows no call is under way.
 */
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <plumb.h>
#include <plumb/check.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/prng.h"
#include "stress/clock.h"
#include "stress/wire.h"

static struct pl_stress_wire *wire;
static const struct plumb_subject *subject;
static unsigned current; /* the place that is filled */
static uint32_t waiting;
static bool over;                      /* no window comes any more */
static pthread_barrier_t begins, ends; /* of a window: all threads and main */
static uint32_t made[PL_STRESS_CALLS]; /* of operations with a limit, by place */

/* ---- one thread ---- */

struct worker {
    unsigned number;
    struct pl_prng prng;
    struct pl_stress_thread *state; /* of the place that is filled */
    uint8_t *first, *at, *end;      /* of its records there */
    uint8_t response[PL_STRESS_RESPONSE];
    unsigned length;
    bool under_way;
    uint64_t values; /* put so far */
    unsigned slow;   /* times it gave way and had to wait for long */
};

static __thread struct worker *self;

int plumb_put(int kind, const void *value, size_t size)
{
    struct worker *w = self;
    const uint8_t *bytes = value;
    bool holds = kind == PLUMB_VOID;
    size = kind == PLUMB_VOID ? 0 : size;
    if (kind == PLUMB_OPAQUE_) {
        (void)strcpy(wire->error, "an answer whose members are objects, or arrays of such: name "
                                  "what of it counts, as in 'auto v = get(); v.key => v.name'");
        wire->stop = 1;
        return 0;
    }
    for (size_t i = 0; i < size; i++)
        holds = holds || bytes[i];
    if (!w || !w->under_way || w->length + size + 2 > sizeof w->response)
        return holds;
    w->response[w->length++] = (uint8_t)kind;
    w->response[w->length++] = (uint8_t)size;
    if (size)
        memcpy(w->response + w->length, value, size);
    w->length += (unsigned)size;
    return holds;
}

static bool has_room(const struct worker *w)
{
    return (size_t)(w->end - w->at) >= sizeof(struct pl_stress_record) + PL_STRESS_RESPONSE + 8;
}

/* It counts at once: the round may be ended while the next call waits. */
static inline void add_record(struct worker *w, unsigned number, int64_t argument, uint64_t call,
                              uint64_t ret, const uint8_t *response)
{
    enum { USUAL = 16 }; /* bytes of a response: copied without a call, and without a branch */
    struct pl_stress_record *record = (struct pl_stress_record *)(void *)w->at;
    uint8_t *to = w->at + sizeof *record;
    unsigned length = w->length;
    w->under_way = false;
    *record = (struct pl_stress_record){.call = call,
                                        .ret = ret,
                                        .operation = (uint16_t)number,
                                        .length = (uint8_t)length,
                                        .argument = argument};
    memcpy(to, response, USUAL);
    if (length > USUAL)
        memcpy(to, response, length);
    w->at = to + ((length + 7u) & ~7u);
    __atomic_signal_fence(__ATOMIC_RELEASE);
    w->state->used = (uint64_t)(w->at - w->first);
    w->state->under_way = 0;
}

static void invoke(struct worker *w, unsigned number)
{
    struct pl_stress_thread *s = w->state;
    const struct pl_stress_call *call = &wire->options.call[number];
    const struct plumb_operation *operation = subject->operation[call->place];
    plumb_args arguments = {{call->argument[0], call->argument[1], call->argument[2]}};
    int64_t argument = 0;
    uint64_t before, after;
    if (call->fresh) /* no two threads have the same */
        arguments.i[call->fresh - 1] = argument =
            (int64_t)(++w->values * (wire->options.threads + 1u) + w->number);
    w->length = 0;
    w->under_way = true;
    s->argument = argument;
    s->under_way = number + 1;
    if (operation->function) {
        s->call = before = pl_clock_before();
        plumb_result result = operation->function(arguments);
        after = pl_clock_after();
        w->length = result.used <= sizeof w->response ? result.used : 0;
        add_record(w, number, argument, before, after, result.bytes);
    } else {
        s->call = before = pl_clock_before();
        operation->run();
        after = pl_clock_after();
        w->length = plumb_without_marks_(w->response, w->length);
        add_record(w, number, argument, before, after, w->response);
    }
}

/* May the thread make the call once more? Those of a group belong to one thread. */
static bool may_call(const struct worker *w, const struct pl_stress_call *call)
{
    if (call->group && (unsigned)(call->group - 1) % wire->options.threads != w->number)
        return false;
    if (!call->limit)
        return true;
    return __atomic_fetch_add(&made[call->place], 1, __ATOMIC_RELAXED) < call->limit;
}

static void begin_records(struct worker *w)
{
    w->state = &wire->round[current].of[w->number];
    w->first = w->at = pl_stress_records(wire, current, w->number);
    w->end = w->at + wire->options.room;
}

static void begin_worker(struct worker *w, unsigned number)
{
    *w = (struct worker){.number = number};
    uint64_t round = wire->round[current].number;
    pl_prng_init(&w->prng, wire->options.seed * 1000003 + round * 131 + number);
    begin_records(w);
    self = w;
}

static void end_worker(const struct worker *w)
{
    if (!has_room(w))
        wire->round[current].full = 1;
}

static void pin(unsigned number)
{
    cpu_set_t one;
    if (!wire->options.processors)
        return;
    CPU_ZERO(&one);
    CPU_SET(number % wire->options.processors, &one);
    (void)sched_setaffinity(0, sizeof one, &one); /* not allowed: then it is not */
}

/* All threads go at once; where there are more than processors, they must give way to meet. */
static void meet(unsigned window)
{
    (void)__atomic_add_fetch(&waiting, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(&waiting, __ATOMIC_ACQUIRE) < wire->options.threads * (window + 1))
        (void)sched_yield();
}

/* Short and long by turns: bugs at the start of an object's life, and late ones. */
static unsigned length_of_window(uint64_t round, unsigned window)
{
    unsigned most = wire->options.operations, length = most >> (2 * ((round + window) % 4));
    return length < 4 ? (most < 4 ? most : 4) : length;
}

static double seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Where others use the machine each time may cost many milliseconds, and is not needed: they take
 * the processor from the threads anyway. */
static void give_way(struct worker *w)
{
    enum { MOST_SLOW = 16 };
    if (w->slow == MOST_SLOW)
        return;
    double before = seconds();
    (void)sched_yield();
    w->slow += seconds() - before > 1e-3;
}

static void make_calls(struct worker *w, unsigned length, unsigned manners)
{
    for (unsigned i = 0; i < length && has_room(w); i++) {
        unsigned number = pl_prng_below(&w->prng, wire->options.calls);
        if (may_call(w, &wire->options.call[number]))
            invoke(w, number);
        if (manners && pl_prng_below(&w->prng, manners == 1 ? 2 : 64) == 0)
            give_way(w);
    }
}

/* A thread that has used up its stack needs another one to say so. */
static void take_other_stack(unsigned thread)
{
    enum { BYTES = 1 << 16 };
    static uint8_t stack[PL_STRESS_THREADS + 1][BYTES]; /* pages that nobody touches cost nothing */
    const stack_t other = {.ss_sp = stack[thread], .ss_size = BYTES};
    (void)sigaltstack(&other, NULL);
}

static void *work(void *argument)
{
    struct worker w;
    begin_worker(&w, (unsigned)(uintptr_t)argument);
    take_other_stack(w.number);
    pin(w.number);
    if (subject->is.thread_setup)
        subject->is.thread_setup();
    for (unsigned window = 0;; window++) {
        (void)pthread_barrier_wait(&begins);
        if (over)
            break;
        begin_records(&w);
        unsigned length = length_of_window(wire->round[current].number, window);
        unsigned manners = pl_prng_below(&w.prng, 3); /* how often to give way */
        meet(window);
        make_calls(&w, length, manners);
        end_worker(&w);
        (void)pthread_barrier_wait(&ends);
    }
    if (subject->is.thread_teardown)
        subject->is.thread_teardown();
    self = NULL;
    return NULL;
}

/* ---- one round, in a process of its own ---- */

static bool is_empty_answer(const struct worker *w)
{
    const struct pl_stress_options *o = &wire->options;
    const uint8_t *response = w->at - ((w->length + 7u) & ~7u); /* of the last record */
    return w->length == o->empty_length && memcmp(response, o->empty, w->length) == 0;
}

/* What is left comes out, so that what was lost is missed. */
static void drain(struct worker *w)
{
    while (wire->options.drain && has_room(w)) {
        invoke(w, wire->options.drain - 1);
        if (is_empty_answer(w))
            break;
    }
}

static void on_crash(int number, siginfo_t *info, void *context)
{
    struct pl_stress_round *r = &wire->round[current];
    (void)context;
    if (!__atomic_exchange_n(&r->signal, (uint32_t)number, __ATOMIC_ACQ_REL)) {
        void *stack[PL_STRESS_STACK];
        int depth = backtrace(stack, PL_STRESS_STACK);
        r->address = (uint64_t)(uintptr_t)info->si_addr;
        r->thread = self ? self->number : wire->options.threads;
        for (int i = 0; i < depth; i++)
            r->stack[i] = (uint64_t)(uintptr_t)stack[i];
        r->depth = (uint32_t)depth;
    }
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

static void watch_crashes(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    void *ignored[2];
    (void)backtrace(ignored, 2); /* loads what it needs while all is well */
    take_other_stack(wire->options.threads);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        (void)sigaction(signals[i], &action, NULL);
}

static void wait_a_little(void)
{
    const struct timespec little = {.tv_nsec = 50000};
    (void)nanosleep(&little, NULL);
}

/* The place may be filled with a window. */
static void begin_place(uint64_t round, unsigned window, pid_t pid)
{
    struct pl_stress_round *r = &wire->round[current];
    memset(r, 0, sizeof *r);
    r->number = round;
    r->window = window;
    r->pid = pid;
}

static void give_place(void)
{
    __atomic_store_n(&wire->round[current].state, PL_ROUND_FULL, __ATOMIC_RELEASE);
    __atomic_store_n(&wire->filled, wire->filled + 1, __ATOMIC_RELEASE);
}

static bool next_place_is_free(void)
{
    current = (unsigned)(wire->filled % PL_STRESS_ROUNDS);
    return __atomic_load_n(&wire->round[current].state, __ATOMIC_ACQUIRE) == PL_ROUND_FREE;
}

/* Does main take what is left after this window? Not always: what is inside lives on, too. */
static bool drains_after(unsigned window)
{
    return window % 4 == 3;
}

/* The window is over; true: and so is the round. */
static bool is_last(uint64_t round, unsigned window)
{
    bool is_long = round % wire->options.every == wire->options.every - 1;
    return !is_long || window + 1 >= wire->options.windows || wire->enough == round + 1 ||
           wire->round[current].broken;
}

/* All windows but that the last one is not given: the server does. */
static void run_windows(struct worker *own)
{
    uint64_t round = wire->round[current].number;
    for (unsigned window = 0;; window++) {
        struct pl_stress_round *r = &wire->round[current];
        (void)pthread_barrier_wait(&begins);
        (void)pthread_barrier_wait(&ends);
        r->broken = subject->is.invariant && !subject->is.invariant();
        bool last = is_last(round, window);
        if (last || drains_after(window))
            drain(own);
        end_worker(own);
        if (last)
            break;
        give_place();
        while (!next_place_is_free())
            wait_a_little();
        begin_place(round, window + 1, getpid());
        begin_records(own);
    }
    over = true;
    (void)pthread_barrier_wait(&begins);
}

static void run_threads(struct worker *own)
{
    pthread_t thread[PL_STRESS_THREADS];
    unsigned threads = wire->options.threads;
    (void)pthread_barrier_init(&begins, NULL, threads + 1);
    (void)pthread_barrier_init(&ends, NULL, threads + 1);
    for (unsigned i = 0; i < threads; i++)
        if (pthread_create(&thread[i], NULL, work, (void *)(uintptr_t)i) != 0)
            _exit(120);
    run_windows(own);
    for (unsigned i = 0; i < threads; i++)
        (void)pthread_join(thread[i], NULL);
}

_Noreturn static void child(pid_t parent)
{
    struct worker own;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
    wire->round[current].pid = getpid();
    watch_crashes();
    begin_worker(&own, wire->options.threads);
    if (subject->is.setup)
        subject->is.setup();
    run_threads(&own);
    struct pl_stress_round *r = &wire->round[current];
    r->broken = r->broken || (subject->is.invariant && !subject->is.invariant());
    if (subject->is.teardown)
        subject->is.teardown();
    r->whole = 1; /* an exit(0) of the subject's does not come here */
    _exit(0);
}

/* ---- the server ---- */

static void nothing(void)
{
    static const char none;
    (void)plumb_put(PLUMB_VOID, &none, 0);
}

/* What recording costs: an operation that does nothing, recorded and not; the least of many
 * short times each, since others use the machine too. */
static void measure(void)
{
    enum { TIMES = 400, OPERATIONS = 250 };
    static const struct plumb_operation empty = {.shown = "", .run = nothing};
    static const struct plumb_operation *const only = &empty;
    const struct plumb_subject stand_in = {.operation = &only, .operations = 1}, *real = subject;
    struct pl_stress_call first = wire->options.call[0];
    struct worker w;
    double bare = 1e9, recorded = 1e9;
    subject = &stand_in;
    wire->options.call[0] = (struct pl_stress_call){0};
    begin_worker(&w, 0);
    for (int i = 0; i < TIMES; i++) {
        double before = seconds();
        for (unsigned k = 0; k < OPERATIONS; k++)
            subject->operation[0]->run();
        double middle = seconds();
        for (unsigned k = 0; k < OPERATIONS; k++) {
            if (!has_room(&w))
                w.at = pl_stress_records(wire, 0, 0);
            invoke(&w, 0);
        }
        double after = seconds();
        bare = middle - before < bare ? middle - before : bare;
        recorded = after - middle < recorded ? after - middle : recorded;
    }
    wire->cost_ns = (recorded - bare) * 1e9 / OPERATIONS;
    self = NULL;
    subject = real;
    wire->options.call[0] = first;
}

static bool open_wire(void)
{
    const char *path = getenv(PL_STRESS_ENV);
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    struct pl_stress_wire *w = MAP_FAILED;
    if (fd >= 0)
        w = mmap(NULL, sizeof *w, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (w == MAP_FAILED || w->magic != PL_STRESS_MAGIC)
        return false;
    wire = mmap(NULL, w->bytes_total, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    (void)munmap(w, sizeof *w);
    (void)close(fd);
    return wire != MAP_FAILED;
}

/* The next place, when the tool has left it; false: it wants no more. */
static bool wait_for_place(void)
{
    while (!wire->stop) {
        if (next_place_is_free())
            return true;
        wait_a_little();
    }
    return false;
}

static void run_round(uint64_t number)
{
    uint64_t filled = wire->filled;
    begin_place(number, 0, 0);
    pid_t parent = getpid(), pid = fork();
    int status = 0;
    if (pid == 0)
        child(parent);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (pid < 0) {
        (void)strcpy(wire->error, "cannot start a process for a round");
        wire->stop = 1;
        return;
    }
    if (!wait_for_place())
        return;
    struct pl_stress_round *r = &wire->round[current];
    if (r->pid != pid && wire->filled != filled) /* it ended between two windows */
        begin_place(number, (unsigned)(wire->filled - filled), pid);
    r->status = (uint32_t)status;
    r->last = 1;
    give_place();
}

int plumb_check_main(const struct plumb_subject *given)
{
    subject = given;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!open_wire())
        return 2;
    measure();
    wire->ready = 1;
    for (uint64_t number = 0; number < wire->options.rounds && wait_for_place(); number++)
        run_round(number);
    wire->done = 1;
    return 0;
}

/* ---- what a subject may tell us: nothing to do here ---- */

void plumb_pool_alloc(void *block, size_t size)
{
    (void)block, (void)size;
}

void plumb_pool_free(void *block)
{
    (void)block;
}

void plumb_assume(int holds)
{
    (void)holds;
}

int plumb_choose(int n)
{
    (void)n;
    return 0;
}

void plumb_point(const void *object)
{
    (void)object;
}

void plumb_point_for(int operation)
{
    (void)operation;
}

int plumb_operation(void)
{
    return 0;
}

void plumb_points_of(const void *object)
{
    (void)object;
}
