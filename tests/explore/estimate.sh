#!/bin/bash
# When --executions or --seconds end the exploration first: unknown, with an estimate of how many
# executions there are, right up to a factor of four after a tenth of them; and none at the end.
set -eu
. "$SRC/tests/explore/lib.bash"

# about NAME N MODEL TOTAL: explores a tenth
about() {
    "$PLUMB" explore "$programs/$1.c" --model "$3" --executions $(($4 / 10)) --save=no \
        --json r.json -- -O1 "-DN=$2" >r.txt 2>&1 && code=0 || code=$?
    ok "$1($2) $3" "3 unknown partial true" "$code $(jq -r --argjson t "$4" \
        '"\(.verdict) \(.coverage) \(.estimate | .low <= $t and $t <= .high and
            .executions * 4 >= $t and .executions <= $t * 4)"' r.json)"
    grep -qE 'of about [0-9,]+ in all \([0-9,]+ to [0-9,]+\)' r.txt || ok "the sentence" "" "not there"
}
about ainc 8 rc11 40320
about fib_bench 4 rc11 34205
about fib_bench 5 sc 218243
about readers 13 rc11 8192
about casrot 9 rc11 8597
about indexer 15 rc11 4096

# More were seen than the walks know of: no estimate, and not what was seen in its place.
cat >grid.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x[4];
static void *add(void *unused)
{
    for (int i = 0; i < 4; i++)
        atomic_fetch_add_explicit(&x[i], 1, memory_order_relaxed);
    return unused;
}
int main(void)
{
    pthread_t t[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&t[i], 0, add, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
}
END
"$PLUMB" explore grid.c --executions 33000 --save=no --json r.json >r.txt 2>&1 && code=0 || code=$?
ok "more than estimated" "3 33000 null" "$code $(jq -r '"\(.executions) \(.estimate)"' r.json)"
! grep -q 'in all' r.txt || ok "no sentence" "" "$(cat r.txt)"

"$PLUMB" explore "$programs/fib_bench.c" --save=no --seconds 0.3 --json r.json -- -DN=9 >r.txt 2>&1 ||
    code=$?
ok "--seconds" "unknown true" "$(jq -r '"\(.verdict) \(.estimate.executions >= .executions)"' r.json)"
explore "$programs/readers.c" rc11 gcc -O1 -DN=10
ok "no estimate at the end" "pass null" "$(jq -r '"\(.verdict) \(.estimate)"' r.json)"
finish
