#!/bin/bash
# --keep-going finds all there is to find: a thread that fails hides neither what it would have read
# next, nor what others still do. And whether a finding is there under sc, too, is asked in the same way.
set -eu
. "$SRC/tests/explore/lib.bash"

cat >two.c <<'C'
#include "threads.h"

static atomic_int x, y;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *small, *none, plain;

static void *reads(void *unused)
{
    int k;
#ifdef SPINS
    while (!(k = atomic_load_explicit(&x, memory_order_relaxed)))
        ;
#else
    k = atomic_load_explicit(&x, memory_order_relaxed);
#endif
#ifdef CRASHES
    if (k == 1)
        *none = 1;
#elif defined BOUNDS
    if (k == 1)
        small[k]++;
#elif defined RACES
    if (k)
        k = plain == 5 && atomic_load_explicit(&y, memory_order_relaxed) == 3 ? 2 : 0;
#elif defined LOCKED
    pthread_mutex_lock(&mutex);
    assert(k != 1);
    pthread_mutex_unlock(&mutex);
#else
    assert(k != 1);
#endif
    assert(k != 2);
    return unused;
}

static void *writes(void *unused)
{
    plain = 5;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    pthread_mutex_lock(&mutex);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    pthread_mutex_unlock(&mutex);
    atomic_store_explicit(&y, 3, memory_order_relaxed);
#ifdef BOTH
    assert(atomic_load_explicit(&x, memory_order_relaxed) != 2);
#endif
    return unused;
}

int main(void)
{
    small = calloc(1, sizeof *small);
#ifdef WRITES_FIRST
    start(0, writes);
    start(1, reads);
#else
    start(0, reads);
    start(1, writes);
#endif
    join_all(2);
    free(small);
    return 0;
}
C

all() { # EXPECTED FLAG...
    local expected=$1 model order
    shift
    for model in sc tso rc11; do
        for order in -DREADS_FIRST -DWRITES_FIRST; do
            explore two.c "$model" own -O1 "-I$programs" "$order" "$@"
            ok "$* $order $model ${options:-}" "1 exhaustive $expected" "$code $(jq -r '"\(.coverage) \(
                [.findings[] | .kind] | sort | join(" "))"' r.json)"
        done
    done
}

options=--keep-going
all "assertion assertion"
all "assertion assertion assertion" -DBOTH
all "assertion assertion" -DSPINS
all "assertion crash" -DCRASHES
all "assertion out-of-bounds" -DBOUNDS
all "assertion data-race" -DRACES
all "assertion assertion" -DLOCKED
options="--keep-going --jobs 2" all "assertion assertion assertion" -DBOTH
options="--keep-going --preemptions 3" # all that is found with the fewest: none
explore two.c sc own -O1 "-I$programs" -DBOTH
ok "with a bound" "1 assertion assertion" "$code $(jq -r '[.findings[] | .kind] | sort | join(" ")' r.json)"

# The assertion of main fails under sc when 2 is read; what fails first there is another one.
cat >under.c <<'C'
#include "threads.h"

static atomic_int x, a, b;
static int k, left, right;

static void *reads(void *unused)
{
    k = atomic_load_explicit(&x, memory_order_relaxed);
    assert(k != 1);
    return unused;
}

static void *writes(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    return unused;
}

static void *one(void *unused)
{
    atomic_store_explicit(&a, 1, memory_order_relaxed);
    left = atomic_load_explicit(&b, memory_order_relaxed);
    return unused;
}

static void *other(void *unused)
{
    atomic_store_explicit(&b, 1, memory_order_relaxed);
    right = atomic_load_explicit(&a, memory_order_relaxed);
    return unused;
}

int main(void)
{
    start(0, reads), start(1, writes), start(2, one), start(3, other);
    join_all(4);
    assert(k != 2 && (left || right));
    return 0;
}
C
# A race in an execution that ends in what was found before.
cat >stuck.c <<'C'
#include "threads.h"

static atomic_int never;
static int *_Atomic shared;
static int sink;

