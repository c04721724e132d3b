/*
 * The engine: takes the process over before the program's constructors run, and
 * instead of main runs executions, one after the other, until it is told to stop.
 *
 *   __libc_start_main ─▶ init ─▶ constructors ─▶ engine_main ─▶ snapshot
 *        ┌──────────────────────────────────────────────────────────┘
 *        └▶ for each number: reset, run main as fiber 0; a finding: run it again, traced
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/finding.h"
#include "runtime/harness.h"
#include "runtime/libc.h"
#include "runtime/model.h"
#include "runtime/shadow.h"
#include "runtime/station.h"
#include "runtime/symmetry.h"

struct pl_rt rt;

static int (*subject_main)(int, char **, char **);
static int subject_argc;
static char **subject_argv;
static bool completed; /* the execution came to its end */
static int output_fd = -1, null_fd = -1;
static struct pl_random random_strategy;
static struct pl_replay replay_strategy;
static uint64_t seen[PL_MAX_FINDINGS]; /* places of findings */

/* ---- small services ---- */

void *pl_map(size_t bytes)
{
    void *p = (void *)syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        pl_die("plumb: no memory for the runtime\n");
    return p;
}

void *pl_real(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

_Noreturn void pl_die(const char *sentence)
{
    if (sentence)
        syscall(SYS_write, 2, sentence, strlen(sentence));
    if (rt.wire)
        rt.wire->done = 1;
    for (;;)
        syscall(SYS_exit_group, 2);
}

/* ---- one execution ---- */

static void main_fiber(void)
{
    if (rt.exploring)
        pl_model_start(-1);
    int status = subject_main(subject_argc, subject_argv, environ);
    pl_exit(status, 0);
}

_Noreturn void pl_end_execution(int status)
{
    rt.exit_status = status;
    if (rt.options->leaks) {
        pl_reset_mark_roots();
        for (uint32_t i = 0; i < rt.nthreads; i++) {
            const struct pl_thread *t = &rt.thread[i];
            pl_heap_mark_roots(t->tp - 4096, t->tp);
            if (t->state == PL_THREAD_BLOCKED || (t->state == PL_THREAD_LIVE && t != rt.self))
                pl_heap_mark_roots((uint64_t)t->sp,
                                   PL_STACKS + (i + 1) * (uint64_t)PL_STACK_STRIDE);
        }
        pl_heap_check_leaks();
    }
    if (pl_unlikely(rt.shows != PL_FINDING_NONE))
        pl_find_simple(rt.shows, 0, 0, NULL);
    completed = true;
    pl_leave();
}

static void begin_execution(bool traced)
{
    pl_reset();
    if (pl_checking())
        pl_harness_begin();
    rt.strategy->begin(rt.strategy, rt.seed);
    rt.nthreads = 1;
    rt.self = &rt.thread[0];
    pl_thread_init(rt.self, 0);
    pl_fiber_reset(rt.self, (size_t)rt.options->stack_kib << 10, main_fiber);
    rt.enabled = 1;
    pl_station_begin(rt.exploring && !traced);
}

static void run_execution(bool traced, uint64_t from_step)
{
    do {
        rt.restart = completed = false;
        pl_finding.kind = PL_FINDING_NONE;
        pl_finding.written = pl_finding.noted = pl_finding.passed = false;
        pl_more_count = 0;
        if (traced || !pl_station_resume())
            begin_execution(traced);
        if (traced)
            pl_trace_begin(from_step);
        rt.active = true;
        pl_fiber_run();
        rt.active = rt.tracing = false;
        if (pl_unlikely(!traced && rt.exploring && pl_model_begins_again()))
            rt.restart = true; /* what was found will be found again */
        if (pl_unlikely(rt.restart))
            pl_station_forget();
    } while (rt.restart);
    if (rt.nthreads > rt.wire->threads)
        rt.wire->threads = rt.nthreads;
}

/* ---- the traced run: what the subject prints is kept ---- */

static void begin_output(void)
{
    syscall(SYS_ftruncate, output_fd, 0);
    syscall(SYS_lseek, output_fd, 0, SEEK_SET);
    syscall(SYS_dup2, output_fd, 1);
    syscall(SYS_dup2, output_fd, 2);
}

/* stdio holds back what it has not written; no lock is taken, its holder may be gone. */
static void end_output(struct pl_wire_finding *f)
{
    struct pl_wire *w = rt.wire;
    enum { MOST = 1 << 16 };
    if (stdout->_IO_write_ptr > stdout->_IO_write_base)
        syscall(SYS_write, output_fd, stdout->_IO_write_base,
                stdout->_IO_write_ptr - stdout->_IO_write_base);
    long length = syscall(SYS_lseek, output_fd, 0, SEEK_END);
    syscall(SYS_dup2, null_fd, 1);
    syscall(SYS_dup2, null_fd, 2);
    if (!f || length <= 0)
        return;
    long from = length > MOST ? length - MOST : 0;
    if (length - from > PL_MAX_BYTES - w->bytes)
        return;
    f->output = w->bytes;
    f->output_length = (uint32_t)(length - from);
    syscall(SYS_pread64, output_fd, w->byte + w->bytes, length - from, from);
    w->bytes += f->output_length;
}

static struct pl_trust_ending ending(void)
{
    struct pl_trust_ending end = {
        .last = pl_finding.last, .whole = pl_finding.whole, .waiting = pl_finding.waiting};
    if (rt.options->check.shortest)
        end.edge = pl_harness_edges(&end.edges);
    return end;
}

bool pl_engine_is_beyond(void)
{
    const struct pl_trust_ending end = ending();
    return pl_model_is_beyond(&end);
}

/* With as few preemptions as there can be. False: it cannot be shown so, and nothing was written.
 */
static bool run_shortest(uint32_t kind)
{
    struct pl_wire *w = rt.wire;
    uint64_t place = pl_finding.place;
    uint32_t events = w->events, stack_words = w->stack_words, bytes = w->bytes;
    const struct pl_trust_ending end = ending();
    if (!rt.exploring || kind == PL_FINDING_NONE || kind == PL_FINDING_WEAK ||
        !pl_model_begin_shortest(&end))
        return false;
    run_execution(true, 0);
    pl_model_end_beside();
    bool same = pl_finding.place == place || pl_finding_is_stuck((enum pl_finding_kind)kind);
    if (pl_finding.written && pl_finding.kind == kind && same)
        return true;
    w->events = events;
    w->stack_words = stack_words;
    w->bytes = bytes;
    return false;
}

/* The run that shows the finding, the last one of this search, makes its steps in an order in which
 * every read finds the newest value: so it is saved, and so it reads best. Of a weak execution
 * there is none. */
static void put_in_order(void)
{
    enum { ROOM = 1 << 20 };
    const struct pl_wire_options *o = rt.options;
    if (!rt.exploring || o->replaying || o->keep_going || o->strategy || pl_checking() ||
        pl_model_is_weak())
        return;
    uint8_t *script = pl_map(ROOM);
    uint32_t bytes = pl_model_save(script, ROOM);
    if (bytes >= ROOM)
        return;
    pl_model_script(script, bytes);
    pl_model_begin_again();
}

static void run_traced(uint32_t kind, uint64_t steps)
{
    struct pl_wire *w = rt.wire;
    struct pl_wire_finding *f = &w->finding[w->findings];
    rt.expect_hang = kind == PL_FINDING_HANG || rt.options->expect_hang;
    pl_files_reset(); /* first: it would put the subject's own stdout back over ours */
    begin_output();
    if (!run_shortest(kind)) {
        if (kind != PL_FINDING_NONE && kind != PL_FINDING_WEAK)
            put_in_order();
        pl_files_reset();
        begin_output(); /* what was printed is forgotten */
        run_execution(true, steps > PL_MAX_TRACE ? steps - PL_MAX_TRACE : 0);
    }
    if (!pl_finding.written) {
        if (!kind) { /* a replay that found nothing */
            end_output(NULL);
            return;
        }
        *f = (struct pl_wire_finding){
            .kind = kind, .execution = rt.execution, .seed = rt.seed, .steps = steps};
        f->flags |= PL_FINDING_F_UNSTABLE;
    } else if (kind && kind != pl_finding.kind) {
        f->flags |= PL_FINDING_F_UNSTABLE;
    }
    end_output(f);
    __atomic_store_n(&w->findings, w->findings + 1, __ATOMIC_RELEASE);
}

/* ---- the loop ---- */

bool pl_finding_known(uint64_t place)
{
    for (uint32_t i = 0; i < rt.wire->findings; i++)
        if (seen[i] == place)
            return true;
    return false;
}

/* Returns whether the run goes on. */
static bool after_finding(void)
{
    struct pl_wire *w = rt.wire;
    uint64_t place = pl_finding.place;
    w->blocked++;
    if (pl_finding_known(place)) {
        w->repeats++;
        return true;
    }
    seen[w->findings] = place;
    run_traced(pl_finding.kind, pl_finding.steps);
    return rt.options->keep_going && w->findings < PL_MAX_FINDINGS &&
           w->events < PL_MAX_EVENTS / 2 && w->bytes < PL_MAX_BYTES / 2;
}

static uint64_t seed_of(uint64_t number)
{
    uint64_t x = rt.options->seed + number * 0xd1342543de82ef95u;
    return pl_mix64(&x);
}

static void loop(void)
{
    struct pl_wire *w = rt.wire;
    const struct pl_wire_options *o = rt.options;
    for (uint64_t number = o->first; !o->executions || number < o->executions;
         number += o->stride ? o->stride : 1) {
        if (w->stop)
            return;
        rt.execution = w->current = number;
        rt.seed = seed_of(number);
        run_execution(false, 0);
        w->steps += rt.steps;
        if (w->error[0])
            return;
        if (pl_finding.kind != PL_FINDING_NONE) {
            if (!after_finding())
                return;
        } else if (completed) {
            w->executions++;
        } else {
            w->blocked++; /* the step limit */
        }
    }
}

/* Has the execution ended by itself, whatever was found on the way? */
static bool is_whole(void)
{
    return completed && (pl_finding.kind == PL_FINDING_NONE || pl_finding.passed);
}

static bool is_found_at(uint64_t place)
{
    bool found = pl_finding.kind != PL_FINDING_NONE && pl_finding.place == place;
    for (uint32_t i = 0; i < pl_more_count; i++)
        found = found || pl_more_findings[i].place == place;
    return found;
}

/* Is the finding just written there under sc, too? Its own graph may say so; else the program is
 * explored under sc until it shows, or to the end, or as long as is reasonable. */
static void look_under_sc(uint64_t place, bool weak)
{
    enum { REASONABLE = 200000 };
    struct pl_wire *w = rt.wire;
    struct pl_wire_finding *f = &w->finding[w->findings - 1];
    bool more = weak && !rt.options->keep_going && !rt.options->strategy;
    if (strcmp(rt.options->explore, "sc") == 0 || !w->findings)
        return;
    if (!weak)
        f->flags |= PL_FINDING_F_SC;
    if (more)
        pl_model_begin_sc();
    rt.looks = more;
    for (uint32_t i = 0; more && i < REASONABLE && !w->stop; i++) {
        w->heartbeat++;
        run_execution(false, 0);
        if (w->error[0]) {
            w->error[0] = 0; /* not what was asked for */
            break;
        }
        if (is_found_at(place)) {
            f->flags |= PL_FINDING_F_SC;
            break;
        }
        bool whole = is_whole();
        more = pl_model_next_quietly(whole, !whole);
        if (!more)
            f->flags |= PL_FINDING_F_NOT_SC;
    }
    rt.looks = false;
}

/* --robust: the smallest complete execution so far that is not sequentially consistent. */
static struct {
    uint32_t events, bytes;
    uint64_t number; /* among the complete ones */
    uint8_t *script;
} weakest;
enum { WEAKEST_ROOM = 1 << 20 };

static void keep_weakest(void)
{
    if (!rt.options->robust || !completed || !pl_model_is_weak())
        return;
    rt.wire->weak++;
    if (weakest.events && weakest.events <= pl_model_events())
        return;
    if (!weakest.script)
        weakest.script = pl_map(WEAKEST_ROOM);
    weakest.events = pl_model_events();
    weakest.number = rt.wire->executions;
    weakest.bytes = pl_model_save(weakest.script, WEAKEST_ROOM);
}

static void show_weakest(void)
{
    if (!weakest.events || rt.wire->findings)
        return;
    pl_model_script(weakest.script, weakest.bytes);
    pl_model_begin_again();
    rt.shows = PL_FINDING_WEAK;
    rt.execution = weakest.number; /* of those that are counted, not of the runs */
    run_traced(PL_FINDING_WEAK, 0);
}

/* Is the execution the same with other names, where it is to stand for such? If not, the search
 * begins again. */
static bool stands_for_others(void)
{
    if (!completed || pl_finding.kind != PL_FINDING_NONE || !pl_symmetry_begin_proof())
        return true;
    run_execution(false, 0);
    bool failed = rt.wire->error[0] != 0;
    bool same = pl_symmetry_end_proof(completed && !failed && pl_finding.kind == PL_FINDING_NONE);
    rt.wire->error[0] = 0; /* not what was asked for */
    completed = true;
    pl_finding.kind = PL_FINDING_NONE;
    if (!same)
        pl_model_search_again();
    return same;
}

/* Tells the finding that the execution just run has come to, unless it is beyond the bound. Returns
 * whether the search goes on. */
static bool tell_finding(void)
{
    const struct pl_trust_ending end = ending();
    uint64_t place = pl_finding.place;
    uint32_t before = rt.wire->findings;
    bool weak = pl_model_is_weak();
    if (!pl_finding.noted && pl_model_is_beyond(&end)) /* or that was asked, when it was found */
        return true;
    bool goes_on = after_finding();
    if (rt.wire->findings > before)
        look_under_sc(place, weak);
    return goes_on;
}

/* All of them, in the order in which they were found: a run of its own for each. */
static bool tell_findings(void)
{
    struct pl_finding_state more[PL_MORE_FINDINGS];
    uint32_t count = pl_more_count;
    memcpy(more, pl_more_findings, sizeof more);
    bool goes_on = tell_finding();
    for (uint32_t i = 0; i < count && goes_on; i++) {
        pl_finding = more[i];
        goes_on = tell_finding();
    }
    return goes_on;
}

/* Is there another run to make, and may it be made? If others explore too, what is left may have to
 * be handed over, and more may come. */
static bool has_work(bool more)
{
    struct pl_wire *w = rt.wire;
    do {
        if (more && pl_model_drain())
            more = false;
        if (!more && !w->error[0]) {
            w->exhausted = !w->cut;
            more = pl_model_receive();
        }
        if (more && rt.options->sharing)
            pl_model_wait_for_leave();
    } while (more && w->drain && !w->stop);
    return more;
}

/* Every execution, one run each (and one more for a finding), or a sample. */
static void explore(void)
{
    struct pl_wire *w = rt.wire;
    const struct pl_wire_options *o = rt.options;
    bool more = !o->sharing || (o->first == 0 && !o->resumes);
    pl_model_bound();
    uint64_t stride = o->strategy && o->stride ? o->stride : 1;
    for (uint64_t number = o->strategy ? o->first : 0; more || o->sharing; number += stride) {
        uint64_t done = o->strategy ? number : w->executions;
        more = has_work(more);
        if (!more || w->stop || w->error[0] || (o->executions && done >= o->executions))
            break;
        rt.execution = w->current = number;
        rt.seed = seed_of(number);
        do
            run_execution(false, 0);
        while (completed && pl_finding.kind == PL_FINDING_NONE && pl_model_learn());
        w->steps += rt.steps;
        if (w->error[0])
            break;
        bool whole = is_whole(), ended = pl_finding.kind != PL_FINDING_NONE && !pl_finding.passed;
        if (pl_likely(!pl_model_looks_for_races()))
            keep_weakest();
        bool again = (completed || pl_harness.stuck) && pl_model_was_there();
        if (pl_checking() && !o->check.no_histories && !ended && !again &&
            !pl_model_looks_for_races() && (completed || pl_harness.stuck) &&
            !pl_model_exceeds_bound(&(struct pl_trust_ending){.last = -1}))
            pl_harness_give(completed ? PL_HISTORY_WHOLE : PL_HISTORY_STUCK);
        bool found = pl_finding.kind != PL_FINDING_NONE;
        if (found && !tell_findings())
            break;
        if (found && whole)
            run_execution(false, 0); /* what was told ended at the finding */
        if (found || stands_for_others())
            more = pl_model_next(whole, !whole);
    }
    w->exhausted = !more && !w->cut && !w->error[0];
    show_weakest();
}

/* check: every serial order, alone, and of each every choice. Returns whether to go on. */
static bool run_serially(void)
{
    struct pl_wire *w = rt.wire;
    pl_harness_serial();
    w->serial_phase = 1;
    pl_model_begin_again();
    for (bool more = true; more; more = pl_model_next_quietly(completed, !completed)) {
        w->heartbeat++;
        w->serial_runs++;
        run_execution(false, 0);
        if (w->stop || w->error[0])
            return false;
        if (pl_finding.kind != PL_FINDING_NONE) {
            (void)after_finding();
            return false;
        }
        if (completed || pl_harness.stuck) {
            w->serial_sum += pl_harness_sum();
            pl_harness_give(PL_HISTORY_SERIAL);
        }
    }
    pl_harness.serial = false;
    w->serial_phase = 0;
    pl_model_begin_again();
    return true;
}

/* check: the sequences that the tool asks for, until it wants no more. An error ends it. */
static void run_sequences(void)
{
    for (; pl_wait_for_question(); pl_answer()) {
        pl_harness_sequence();
        pl_model_begin_again();
        unsigned given = 0;
        for (bool more = true; more && given < 2;) {
            rt.wire->serial_runs++;
            run_execution(false, 0);
            if (rt.wire->error[0])
                return;
            if (pl_finding.kind != PL_FINDING_NONE) {
                (void)after_finding();
                return;
            }
            if ((completed || pl_harness.stuck) && !pl_harness_is_same(!given)) {
                pl_harness_give(PL_HISTORY_SERIAL);
                given++;
            }
            more = pl_model_next_quietly(completed, !completed);
        }
    }
}

static void check(void)
{
    if (rt.options->check.mode == PL_CHECK_SEQUENCES)
        run_sequences();
    else if (rt.options->check.mode == PL_CHECK_LIST || rt.options->check.mode == PL_CHECK_SPEC)
        run_execution(false, 0);
    else if ((rt.options->check.no_serial || run_serially()) && !rt.options->check.only_serial)
        explore();
}

/* One history again, traced, shown for what the tool found it to be. */
static void prepare_show(void)
{
    const struct pl_wire_check *c = &rt.options->check;
    if (c->mode == PL_CHECK_SHOW_SERIAL)
        pl_harness_serial();
    if (c->mode == PL_CHECK_SHOW || c->mode == PL_CHECK_SHOW_SERIAL)
        rt.shows = c->shown;
}

/* The arguments at an address that is the same everywhere, and as they were in every execution. */
static char **fixed_arguments(int argc, char **argv)
{
    size_t bytes = (size_t)(argc + 1) * sizeof *argv;
    for (int i = 0; i < argc; i++)
        bytes += strlen(argv[i]) + 1;
    void *place = (void *)PL_TLS_END;
    if (mmap(place, bytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != place)
        return argv;
    char **copy = place, *text = (char *)(copy + argc + 1);
    for (int i = 0; i < argc; i++) {
        copy[i] = text;
        text = stpcpy(text, argv[i]) + 1;
    }
    copy[argc] = NULL;
    pl_track_region(place, bytes);
    return copy;
}

/* Where the tool finds what an address belongs to; it may look when this process is long gone. */
static void tell_maps(void)
{
    int fd = (int)syscall(SYS_open, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
    long used = 0;
    for (long n = 1; n > 0 && used<PL_MAX_MAPS - 1; used += n> 0 ? n : 0)
        n = syscall(SYS_read, fd, rt.wire->maps + used, PL_MAX_MAPS - 1 - used);
    syscall(SYS_close, fd);
}

static int engine_main(int argc, char **argv, char **envp)
{
    (void)envp;
    subject_argc = argc;
    subject_argv = fixed_arguments(argc, argv);
    pl_maps_snapshot();
    pl_trace_prepare();
    pl_reset_snapshot();
    pl_exit_snapshot();
    pl_files_snapshot();
    tell_maps();
    rt.wire->ready = 1;
    if (rt.options->replaying && rt.options->explore[0]) {
        pl_model_init(rt.options->explore);
        pl_model_script(rt.wire->byte, rt.options->replay);
        prepare_show();
        rt.wire->bytes = rt.options->replay;
        if (rt.options->check.shortest)
            run_execution(false, 0);
        run_traced(rt.options->check.shortest ? pl_finding.kind : PL_FINDING_NONE, 0);
        rt.wire->executions = completed;
        rt.wire->blocked = !completed;
    } else if (rt.options->replaying) {
        pl_replay_init(&replay_strategy, rt.wire->byte, rt.options->replay);
        rt.strategy = &replay_strategy.strategy;
        rt.wire->bytes = rt.options->replay;
        run_traced(PL_FINDING_NONE, 0);
        rt.wire->executions = completed;
        rt.wire->blocked = !completed;
    } else if (rt.options->explore[0]) {
        pl_model_init(rt.options->explore);
        if (rt.options->strategy)
            pl_model_sample(rt.options->strategy, rt.options->depth);
        if (pl_checking())
            check();
        else
            explore();
    } else {
        pl_random_init(&random_strategy);
        rt.strategy = &random_strategy.strategy;
        rt.random = &random_strategy;
        loop();
    }
    pl_files_reset(); /* names that the last execution made */
    pl_die(NULL);
}

/* ---- start-up ---- */

static int find_ranges(struct dl_phdr_info *info, size_t size, void *counter)
{
    (void)size;
    bool program = (*(int *)counter)++ == 0;
    uint64_t low = ~(uint64_t)0, high = 0, text_low = 0, text_high = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        if (h->p_type != PT_LOAD)
            continue;
        uint64_t start = info->dlpi_addr + h->p_vaddr, end = start + h->p_memsz;
        low = start < low ? start : low;
        high = end > high ? end : high;
        if (h->p_flags & PF_X)
            text_low = start, text_high = end;
    }
    if (strstr(info->dlpi_name, "/libc.so")) {
        rt.libc_start = low;
        rt.libc_end = high;
    }
    if (program) {
        rt.program_start = low;
        rt.program_end = high;
    } else if ((uint64_t)&rt >= low && (uint64_t)&rt < high) {
        rt.text_start = text_low;
        rt.text_end = text_high;
    }
    return 0;
}

static void open_wire(void)
{
    const char *path = getenv(PL_WIRE_ENV);
    if (!path)
        pl_die("This program is linked with Plumbline's runtime: run it with `plumb run`.\n");
    int fd = open(path, O_RDWR | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0 || (size_t)st.st_size < sizeof(struct pl_wire))
        pl_die("plumb: the file named by PLUMB_WIRE cannot be used\n");
    void *map = (void *)syscall(SYS_mmap, NULL, sizeof(struct pl_wire), PROT_READ | PROT_WRITE,
                                MAP_SHARED, fd, 0);
    if (map == MAP_FAILED || ((struct pl_wire *)map)->magic != PL_WIRE_MAGIC)
        pl_die("plumb: the file named by PLUMB_WIRE is not of this version\n");
    rt.wire = map;
    rt.options = &rt.wire->options;
    void *cover = (void *)PL_COVER;
    if (rt.options->coverage &&
        (void *)syscall(SYS_mmap, cover, PL_COVER_BYTES, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_FIXED_NOREPLACE, fd,
                        offsetof(struct pl_wire, reached)) != cover)
        pl_die("plumb: the addresses for coverage are taken\n");
    syscall(SYS_close, fd);
    pl_model_share_facts();
}

/* Descriptors of ours are out of the way of the subject's. Before there are threads: a larger table
 * of descriptors waits for all processors then, 10 ms. */
static int move_up(int fd)
{
    int moved = (int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 500);
    syscall(SYS_close, fd);
    return moved;
}

static void init(void)
{
    int counter = 0;
    open_wire();
    dl_iterate_phdr(find_ranges, &counter);
    const struct pl_wire_options *o = rt.options;
    rt.width = 4;
    rt.races = o->races;
    rt.volatile_plain = o->volatile_plain;
    rt.max_steps = o->max_steps ? o->max_steps : 1000000;
    void *shadow = (void *)PL_SHADOW;
    if (mmap(shadow, PL_SHADOW_BYTES, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0) != shadow)
        pl_unsupported("the shadow memory does not get its fixed address", 0);
    pl_arch_init();
    pl_shadow_init();
    pl_sync_init();
    pl_libc_init();
    pl_crash_init();
    output_fd = move_up((int)syscall(SYS_memfd_create, "output", 1));
    null_fd = move_up((int)syscall(SYS_open, "/dev/null", O_WRONLY | O_CLOEXEC));
    pl_fiber_init();
    pl_arch_patch_pauses();
}

typedef int start_function(int (*)(int, char **, char **), int, char **, void (*)(void),
                           void (*)(void), void (*)(void), void *);

PL_EXPORT int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
                                void (*constructors)(void), void (*destructors)(void),
                                void (*linker_end)(void), void *stack_end);
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
                      void (*constructors)(void), void (*destructors)(void),
                      void (*linker_end)(void), void *stack_end)
{
    start_function *real = PL_REAL(start_function, "__libc_start_main");
    subject_main = main;
    init();
    return real(engine_main, argc, argv, constructors, destructors, linker_end, stack_end);
}
