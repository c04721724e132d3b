# A replay shows a finding of a history only if the history is there again and still wrong.
source "$SRC/tests/check/lib.bash"

# gone TEXT: the saved finding is not there any more, and why is said.
gone() {
    expect 3 replay found.plumb --json again.json
    [[ $(key again.json verdict) = unknown ]] || { cat again.json; die "not unknown"; }
    grep -q "^unknown: the finding did not show again: $1" out || { cat out; die "$1"; }
}

# The same choices, another answer.
cat >count.c <<'C'
#include <stdatomic.h>
static atomic_int n;
static int inc(void) { int v = atomic_load(&n); atomic_store(&n, v + 1); return v; }
C
violates not-linearizable count.c --call 'inc()' --test 'inc() | inc()' --model sc
echo '/* the same program */' >>count.c
expect 1 replay found.plumb
sed -i 's/int v = .*n, v + 1); return v;/int v = atomic_load(\&n); return atomic_fetch_add(\&n, 1) + 0 * v;/' count.c
gone 'inc() answers 1; saved was: answers 0; the sources have changed'

# It returns now.
cat >event.c <<'C'
#include <stdatomic.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int set_, waiting;
static void set(void)
{
    pthread_mutex_lock(&lock);
    set_++;
    if (WAKE)
        pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&lock);
}
static void wait(void)
{
    pthread_mutex_lock(&lock);
    waiting = 1;
    while (!set_)
        pthread_cond_wait(&cond, &lock);
    pthread_mutex_unlock(&lock);
}
C
cp event.c all.c
(printf '#define WAKE !waiting\n'; cat all.c) >event.c
violates stuck event.c --call 'set()' --call 'wait()' --test 'wait() | set()' --model sc
(printf '#define WAKE 1\n'; cat all.c) >event.c
gone 'wait() returns; saved was: never returns; the sources have changed'

# The same history, which is right now: of its calls one at a time more is answered.
cat >room.c <<'C'
#include <stdatomic.h>
static atomic_int used;
static int put(void)
{
    if (atomic_load(&used) >= ROOM)
        return 0;
    atomic_fetch_add(&used, 1);
    return 1;
}
C
cp room.c all.c
(printf '#define ROOM 1\n'; cat all.c) >room.c
violates not-linearizable room.c --call 'put()' --test 'put() | put()' --model sc
(printf '#define ROOM 2\n'; cat all.c) >room.c
gone 'the history is the same, but one at a time the calls answer differently now'

# What is missing is no answer, but an order.
cat >cell.c <<'C'
#include <stdatomic.h>
static _Atomic int cell;
static void put(int v) { atomic_store_explicit(&cell, v, PUBLISH); }
static int take(void) { return atomic_exchange_explicit(&cell, 0, memory_order_acquire); }
C
cp cell.c all.c
(printf '#define PUBLISH memory_order_relaxed\n'; cat all.c) >cell.c
violates unpublished cell.c --call 'put(1)' --call 'take()' --spec fifo --test 'put(1) | take()' --model sc
(printf '#define PUBLISH memory_order_release\n'; cat all.c) >cell.c
gone 'the answers are the same, but the steps on the way are others'

# A spec in the user's code may be what was repaired.
cat >written.c <<'C'
#include <plumb/spec.h>
struct plumb_state { int count; };
PLUMB_STEP(get) { (void)s; return plumb_int(0); }
static plumb_result get(plumb_args a) { (void)a; return plumb_int(1); }
PLUMB_OP(get);
C
violates not-linearizable written.c --test 'get()' --model sc --no-shrink
sed -i '/^PLUMB_STEP/s/plumb_int(0)/plumb_int(1)/' written.c
gone 'the history is the same, but its spec may be another; the sources have changed'
