/*
 * Every execution starts from the same state: memory that the subject can write and
 * that was there before main is put back.
 *
 * Regions: the writable data of the program and of every library but ours and the
 * dynamic linker's, and the heap filled before main. A small region of the program is
 * copied back whole. In the others pages are write-protected once; the first write to
 * a page faults, the page is noted and from then on copied back at every reset: the
 * steady state has no faults and no system calls, and copies only what is ever
 * written.
 *
 * Invariants:
 * I1  copy[] holds the content at the snapshot.
 * I2  A page is writable exactly if it is noted in `dirty` (or its region is whole).
 * I3  A region that is not whole consists of pages: the linker gives no page to two objects,
 *     and what is behind the end of one is nobody's.
 */
#include <link.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/atomic.h"
#include "runtime/libc.h"
#include "runtime/shadow.h"
#include "runtime/station.h"

enum { REGIONS = 256, PAGE = 4096, WHOLE = 64 << 10, DIRTY = 1 << 16 };

static struct region {
    uint64_t start, end;
    uint8_t *copy;
    bool whole;     /* copied back whole, never protected */
    uint8_t *noted; /* one byte a page */
} region[REGIONS];
static unsigned regions;
static struct {
    uint64_t start;
    uint32_t bytes, region;
} dirty[DIRTY];
static unsigned dirties;
static bool taken;
static bool concurrently; /* a thread is being parked: two threads may write to libc's data */
static bool noting;

void pl_track_concurrently(bool is)
{
    __atomic_store_n(&concurrently, is, __ATOMIC_SEQ_CST);
}

static void protect(struct region *r)
{
    mprotect((void *)r->start, r->end - r->start, PROT_READ);
}

static void add_region(uint64_t start, uint64_t end, bool whole)
{
    if (start >= end || regions == REGIONS)
        return;
    struct region *r = &region[regions++];
    if (!whole) { /* I3 */
        start &= ~(uint64_t)(PAGE - 1);
        end = (end + PAGE - 1) & ~(uint64_t)(PAGE - 1);
    }
    *r = (struct region){.start = start, .end = end, .whole = whole};
    r->copy = pl_map(end - start);
    r->noted = pl_map((end - start) / PAGE + 2);
    memcpy(r->copy, (void *)start, end - start);
}

void pl_track_region(void *start, size_t bytes)
{
    add_region((uint64_t)start, (uint64_t)start + bytes, false);
    if (taken && regions)
        protect(&region[regions - 1]);
}

static bool note_page(uint64_t address)
{
    for (unsigned i = 0; i < regions; i++) {
        struct region *r = &region[i];
        if (address < r->start || address >= r->end || r->whole)
            continue;
        uint64_t page = address & ~(uint64_t)(PAGE - 1);
        uint8_t *noted = &r->noted[(page - (r->start & ~(uint64_t)(PAGE - 1))) / PAGE];
        if (*noted) /* or the other thread was first, and the page is writable now */
            return concurrently;
        if (dirties == DIRTY)
            return false;
        *noted = 1;
        uint64_t start = page < r->start ? r->start : page;
        uint64_t end = page + PAGE < r->end ? page + PAGE : r->end;
        dirty[dirties].start = start;
        dirty[dirties].bytes = (uint32_t)(end - start);
        dirty[dirties++].region = i;
        return mprotect((void *)page, PAGE, PROT_READ | PROT_WRITE) == 0;
    }
    return false;
}

bool pl_track_fault(uint64_t address)
{
    if (pl_likely(!concurrently))
        return note_page(address);
    while (__atomic_exchange_n(&noting, true, __ATOMIC_ACQUIRE))
        continue;
    bool is = note_page(address);
    __atomic_store_n(&noting, false, __ATOMIC_RELEASE);
    return is;
}

/* The writable part of a loaded object, without what the linker made read-only. */
static int add_object(struct dl_phdr_info *info, size_t size, void *counter)
{
    (void)size;
    bool program = (*(int *)counter)++ == 0;
    const char *name = info->dlpi_name;
    bool linker = strstr(name, "/ld-linux") || strstr(name, "/ld.so");
    uint64_t relro_end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO)
            relro_end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        uint64_t start = info->dlpi_addr + h->p_vaddr, end = start + h->p_memsz;
        if (h->p_type != PT_LOAD || !(h->p_flags & PF_W) || linker)
            continue;
        if ((uint64_t)&rt >= start && (uint64_t)&rt < end)
            continue; /* ourselves */
        if (relro_end > start && relro_end <= end)
            start = (relro_end + PAGE - 1) & ~(uint64_t)(PAGE - 1);
        add_region(start, end, program && end - start <= WHOLE);
    }
    return 0;
}

void pl_reset_snapshot(void)
{
    int counter = 0;
    pl_heap_snapshot();
    pl_fiber_snapshot();
    dl_iterate_phdr(add_object, &counter);
    taken = true;
    for (unsigned i = 0; i < regions; i++)
        if (!region[i].whole)
            protect(&region[i]);
}

static void put_back(unsigned i)
{
    const struct region *r = &region[dirty[i].region];
    memcpy((void *)dirty[i].start, r->copy + (dirty[i].start - r->start), dirty[i].bytes);
}

void pl_reset(void)
{
    for (unsigned i = 0; i < regions; i++)
        if (region[i].whole)
            memcpy((void *)region[i].start, region[i].copy, region[i].end - region[i].start);
    for (unsigned i = 0; i < dirties; i++)
        put_back(i);
    pl_reset_rest();
    pl_sync_reset();
    rt.steps = rt.last_change = 0;
    rt.next_check = rt.max_steps < 1024 ? rt.max_steps : 1024;
    rt.now = 0;
    rt.enabled = rt.timed = 0;
    rt.nthreads = 0;
    rt.stopped = rt.main_waits = false;
}

void pl_reset_rest(void)
{
    pl_shadow_reset();
    pl_clock_reset();
    pl_atomic_reset();
    pl_pool_reset();
    pl_keys_reset();
    pl_exit_reset();
    pl_files_reset();
    pl_maps_reset();
    pl_random_reset();
    rt.wire->heartbeat++;
    rt.cells = 0;
    rt.unkept = false;
}

/* ---- for stations ---- */

void pl_reset_keep(void)
{
    for (unsigned i = 0; i < regions; i++)
        if (region[i].whole)
            pl_keep((void *)region[i].start, region[i].end - region[i].start);
    for (unsigned i = 0; i < dirties; i++)
        pl_keep((void *)dirty[i].start, dirty[i].bytes);
}

unsigned pl_reset_dirties(void)
{
    return dirties;
}

void pl_reset_later(unsigned before)
{
    for (unsigned i = before; i < dirties; i++)
        put_back(i);
}

/* Pages that nobody had written to in any execution. */
void pl_reset_adopt(unsigned before)
{
    for (; dirties > before; dirties--) {
        const uint64_t start = dirty[dirties - 1].start;
        const struct region *r = &region[dirty[dirties - 1].region];
        memcpy(r->copy + (start - r->start), (void *)start, dirty[dirties - 1].bytes);
        r->noted[(start - r->start) / PAGE] = 0;
        mprotect((void *)start, PAGE, PROT_READ);
    }
}

/* Roots for the leak check: the data of the program and its libraries. */
void pl_reset_mark_roots(void)
{
    for (unsigned i = 0; i < regions; i++)
        pl_heap_mark_roots(region[i].start, region[i].end);
}
