#!/bin/bash
# --preemptions N: verdict, bound and counts; the fewest preemptions are shown; what is refused.
set -eu
. "$SRC/tests/cli/lib.sh"

head='#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;'
main='int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, a, 0);
    pthread_create(&t[1], 0, b, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}'
# a lost update: one preemption, between load and store
cat >lost.c <<C
$head
static void *a(void *u) { int v = atomic_load(&x); atomic_store(&x, v + 1); return u; }
#define b a
${main/return 0/assert(atomic_load(\&x) == 2)}
C
# b reads between two pairs of stores: three
cat >three.c <<C
$head
static void *a(void *u) { atomic_store(&x, 1); atomic_store(&x, 2); atomic_store(&x, 3); return u; }
static void *b(void *u)
{
    int first = atomic_load(&x), second = atomic_load(&x);
    assert(!(first == 1 && second == 2));
    return u;
}
$main
C
# each waits for the other in a loop: whoever waits is not preempted
cat >spin.c <<C
$head
static void *a(void *u) { atomic_store(&x, 1); while (!atomic_load(&y)); return u; }
static void *b(void *u) { while (!atomic_load(&x)); atomic_store(&y, 1); return u; }
$main
C
# while one holds the lock the other waits, and that is no preemption either
cat >locks.c <<C
$head
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *a(void *u)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        atomic_fetch_add(&x, 1);
        pthread_mutex_unlock(&m);
    }
    return u;
}
#define b a
$main
C

# b reads before or after what a writes back: an order that is met, but is beyond the bound of 0
cat >back.c <<C
$head
static void *a(void *u)
{
    int old = atomic_load(&y);
    atomic_fetch_add(&y, 1);
    while (!atomic_compare_exchange_strong(&y, &old, old));
    return u;
}
static void *b(void *u) { while (atomic_load(&y) != 1 && atomic_load(&x) == 0); return u; }
$main
C

# result FILE N: verdict, coverage, executions; bound and preemptions of the finding, if there is one
result() {
    "$PLUMB" explore "$1" --model sc --preemptions "$2" --save=no --json r.json >out 2>&1 || true
    jq -r '"\(.verdict) \(.coverage) \(.executions) \(.preemptions)/\(.bound) \(.findings[0].preemptions)"' \
        r.json
}
is() { [ "$2" = "$1" ] || die "$3: $2, not $1: $(cat out)"; }

is 'pass bounded 2 0/0 null' "$(result three.c 0)" 'three 0'
is 'pass bounded 5 1/1 null' "$(result three.c 1)" 'three 1'
is 'violation partial 1 3/1 1' "$(result lost.c 3 | sed -E 's/partial [0-9]+/partial 1/')" 'lost 3'
grep -q '^violation: assertion with 1 preemption, none with fewer' out || die "$(cat out)"
grep -q 'How it happens (execution [0-9]*, 1 preemption)' out || die "$(cat out)"
result three.c 5 >/dev/null
grep -q '^violation: assertion with 3 preemptions, none with fewer' out || die "$(cat out)"
is 'pass exhaustive 1 0/0 null' "$(result spin.c 0)" 'spin 0'
is 'pass exhaustive 1 4/0 null' "$(result spin.c 4)" 'spin 4'
# 6 orders of the locks; a b and b a without a preemption, with one those that leave a thread once
is 'pass bounded 1 0/0 null' "$(result back.c 0)" 'back 0'
is 'pass exhaustive 2 9/1 null' "$(result back.c 9)" 'back 9'
is 'pass bounded 2 0/0 null' "$(result locks.c 0)" 'locks 0'
is 'pass bounded 4 1/1 null' "$(result locks.c 1)" 'locks 1'
is 'pass exhaustive 6 9/2 null' "$(result locks.c 9)" 'locks 9'

# A thread that waits in the end was left for nothing only where it would have had to wait already:
# locks taken crosswise, in a cycle of three, semaphores, a lock and a loop
cross() { # DECLARATIONS LOCK UNLOCK THREADS SETUP
    cat <<C
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
$1
static void *take(void *u)
{
    long i = (long)u;
    $2(&l[i]);
    $2(&l[(i + 1) % $4]);
    $3(&l[(i + 1) % $4]);
    $3(&l[i]);
    return 0;
}
int main(void)
{
    pthread_t t[$4];
    $5
    for (long i = 0; i < $4; i++)
        pthread_create(&t[i], 0, take, (void *)i);
    for (int i = 0; i < $4; i++)
        pthread_join(t[i], 0);
}
C
}
free=PTHREAD_MUTEX_INITIALIZER
cross "static pthread_mutex_t l[2] = {$free, $free};" pthread_mutex_lock pthread_mutex_unlock 2 '' >two.c
cross "static pthread_mutex_t l[3] = {$free, $free, $free};" pthread_mutex_lock pthread_mutex_unlock 3 '' >cycle.c
cross 'static sem_t l[2];' sem_wait sem_post 2 'sem_init(&l[0], 0, 1); sem_init(&l[1], 0, 1);' >sem.c
cat >loop.c <<C
$head
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *a(void *u)
{
    while (atomic_exchange(&x, 1));
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    atomic_store(&x, 0);
    return u;
}
static void *b(void *u)
{
    pthread_mutex_lock(&m);
    while (atomic_exchange(&x, 1));
    atomic_store(&x, 0);
    pthread_mutex_unlock(&m);
    return u;
}
$main
C
for f in two cycle sem loop; do
    for n in 1 3; do
        is "violation partial $n/1 1" "$(result $f.c $n | sed -E 's/partial [0-9]+/partial/')" "$f $n"
        grep -q 'lock with 1 preemption, none with fewer' out || die "$(cat out)"
    done