static void *reads(void *unused)
{
    int *p = atomic_load_explicit(&shared, memory_order_acquire);
    if (p)
        sink = *p;
    while (!atomic_load_explicit(&never, memory_order_relaxed))
        ;
    return unused;
}

static void *writes(void *unused)
{
    int *p = malloc(sizeof *p);
    *p = 1;
    atomic_store_explicit(&shared, p, memory_order_relaxed);
    return unused;
}

int main(void)
{
    start(0, reads), start(1, writes);
    join_all(2);
    return 0;
}
C
for model in sc tso rc11; do
    options=--keep-going
    explore stuck.c $model own -O1 "-I$programs"
    ok "stuck $model" "livelock data-race" "$(jq -r '[.findings[].kind] | join(" ")' r.json)"
done

# A thread that waits behind another that waits for it: shown as it is, nobody locks what is held. The
# other one comes in between, or has come before.
for model in sc tso rc11; do
    for flag in -DFREED -DKEPT; do
        options=--keep-going
        explore "$programs/relocked.c" $model own -O1 $flag
        ok "relocked $flag $model" "1 exhaustive deadlock 2, deadlock 3" "$code $(jq -r '"\(.coverage) \(
            [.findings[] | "\(.kind) \(.threads | length)"] | sort | join(", "))"' r.json)"
        ok "relocked $flag $model, while held" "" "$(jq -r '.findings[] | [.trace[] |
            select(.place == "mutex") | .kind] | join(" ") | select(test("(^| )lock lock"))' r.json)"
    done
done

options=
explore under.c rc11 own -O1 "-I$programs"
ok "under sc" "1 assertion true" "$code $(jq -r '"\(.findings[0].kind) \(.findings[0].under_sc)"' r.json)"

# Nor does a thread that calls exit().
cat >leaves.c <<'C'
#include <plumb.h>
#include <stdlib.h>
#include <unistd.h>
#include "threads.h"
static atomic_int x, y, z, q;
static int found_x, found_q;
static void *looks(void *unused)
{
    atomic_store(&q, 1);
    found_x = atomic_load(&x);
    return unused;
}
static void *leaves(void *unused)
{
    found_q = atomic_load(&q);
    atomic_store(&y, 1);
    if (atomic_load(&z))
        LEAVE;
    return unused;
}
static void *writes(void *unused)
{
    atomic_store(&z, 1);
    plumb_assume(atomic_load(&y) == 1);
    atomic_exchange(&x, 1);
    return unused;
}
int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, looks, NULL);
    pthread_create(&t[1], NULL, leaves, NULL);
    pthread_create(&t[2], NULL, writes, NULL);
    join_all(3);
    assert(found_x == 0 || found_q == 1);
    return 0;
}
C
sed -i 's/join_all(3)/for (int i = 0; i < 3; i++) pthread_join(t[i], NULL)/' leaves.c
for leave in 'exit(0)' '_exit(0)' 'abort()' 'plumb_assume(0)'; do
    "$PLUMB" explore leaves.c --model sc --keep-going --save=no --json r.json -- -I"$programs" "-DLEAVE=$leave" \
        >r.txt 2>&1 || true
    ok "$leave" true "$(jq '[.findings[].kind] | any(. == "assertion")' r.json)"
done

# What was found is shown even if the search can go no further then: a wait without a loop.
cat >recursive.c <<'C'
#include "threads.h"
static atomic_int flag;
static int data;
static void *writes(void *unused)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return unused;
}
__attribute__((noinline)) static int waits(void)
{
    return atomic_load_explicit(&flag, memory_order_relaxed) ? 1 : waits();
}
static void *reads(void *unused)
{
    waits();
    assert(data == 1);
    return unused;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writes, NULL);
    pthread_create(&b, NULL, reads, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
C
code=0
"$PLUMB" explore recursive.c --keep-going --save=no --json r.json -- -I"$SRC/tests/explore/programs" >r.txt 2>&1 || code=$?
ok "a finding, then no way on" "1 violation data-race, said" \
    "$code $(jq -r '"\(.verdict) \(.violation.kind)"' r.json), $(grep -q 'not explored to the end: .*longer than' r.txt && echo said)"
finish
