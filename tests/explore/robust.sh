#!/bin/bash
# --robust: is every execution sequentially consistent? And a finding says whether it is one of sc.
set -eu
. "$SRC/tests/cli/lib.sh"

cat >sb.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b;
static void *one(void *unused)
{
    atomic_store_explicit(&x, 1, ORDER);
    a = atomic_load_explicit(&y, ORDER2);
    return unused;
}
static void *two(void *unused)
{
    atomic_store_explicit(&y, 1, ORDER);
    b = atomic_load_explicit(&x, ORDER2);
    return unused;
}
int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(HOLDS);
    return 0;
}
C
weak=(-DORDER=memory_order_release -DORDER2=memory_order_acquire)
strong=(-DORDER=memory_order_seq_cst -DORDER2=memory_order_seq_cst)

# robust YES|NO COUNT MODEL FLAGS...
robust() {
    local answer=$1 count=$2 model=$3
    shift 3
    expect 0 explore sb.c --robust --model "$model" --json r.json -- -DHOLDS=1 "$@"
    [ "$(key r.json robust) $(key r.json executions)" = "$answer $count" ] ||
        die "$model $*: $(cat r.json)"
}
robust no 4 rc11 "${weak[@]}"
robust no 4 tso "${weak[@]}"
# Which it is of those that are counted, from 0 on, though more runs were made.
cat >dekker.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int want[2], turn;
static void *enter(void *u)
{
    long me = (long)u;
    atomic_store_explicit(&want[me], 1, memory_order_release);
    while (atomic_load_explicit(&want[!me], memory_order_acquire)) {
        if (atomic_load_explicit(&turn, memory_order_acquire) == me)
            continue;
        atomic_store_explicit(&want[me], 0, memory_order_release);
        while (atomic_load_explicit(&turn, memory_order_acquire) != me);
        atomic_store_explicit(&want[me], 1, memory_order_release);
    }
    atomic_store_explicit(&turn, !me, memory_order_release);
    atomic_store_explicit(&want[me], 0, memory_order_release);
    return 0;
}
int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, enter, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
}
C
expect 0 explore dekker.c --robust --model rc11 --json r.json
[ "$(jq '.robust == "no" and .findings[0].execution < .executions and .blocked > 0' r.json)" = true ] ||
    die "$(cat out r.json)"
robust yes 3 sc "${weak[@]}"
robust yes 3 rc11 "${strong[@]}"
robust yes 3 tso "${strong[@]}"

expect 0 explore sb.c --robust -- -DHOLDS=1 "${weak[@]}"
grep -q '^NOT SEQUENTIALLY CONSISTENT' out || die "$(cat out)"
grep -q 'the initial value, stale' out || die "$(cat out)"
grep -q '; not robust: 1 is not sequentially consistent' out || die "$(cat out)"
expect 3 explore sb.c --robust --executions 1 --json r.json -- -DHOLDS=1 "${strong[@]}"
[ "$(key r.json robust)" = unknown ] || die "$(cat r.json)"

# under_sc HOLDS FLAG
under_sc() {
    expect 1 explore sb.c --save=no --json r.json -- "-DHOLDS=$1" "${weak[@]}"
    [ "$(jq -r '.findings[0].under_sc' r.json)" = "$2" ] || die "$1: $(cat r.json)"
}
under_sc 'a||b' false
under_sc 'a&&b' true
expect 1 explore sb.c --save=no --model sc --json r.json -- '-DHOLDS=a&&b' "${weak[@]}"
[ "$(jq -r '.findings[0].under_sc' r.json)" = null ] || die "$(cat r.json)"

# The smallest is shown, whichever comes first: with plumb_choose the threads make 2, 4 or no steps more.
cat >sizes.c <<'C'
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, z;
static int longer;
static void *one(void *unused)
{
    for (int i = 0; i < longer; i++)
        atomic_store_explicit(&z, i, memory_order_relaxed);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    (void)atomic_load_explicit(&y, memory_order_relaxed);
    return unused;
}
static void *two(void *unused)
{
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    (void)atomic_load_explicit(&x, memory_order_relaxed);
    return unused;
}
int main(void)
{
    pthread_t s, t;
    longer = (plumb_choose(3) + 1) % 3 * 2;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
C
expect 0 explore sizes.c --robust --json r.json
[ "$(key r.json robust) $(key r.json executions)" = "no 12" ] || die "$(cat r.json)"
grep -q '; not robust: 3 are not sequentially consistent' out || die "$(cat out)"
grep -q 'write longer = 0' out || { cat out && die "not the smallest"; }
! grep 'z.store' out || die "not the smallest"