done
# ... and in a loop, though what it waits for has been written since
cat >left.c <<C
$head
static void *a(void *u) { atomic_store(&x, 1); while (!atomic_load(&y)); return u; }
static void *b(void *u) { while (!atomic_load(&x)); atomic_store(&y, 1); assert(0); return u; }
$main
C
is 'violation partial 3/0 0' "$(result left.c 3 | sed -E 's/partial [0-9]+/partial/')" left
# main, which is about to join, is left for nothing: beyond the bound, too
cat >about.c <<C
$head
static void *a(void *u) { assert(!(atomic_load(&x) == 1)); atomic_fetch_add(&x, 2); return u; }
static void *b(void *u) { atomic_store(&x, 1); atomic_store(&x, 2); return u; }
$main
C
is 'violation partial 0/0 1' "$(result about.c 0 | sed -E 's/partial [0-9]+/partial/')" about

# two processes: the same; the saved finding has as few preemptions as the one shown
expect 0 explore locks.c --model sc --preemptions 1 --jobs 2 --json r.json
is 'bounded 4' "$(jq -r '"\(.coverage) \(.executions)"' r.json)" 'jobs'
expect 1 explore three.c --model sc --save=f.plumb
expect 1 replay f.plumb --json r.json
is 3 "$(jq .findings[0].preemptions r.json)" replay

# not all of a bound
expect 3 explore "$SRC/tests/explore/programs/fib_bench.c" --model sc --preemptions 4 --executions 20 \
    --json r.json -- -DN=5
grep -q 'not all executions were explored; no finding in .* with ' out || die "$(cat out)"

# plumb check: the second phase only
s=$SRC/subjects
calls=(--call 'inc()' --call 'get()' --test 'inc(),get() | inc()' --model sc --save=no --json r.json)
expect 0 check "$s/wrong/counter1.c" "${calls[@]}" --preemptions 0
is bounded "$(key r.json coverage)" check
expect 1 check "$s/wrong/counter1.c" "${calls[@]}" --preemptions 1
expect 0 check "$s/correct/counter.c" "${calls[@]}" --preemptions 50
is exhaustive "$(key r.json coverage)" 'check, all'
# an execution within the bound, a history of it that needs more; an error that ends it before
expect 1 check "$s/wrong/lock_free_list.c" --test 'add(5),add(6) | del(5),add(6)' --no-shrink --model sc --save=no --preemptions 1 --json r.json
is 2 "$(jq .findings[0].preemptions r.json)" 'a history of it'
grep -q '^violation: not-linearizable with 2 preemptions, more than asked for: the execution is within the bound, this history of it is not, ' out || die "$(tail -1 out)"
expect 1 check "$s/wrong/hazard_stack.c" --test 'push(1),pop() | pop()' --no-shrink --model sc --save=no --preemptions 1 --json r.json
is 1 "$(jq .findings[0].preemptions r.json)" 'an error that ends it'
expect 1 check "$s/wrong/quasi_k_stack.c" --test 'push(1) | pop()' --model sc --save=no --preemptions 4
grep -q '^violation: not-quasi-linearizable, ' out || die "$(tail -1 out)"

# Nothing is lost on the way, also where threads wait: as many as when all are explored and counted.
# SUBJECT N SIZE: eight random tests
counted() {
    expect 0 check "$s/$1" --random 8 --size "$3" --races=allow --model sc --preemptions "$2" \
        --criterion none --save=no --seed 3 --json r.json
    jq -r '"\(.executions) \(.bound // 0)"' r.json
}
while read -r subject n size; do
    is "$(PLUMB_NO_CUT=1 counted "$subject" "$n" "$size")" "$(counted "$subject" "$n" "$size")" \
        "$subject $n $size"
done <<'END'
correct/lineup_dictionary.c 1 3x2
correct/lineup_countdown.c 0 3x3
correct/lineup_semaphore.c 2 3x2
correct/lineup_queue.c 2 3x2
correct/lineup_bag.c 2 3x2
wrong/lineup_blocking_collection.c 1 3x2
wrong/lineup_linked_list.c 2 3x2
END
is '914 0' "$(counted wrong/lineup_linked_list.c 2 3x2)" 'linked list 2'

refused '--preemptions: only sc has preemptions to count; add --model sc' explore spin.c --preemptions 1
refused '--preemptions: only sc has preemptions to count; add --model sc' \
    explore spin.c --preemptions 1 --model tso
refused '--preemptions: only sc has preemptions to count; add --model sc' \
    check "$s/correct/counter.c" --call 'inc()' --preemptions 1
refused '--preemptions: it bounds the search of every execution, not --strategy' \
    explore spin.c --preemptions 1 --model sc --strategy random
refused '--preemptions: at most 1000' explore spin.c --preemptions 1001 --model sc
