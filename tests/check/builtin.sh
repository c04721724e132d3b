# Every built-in spec through plumb check: an object that is one, and one that is not.
source "$SRC/tests/check/lib.bash"

cat >objects.c <<'C'
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#ifndef WRONG
#define WRONG 0
#endif
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int a[16], n; /* of every object */
#define LOCKED(type, ...) { pthread_mutex_lock(&l); type plumb_r = __VA_ARGS__; pthread_cond_broadcast(&changed); pthread_mutex_unlock(&l); return plumb_r; }
#define WAIT(condition) while (!(condition)) pthread_cond_wait(&changed, &l)
static int take_at(int i) { if (!n) return -1; int v = a[i]; memmove(a + i, a + i + 1, sizeof a - sizeof *a * (size_t)(i + 1)); n--; return v; }
static void put_at(int i, int v) { memmove(a + i + 1, a + i, sizeof a - sizeof *a * (size_t)(i + 1)); a[i] = v; n++; }
static int least(int sign) { int best = 0; for (int i = 1; i < n; i++) if (sign * a[i] < sign * a[best]) best = i; return best; }
/* queues, stacks, deques, bags */
static void put_last(int v) { pthread_mutex_lock(&l); put_at(n, v); pthread_mutex_unlock(&l); }
static void put_first(int v) { pthread_mutex_lock(&l); put_at(0, v); pthread_mutex_unlock(&l); }
static int take_first(void) LOCKED(int, take_at(0))
static int take_last(void) LOCKED(int, take_at(n ? n - 1 : 0))
static int take_least(void) LOCKED(int, take_at(least(WRONG ? -1 : 1)))
static int twice(void) LOCKED(int, n ? a[0] : -1)
/* sets and maps: a[key], -1 is absent */
static void clear(void) { memset(a, -1, sizeof a); n = 0; }
static bool add(int k) LOCKED(bool, a[k] < 0 ? (a[k] = 1, true) : WRONG)
static bool del(int k) LOCKED(bool, a[k] >= 0 ? (a[k] = -1, true) : false)
static bool has(int k) LOCKED(bool, a[k] >= 0)
static int get(int k) LOCKED(int, a[k])
static void set(int k, int v) { pthread_mutex_lock(&l); a[k] = v + (WRONG && v == 2); pthread_mutex_unlock(&l); }
static bool cas_at(int k, int old, int new) LOCKED(bool, a[k] == old ? (a[k] = new, true) : false)
/* registers, counters, snapshots */
static int rd(void) LOCKED(int, n)
static void wr(int v) { pthread_mutex_lock(&l); if (!WRONG || v > n) n = v; pthread_mutex_unlock(&l); }
static bool cas(int old, int new) LOCKED(bool, n == old ? (n = new, true) : WRONG)
static int inc(void) LOCKED(int, n++ + WRONG)
static int add_to(int v) LOCKED(int, (n += v) - v)
struct three { int v[3]; };
static struct three scan(void) LOCKED(struct three, (struct three){{a[0], a[1], WRONG ? 0 : a[2]}})
static void upd(int i, int v) { pthread_mutex_lock(&l); a[i] = v; pthread_mutex_unlock(&l); }
/* semaphore, lock, rwlock, event, countdown, once: n is the count */
static void down(void) { pthread_mutex_lock(&l); WAIT(n > 0); n--; pthread_mutex_unlock(&l); }
static void up(void) { pthread_mutex_lock(&l); n += 1 + WRONG; pthread_cond_broadcast(&changed); pthread_mutex_unlock(&l); }
static bool try_down(void) LOCKED(bool, n > 0 ? (n--, true) : false)
static void take_lock(void) { pthread_mutex_lock(&l); WAIT(!n || WRONG); n = 1; pthread_mutex_unlock(&l); }
static void free_lock(void) { pthread_mutex_lock(&l); n = 0; pthread_cond_broadcast(&changed); pthread_mutex_unlock(&l); }
static bool try_lock(void) LOCKED(bool, !n ? (n = 1, true) : WRONG)
static void rlock(void) { pthread_mutex_lock(&l); WAIT(n >= 0); n++; pthread_mutex_unlock(&l); }
static void runlock(void) { pthread_mutex_lock(&l); n--; pthread_cond_broadcast(&changed); pthread_mutex_unlock(&l); }
static void wlock(void) { pthread_mutex_lock(&l); WAIT(!n); n = -1; pthread_mutex_unlock(&l); }
static void wunlock(void) { pthread_mutex_lock(&l); n = 0; pthread_cond_broadcast(&changed); pthread_mutex_unlock(&l); }
static bool try_read(void) LOCKED(bool, n >= -WRONG ? (n++, true) : false)
static bool try_write(void) LOCKED(bool, !n ? (n = -1, true) : false)
static void signal_one(void) { pthread_mutex_lock(&l); n -= n > 0; pthread_cond_broadcast(&changed); pthread_mutex_unlock(&l); }
static void wait_zero(void) { pthread_mutex_lock(&l); WAIT(WRONG ? n == 2 : !n); pthread_mutex_unlock(&l); }
static void ev_set(void) { pthread_mutex_lock(&l); n = 1; pthread_cond_broadcast(&changed); pthread_mutex_unlock(&l); }
static void ev_reset(void) { pthread_mutex_lock(&l); n = 0; pthread_mutex_unlock(&l); }
static void ev_wait(void) { pthread_mutex_lock(&l); WAIT(n); n = !WRONG; pthread_mutex_unlock(&l); }
static bool is_set(void) LOCKED(bool, n)
static bool run(void) LOCKED(bool, !n ? (n = !WRONG, true) : false)
C

