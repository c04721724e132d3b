# What a spec demands to be synchronised: found missing by relaxed accesses that answer all right.
source "$SRC/tests/check/lib.bash"

# A ring for one producer and one consumer; the slots are atomic, so nothing of its own races.
cat >ring.c <<'C'
#include <stdatomic.h>
static _Atomic int slot[4], tail;
static int head;
static void put(int v)
{
    int t = atomic_load_explicit(&tail, memory_order_relaxed);
    atomic_store_explicit(&slot[t % 4], v, memory_order_relaxed);
    atomic_store_explicit(&tail, t + 1, PUBLISH);
}
static int take(void)
{
    if (head == atomic_load_explicit(&tail, memory_order_acquire))
        return 0;
    int v;
    while (!(v = atomic_load_explicit(&slot[head % 4], memory_order_relaxed)))
        continue;
    head++;
    return v;
}
C
ring=(ring.c --call 'put(1)' --call 'take()' --spec fifo --test 'put(1) | take()')
cp ring.c all.c
(printf '#define PUBLISH memory_order_release\n'; cat all.c) >ring.c
passes "${ring[@]}"
(printf '#define PUBLISH memory_order_relaxed\n'; cat all.c) >ring.c
passes "${ring[@]}" --publication=off
for model in sc tso rc11; do
    violates unpublished "${ring[@]}" --model $model
    grep -q 'take() = 1 on thread 2 depends on put(1) on thread 1' first || { cat first; die "which calls?"; }
done
[[ $(key result.json violation message) = *'put(1) on thread 1'* ]] || die "no message"
violates unpublished "${ring[@]}" --model rc11 --factor 0 # quasi linearizable, or its takes relaxed: the same
violates unpublished "${ring[@]}" --model rc11 --relax strict=1
# Nobody knows what an object without a spec is for.
passes ring.c --call 'put(1)' --call 'take()' --test 'put(1) | take()' --model rc11

# lock: of two sections one must come before the other.
cat >lock.c <<'C'
#include <stdatomic.h>
static _Atomic int held;
static void lock(void) { while (atomic_exchange_explicit(&held, 1, memory_order_acquire)) continue; }
static void unlock(void) { atomic_store_explicit(&held, 0, FREE); }
C
lock=(--call 'lock()' --call 'unlock()' --spec lock --test 'lock(),unlock() | lock(),unlock()')
(printf '#define FREE memory_order_release\n'; cat lock.c) >right.c
passes right.c "${lock[@]}"
passes right.c --call 'lock()' --call 'unlock()' --spec lock --init 'lock()' --test 'unlock() | lock()'
(printf '#define FREE memory_order_relaxed\n'; cat lock.c) >wrong.c
violates unpublished wrong.c "${lock[@]}" --no-shrink

# event, semaphore, countdown, once, set: NAME SPEC CALLS TEST
cat >word.c <<'C'
#include <stdatomic.h>
#include <stdbool.h>
static _Atomic int word = START;
static void set(void) { atomic_store_explicit(&word, 1, ORDER); }
static void await(void) { while (!atomic_load_explicit(&word, memory_order_acquire)) continue; }
static void post(void) { atomic_fetch_add_explicit(&word, 1, ORDER); }
static void take(void)
{
    int n = atomic_load_explicit(&word, memory_order_relaxed);
    do
        while (!n)
            n = atomic_load_explicit(&word, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&word, &n, n - 1, memory_order_acquire,
                                                  memory_order_relaxed));
}
static void down(void) { atomic_fetch_sub_explicit(&word, 1, ORDER); }
static void zero(void) { while (atomic_load_explicit(&word, memory_order_acquire)) continue; }
static bool run(void) { return !atomic_exchange_explicit(&word, 1, ORDER == memory_order_release ? memory_order_acq_rel : ORDER); }
static bool add(int k) { return !(atomic_fetch_or_explicit(&word, 1 << k, ORDER) >> k & 1); }
static bool has(int k) { return atomic_load_explicit(&word, memory_order_acquire) >> k & 1; }
C
# demands START TEST ARGUMENTS...
demands() {
    local start=$1 test=$2
    shift 2
    for order in release relaxed; do
        (printf '#define START %s\n#define ORDER memory_order_%s\n' "$start" $order; cat word.c) >object.c
        if [[ $order = release ]]; then
            passes object.c --test "$test" --model rc11 "$@"
        else
            violates unpublished object.c --test "$test" --model rc11 "$@"
        fi
    done
}
demands 0 'set() | await()' --spec event --map wait=await --call 'set()' --call 'await()'
demands 0 'post() | take()' --spec semaphore --map release=post,acquire=take --call 'post()' --call 'take()'
demands 2 'down() | down() | zero()' --spec countdown --initial 2 --map signal=down,wait=zero \
    --call 'down()' --call 'zero()'
demands 0 'run() | run()' --spec once --call 'run()'
demands 0 'add(1) | has(1)' --spec set --map contains=has --call 'add(1)' --call 'has(1)'
