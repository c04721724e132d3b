# timeout: 300
# Answers at the ends of what a number can be.
. "$SRC/tests/check/lib.bash"
s=$SRC/tests/stress/subjects/odd.c
# finds KIND TEXT FLAG
finds() {
    expect 1 stress "$s" --threads 3 --rounds 50 --seconds 60 --no-localise --json result.json -- "-D$3"
    [ "$(jq -r '.findings[0].kind' result.json)" = "$1" ] || die "$3: $(cat out)"
    jq -r '.findings[0].message' result.json | grep -Eq -- "$2" || die "$3: $(cat out)"
}
# The least long is not nothing, the next one not just any answer, and the greatest has no text yet.
for answer in LONG_MIN LONG_MIN+1 LONG_MAX 0x4000000000000000; do
    finds not-linearizable 'no order of the operations explains' "ANSWERS=($answer)"
done
grep -rq 4611686018427387904 ./*.history || die "the answer is not in the history"
expect 1 history odd-1.history --spec fifo

# It cannot be put in.
cat >cell.c <<'C'
#include <stdatomic.h>
static _Atomic long x;
static long get(void) { return x; }
static void set(long v) { x = v; }
static double half(void) { return (double)x / 2; }
C
for command in stress check; do
    for number in 9223372036854775807 -9223372036854775808 4611686018427387904; do
        refused "'$number' in set($number) is too large; a spec's numbers are below 2^62" $command cell.c \
            --spec register --call 'get()' --call "set($number)" --map read=get,write=set
    done
done

# The same in small tests, and of a double, whose bytes are the number.
expect 1 check cell.c --spec register --call 'half()' --call 'set(5)' --map read=half,write=set --size 2x1 --save no
for answer in LONG_MIN LONG_MIN+1 LONG_MAX; do
    expect 1 check "$s" --test 'enq(1), deq() | deq()' --save no --json result.json -- "-DANSWERS=($answer)" -DODD=1
    [ "$(jq -r '.findings[0].kind' result.json)" = not-linearizable ] || die "$(cat out)"
done