# each SPEC TEST OPTIONS...: right as it is, wrong with WRONG
each() {
    local spec=$1 test=$2
    shift 2
    expect 0 check objects.c --spec "$spec" --test "$test" --model sc "$@"
    expect 1 check objects.c --spec "$spec" --test "$test" --model sc --save no "$@" -- -DWRONG=1
}
# differs SPEC TEST OPTIONS...: wrong as it is
differs() {
    local spec=$1 test=$2
    shift 2
    expect 1 check objects.c --spec "$spec" --test "$test" --model sc --save no "$@"
}
puts=(--call 'put_last(1)' --call 'put_last(2)')
expect 0 check objects.c --spec fifo --map enq=put_last,deq=take_first "${puts[@]}" --call 'take_first()' \
    --test 'put_last(1),put_last(2) | take_first(),take_first()' --model sc
differs fifo 'put_last(1),put_last(2),take_last()' --map enq=put_last,deq=take_last "${puts[@]}" --call 'take_last()'
expect 0 check objects.c --spec lifo --map push=put_last,pop=take_last "${puts[@]}" --call 'take_last()' \
    --test 'put_last(1),put_last(2) | take_last(),take_last()' --model sc
differs lifo 'put_last(1),put_last(2),take_first()' --map push=put_last,pop=take_first "${puts[@]}" --call 'take_first()'
deque=(--map push_right=put_last,pop_right=take_last,push_left=put_first,pop_left=take_first "${puts[@]}"
    --call 'put_first(3)' --call 'take_first()' --call 'take_last()')
expect 0 check objects.c --spec deque "${deque[@]}" --model sc \
    --test 'put_last(1),put_last(2) | put_first(3),take_first()' --test 'put_first(3),put_last(1) | take_first(),take_last()'
differs deque 'put_first(3),put_last(1) | take_first(),take_last()' \
    --map push_right=put_first,pop_right=take_last,push_left=put_last,pop_left=take_first "${deque[@]:2}"
expect 0 check objects.c --spec bag --map put=put_last,take=take_last "${puts[@]}" --call 'take_last()' \
    --test 'put_last(1),put_last(2) | take_last(),take_last()' --model sc
