// Who sleeps counts itself first, who wakes looks at the count after it has changed the word:
// neither misses the other, since a wait has a full barrier before it looks at the word. It is
// woken; or it finds the word changed, before or after the wake, or there is none: 4. With only
// release and relaxed at the waker (WEAK) they miss each other. BARRIERS: nobody waits, but with a
// wake between its store and its load not both miss the other's store: 3. counts: sc=4 tso=4 rc11=4
// counts: -DBARRIERS sc=3 tso=3 rc11=3
// finding: -DWEAK sc=pass tso=deadlock rc11=deadlock
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "threads.h"

static atomic_int word, waiting;

#ifdef WEAK
enum { STORE = memory_order_release, LOAD = memory_order_relaxed };
#else
enum { STORE = memory_order_seq_cst, LOAD = memory_order_seq_cst };
#endif

#ifdef BARRIERS
static int seen[2];

static int pass(atomic_int *mine, atomic_int *other)
{
    atomic_store_explicit(mine, 1, memory_order_relaxed);
    syscall(SYS_futex, mine, FUTEX_WAKE, 1, NULL, NULL, 0);
    return atomic_load_explicit(other, memory_order_relaxed);
}

static void *sleeper(void *unused)
{
    seen[0] = pass(&waiting, &word);
    return unused;
}

static void *waker(void *unused)
{
    seen[1] = pass(&word, &waiting);
    return unused;
}
#else
static const int seen[2] = {1, 1};

static void *sleeper(void *unused)
{
    atomic_fetch_add(&waiting, 1);
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
    return unused;
}

static void *waker(void *unused)
{
    atomic_store_explicit(&word, 1, STORE);
    if (atomic_load_explicit(&waiting, LOAD))
        syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
    return unused;
}
#endif

int main(void)
{
    start(0, sleeper);
    start(1, waker);
    join_all(2);
    assert(seen[0] || seen[1]);
    return 0;
}
