#!/bin/bash
# --checkpoint and --resume: a search that is ended again and again comes to the counts of one that is
# not; findings are kept; what does not fit is refused.
set -eu
. "$SRC/tests/cli/lib.sh"
programs=$SRC/tests/explore/programs
counts() { jq -r '"\(.verdict) \(.executions) \(.blocked)"' r.json; }
is() { [ "$2" = "$1" ] || die "$3: $2, not $1: $(cat out err)"; }

# in_parts EXECUTIONS JOBS ARGUMENTS...: until it is over; leaves the number of parts in $parts
in_parts() {
    local executions=$1 jobs=$2 code=0
    shift 2
    rm -f ck
    for ((parts = 1; parts < 60; parts++)); do
        local resume=()
        [ ! -e ck ] || resume=(--resume ck)
        code=0
        "$PLUMB" explore "$@" --save=no --json r.json --checkpoint ck "${resume[@]}" --jobs "$jobs" \
            --executions "$executions" -- ${flags:-} >out 2>err || code=$?
        [ $code = 3 ] || break
        grep -q 'no finding in .*; --resume ck goes on' out || die "$(cat out)"
    done
    [ ! -e ck ] || die "a checkpoint of a search that is over"
}
flags=-DN=5
in_parts 30000 1 "$programs/fib_bench.c" --model sc
is 'pass 218243 0' "$(counts)" "fib_bench in $parts parts"
[ "$parts" -ge 2 ] || die "only $parts part"
in_parts 30000 3 "$programs/fib_bench.c" --model sc
is 'pass 218243 0' "$(counts)" 'fib_bench, 3 jobs'
# often: near the end one of the two waits for work, and got what was in the checkpoint already
for ((i = 0; i < 8; i++)); do
    flags=-DN=7 in_parts 1500 2 "$programs/ainc.c" --model tso
    is 'pass 5040 0' "$(counts)" ainc
done
# mutexes that become words: all begins again
flags=-DCOUNT
expect 0 explore "$SRC/tests/explore/outcomes/mutex_try.c" --json r.json -- -DCOUNT
whole=$(counts)
in_parts 1 1 "$SRC/tests/explore/outcomes/mutex_try.c"
is "$whole" "$(counts)" mutex_try

# in passing, all the time
expect 0 explore "$programs/fib_bench.c" --json r.json -- -DN=4
whole=$(counts)
PLUMB_CHECKPOINT_SECONDS=0.01 expect 0 explore "$programs/fib_bench.c" --checkpoint ck --json r.json \
    --jobs 2 -- -DN=4
is "$whole" "$(counts)" 'in passing'

# Ctrl-C
"$PLUMB" explore "$programs/fib_bench.c" --checkpoint ck --json r.json -- -DN=6 >out 2>err &
for ((i = 0; i < 100; i++)); do
    grep -q 'every execution' out && break
    sleep 0.1
done
sleep 0.5
kill -INT $! && wait $! && die 'no unknown' || is 3 $? 'Ctrl-C'
grep -q '^unknown: interrupted; no finding in .*; --resume ck goes on' out || die "$(cat out err)"
cp ck six.ck

# findings from before
cat >two.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *a(void *u) { for (int i = 1; i < 8; i++) atomic_store(&x, i); return u; }
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, a, 0);
    int first = atomic_load(&x), second = atomic_load(&x);
    assert(first != 2 || second != 1);
    assert(first != 3 || second != 3);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
}
C
found() { jq -c '[.findings[].line] | sort | unique' r.json; }
expect 1 explore two.c --keep-going --save=no --json r.json --symmetry=off
whole="$(counts) $(found)"
rm -f ck
two=(explore two.c --keep-going --save=no --json r.json --symmetry=off)
expect 1 "${two[@]}" --checkpoint ck --executions 2000
expect 1 "${two[@]}" --resume ck
is "$whole" "$(counts) $(found)" findings

# what does not fit
fib=("$programs/fib_bench.c" --resume six.ck)
refused '--resume six.ck: it was made with another program, or other compiler flags' \
    explore "${fib[@]}" -- -DN=5
refused '--resume six.ck: it was made with another program' explore two.c --resume six.ck
refused '--resume six.ck: it was made with other options' explore "${fib[@]}" --model sc -- -DN=6
refused '--resume six.ck: it was made with other options' explore "${fib[@]}" --arg 1 -- -DN=6
refused '--resume none.ck: cannot be read' explore two.c --resume none.ck
refused '--resume two.c: this is no checkpoint' explore two.c --resume two.c
refused '--resume .: cannot be read: Is a directory' explore two.c --resume .
size=$(stat -c %s six.ck)
head -c $((size - 5)) six.ck >damaged.ck
refused '--resume damaged.ck: the checkpoint is damaged' \
    explore "${fib[0]}" --resume damaged.ck -- -DN=6
cp six.ck damaged.ck
printf 'x' | dd of=damaged.ck bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null
refused '--resume damaged.ck: the checkpoint is damaged' \
    explore "${fib[0]}" --resume damaged.ck -- -DN=6
refused '--checkpoint: not together with --strategy' explore two.c --checkpoint ck --strategy random
refused '--checkpoint: not together with --robust' explore two.c --checkpoint ck --robust
refused '--checkpoint: not together with --races=allow' explore two.c --checkpoint ck --races=allow
refused '--resume: not together with --preemptions' \
    explore two.c --resume six.ck --preemptions 1 --model sc
refused '--checkpoint no/ck: cannot be written' explore two.c --checkpoint no/ck