differs bag 'put_last(1),twice(),twice()' --map put=put_last,take=twice "${puts[@]}" --call 'twice()'
each pqueue 'put_last(2),put_last(1),take_least()' --map insert=put_last,take=take_least "${puts[@]}" --call 'take_least()'
expect 1 check objects.c --spec max-pqueue --test 'put_last(2),put_last(1),take_least()' --model sc --save no \
    --map insert=put_last,take=take_least "${puts[@]}" --call 'take_least()'
each set 'add(1),has(1) | add(1),del(1)' --setup 'clear()' --map remove=del,contains=has --call 'add(1)' --call 'del(1)' --call 'has(1)'
each map 'set(1,2),get(1),del(1) | get(1)' --setup 'clear()' --map put=set,remove=del,cas=cas_at --call 'set(1, 2)' \
    --call 'get(1)' --call 'del(1)' --call 'cas_at(1, 2, 3)'
each register 'wr(2),wr(1),rd()' --map read=rd,write=wr --call 'wr(1)' --call 'wr(2)' --call 'rd()'
expect 1 check objects.c --spec register --initial 5 --test 'rd()' --model sc --save no --map read=rd --call 'rd()'
each cas-register 'cas(0,1) | cas(0,1)' --map read=rd --call 'cas(0, 1)' --call 'rd()'
each counter 'inc() | inc(),rd()' --map read=rd,add=add_to --call 'inc()' --call 'rd()' --call 'add_to(2)'
each snapshot 'upd(0,1),upd(2,4) | scan()' --map update=upd --call 'upd(0, 1)' --call 'upd(1, 3)' --call 'upd(2, 4)' --call 'scan()'
each semaphore 'down() | up(),try_down(),try_down()' --setup 'n = 0' --map acquire=down,release=up,try_acquire=try_down \
    --call 'down()' --call 'up()' --call 'try_down()'
expect 0 check objects.c --spec semaphore --initial 1 --setup 'n = 1' --map acquire=down --call 'down()' \
    --test 'down() | down()' --model sc
each lock 'take_lock() | try_lock(),take_lock()' --map lock=take_lock,unlock=free_lock --call 'take_lock()' --call 'free_lock()' --call 'try_lock()'
each rwlock 'wlock() | try_read(),try_write()' --map read_lock=rlock,read_unlock=runlock,write_lock=wlock,write_unlock=wunlock,try_read_lock=try_read,try_write_lock=try_write \
    --call 'rlock()' --call 'runlock()' --call 'wlock()' --call 'wunlock()' --call 'try_read()' --call 'try_write()'
expect 0 check objects.c --spec rwlock --model sc --test 'rlock() | rlock(),try_write()' --test 'rlock(),runlock() | wlock(),wunlock()' \
    --map read_lock=rlock,read_unlock=runlock,write_lock=wlock,write_unlock=wunlock,try_write_lock=try_write \
    --call 'rlock()' --call 'runlock()' --call 'wlock()' --call 'wunlock()' --call 'try_write()'
each event 'ev_wait(),is_set() | ev_set()' --map set=ev_set,reset=ev_reset,wait=ev_wait --call 'ev_set()' --call 'ev_reset()' --call 'ev_wait()' --call 'is_set()'
each countdown 'wait_zero() | signal_one(),signal_one()' --setup 'n = 2' --initial 2 --map signal=signal_one,wait=wait_zero,count=rd \
    --call 'signal_one()' --call 'wait_zero()' --call 'rd()'
each once 'run() | run()' --call 'run()'
# All of them are there.
for spec in fifo lifo deque set map register cas-register counter pqueue bag semaphore lock rwlock snapshot event countdown once; do
    grep -qE "(each|differs|--spec) $spec " "$SRC/tests/check/builtin.sh" || die "$spec is not tested"
    grep -q "^| \`$spec\`" "$SRC/docs/check.md" || die "docs/check.md has no $spec"
done
