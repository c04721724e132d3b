#!/bin/bash
# Several processes explore together: the same counts as one, whoever does what; a finding ends it
# for all; what --executions cuts short is unknown.
set -eu
. "$SRC/tests/explore/lib.bash"

result() { jq -r '"\(.verdict) \(.coverage) \(.executions), \(.blocked) blocked"' r.json; }

# together NAME FLAGS MODEL JOBS TOTAL
together() {
    "$PLUMB" explore "$programs/$1.c" --model "$3" --jobs "$4" --save=no --json r.json -- -O1 $2 \
        >r.txt 2>&1 || true
    ok "$1 $2 $3 --jobs $4" "pass exhaustive $5, 0 blocked" "$(result)"
}
for jobs in 2 3 8; do
    together ainc -DN=8 rc11 $jobs 40320
    together lastzero -DN=10 tso $jobs 3328
    together fib_bench -DN=4 rc11 $jobs 34205
    together casrot -DN=8 sc $jobs 2048
    together sb '' rc11 $jobs 4
    together mutex -DN=6 rc11 $jobs 720
done

for name in rare abba publish_race; do
    "$PLUMB" explore "$programs/$name.c" --jobs 3 --save=f.plumb --json r.json >r.txt 2>&1 || true
    ok "$name.c" violation "$(jq -r .verdict r.json)"
    "$PLUMB" replay f.plumb >r.txt 2>&1 && code=0 || code=$?
    ok "$name.c replayed" 1 $code
done

"$PLUMB" explore "$programs/fib_bench.c" --jobs 2 --executions 20000 --save=no --json r.json -- -DN=5 \
    >r.txt 2>&1 || true
ok "--executions" "unknown partial true" \
    "$(jq -r '"\(.verdict) \(.coverage) \(.executions >= 20000)"' r.json)"

# trylock: the search begins again, in all of them
"$PLUMB" explore "$SRC/tests/explore/outcomes/mutex_try.c" --save=no --json one.json -- -DCOUNT \
    >r.txt 2>&1 || true
"$PLUMB" explore "$SRC/tests/explore/outcomes/mutex_try.c" --save=no --json r.json --jobs 3 -- -DCOUNT \
    >r.txt 2>&1 || true
ok "mutex_try.c" "$(jq -r '"\(.verdict) \(.coverage) \(.executions), \(.blocked) blocked"' one.json)" \
    "$(result)"

# What one process takes for granted (src/explore/facts.h), several do, and give it up where one would: the
# same counts, also of executions that are given up, and from part to part of a search.
alike_result() { # how much was done when something was found is chance
    result | sed 's/^violation.*/violation/'
}
alike() { # FILE ARGUMENTS... -- FLAGS...
    local one file=$1
    shift
    "$PLUMB" explore "$file" --save=no --json r.json --seconds 60 "$@" >r.txt 2>&1 || true
    one=$(alike_result)
    for how in "--jobs 2" "--jobs 3" "--checkpoint c.plumb"; do
        # shellcheck disable=SC2086 # words
        PLUMB_CHECKPOINT_SECONDS=0.2 "$PLUMB" explore "$file" $how --save=no --json r.json \
            --seconds 60 "$@" >r.txt 2>&1 || true
        ok "$(basename "$file") $* $how" "$one" "$(alike_result)"
        [ "$bad" = 0 ] || finish # what begins again for ever takes a minute each time
    done
}
rounds=$SRC/tests/explore/rounds
for model in sc rc11; do
    alike "$programs/treiber_pop.c" --model $model -- -O2 -DN=4 # pairs
    alike "$programs/twalock.c" --model $model -- -O2            # values that do not come again
    alike "$programs/pointed.c" --model $model -- -O2
    alike "$rounds/poll_locks.c" --model $model -- -DSPIN # stores that take back
    for file in "$SRC"/tests/explore/pairs/{late_store,stale_store,written_twice,variants}.c; do # not so
        alike "$file" --model $model -- -O1
    done
done
alike "$rounds/unrolled.c" --unroll 4 -- -DCOUNT # rounds that write in passing
alike "$rounds/unrolled.c" -- -DCOUNT

# Threads that may be renamed, and threads that may not, which only a late execution shows.
cat >twins.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
static atomic_int x, y, z;
static void *work(void *unused)
{
    int before = atomic_fetch_add(&x, 1);
    atomic_store(&y, before);
    if (atomic_load(&z) + atomic_load(&y) == 9)
        LATE;
    atomic_store(&z, 3);
    return unused;
}
int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
C
alike twins.c -- -DN=3 -DLATE=
alike twins.c -- -DN=3 '-DLATE=(void)gettid()'
sed -i 's/== 9/== 5/' twins.c
alike twins.c -- -DN=3 '-DLATE=(void)gettid()'

# Which of them make something of it, or not.
is_given_up() { # FILE FLAG WORD: fewer executions are given up with pairs?
    "$PLUMB" explore "$1" --jobs 2 --save=no --json r.json -- -O2 $2 >r.txt 2>&1 || true
    ok "$(basename "$1"): given up" "$3" "$(jq .blocked r.json)"
}
is_given_up "$programs/treiber_pop.c" -DN=4 0

(mkdir random && cd random && python3 "$SRC/tests/explore/random_jobs.py" "$PLUMB" "$SRC/tests/explore/rounds" 1 8)
finish
