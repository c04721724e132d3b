# Equal values of data-independent operations are told apart: du Toit's thesis, 3.5.3.
source "$SRC/tests/check/lib.bash"
q=$SRC/subjects/wrong/buggy_queue_try.c
# The thesis's example: with equal values the history of the wrong queue is one of a right one.
calls=(--call 'enq(8)' --call 'enq(9)' --call 'deq()' --test 'enq(8),enq(8) | deq()' --model sc)
expect 0 check "$q" "${calls[@]}"
violates not-linearizable "$q" "${calls[@]}" --data-independent enq
[[ $(key result.json violation test) = 'enq(8),enq(9) | deq()' ]] || die "$(key result.json violation test)"
violates not-linearizable "$q" "${calls[@]}" --spec fifo --blocking deq --data-independent enq
# In a table there are always values left.
cat >table.c <<'C'
#include <plumb.h>
#include <stdatomic.h>
static atomic_int n, item[8];
static plumb_result push(plumb_args a) { atomic_store(&item[atomic_fetch_add(&n, 1)], (int)a.i[0]); return plumb_ok(); }
static plumb_result pop(plumb_args a) { (void)a; int i = atomic_load(&n); if (!i) return plumb_empty(); atomic_store(&n, i - 1); return plumb_int(atomic_load(&item[0])); }
PLUMB_SUBJECT("takes the first", .spec = SPEC);
PLUMB_OP(push, .ints = {1}, .data_independent = 1);
PLUMB_OP(pop);
C
expect 1 check table.c --test 'push(1),push(1),pop()' --model sc --save no --json result.json -- -DSPEC='"lifo"'
[[ $(key result.json violation test) = 'push(1),push(2),pop()' ]] || die "$(key result.json violation test)"
expect 0 check table.c --test 'push(1),push(1),pop()' --model sc -- -DSPEC='"fifo"'
expect 0 check table.c --test "push(1) | push" --model sc -- -DSPEC="\"fifo\""
grep -q '2 calls' out || { cat out; die "spare calls are counted"; }
# So there are of a call that is given once, and a test of it can be given again as it was reported.
cat >stack.c <<'C'
static int n, item[16];
static void enq(int *q, int v) { (void)q; item[n++] = v; }
static int deq(void) { return n ? item[--n] : -1; }
C
once=(--setup 'n = 0' --call 'enq(&n, 1)' --call 'deq()' --model sc --data-independent enq)
violates not-linearizable stack.c "${once[@]}" --spec fifo --test 'enq(1),enq(1),deq()'
[[ $(key result.json violation test) = 'enq(1),enq(2),deq()' ]] || die "$(key result.json violation test)"
violates not-linearizable stack.c "${once[@]}" --spec fifo --test 'enq(1),enq(2),deq()'
passes stack.c "${once[@]}" --spec lifo --test 'enq(1),enq(1),deq()'
passes stack.c "${once[@]}" --spec lifo --test 'enq(1),deq()'
grep -q '2 calls' out || { cat out; die "spare calls are counted"; }
# Values that nobody has given are put in only where that was said: this one takes 1 and 2 and no others.
cat >two_values.c <<'C'
#include <assert.h>
static int n, item[16];
static void enq(int v) { assert(v == 1 || v == 2); item[n++] = v; }
static int deq(void) { int v = n ? item[0] : -1; for (int i = 1; i < n; i++) item[i - 1] = item[i]; n -= n > 0; return v; }
C
two=(--setup 'n = 0' --call 'enq(1)' --call 'enq(2)' --call 'deq()' --model sc --spec fifo --init 'enq(1),enq(2),enq(1)' --test 'deq()')
passes two_values.c "${two[@]}"
! grep -q 'cannot show' out || { cat out; die "two values"; }
violates assertion two_values.c "${two[@]}" --data-independent enq
# With one value, that the order cannot show is said.
passes stack.c "${once[@]:0:8}" --spec fifo --test 'enq(1),deq()'
grep -q '^  all values put in are 1: that they come out in the wrong order cannot show (another value, or --data-independent enq)$' out ||
    { cat out; die "equal values"; }
passes stack.c "${once[@]}" --spec lifo --test 'enq(1),deq()'
! grep -q 'cannot show' out || { cat out; die "declared"; }
# That values do not matter is true of a right queue, and must not be said of one that drops duplicates.
cat >dedup.c <<'C'
#ifndef MOST
#define MOST 16
#endif
static int n, item[16];
static void enq(int v) { for (int i = 0; i < n; i++) if (item[i] == v) return; if (n < MOST) item[n++] = v; }
static int deq(void) { int v = n ? item[0] : -1; for (int i = 1; i < n; i++) item[i - 1] = item[i]; n -= n > 0; return v; }
C
put=(--setup 'n = 0' --call 'enq(1)' --call 'deq()' --model sc)
violates not-linearizable dedup.c "${put[@]}" --spec fifo --test 'enq(1),enq(1),deq(),deq()'
[[ $(key result.json violation test) = 'enq(1),enq(1),deq(),deq()' ]] || die "$(key result.json violation test)"
passes dedup.c "${put[@]}" --spec fifo --data-independent enq --test 'enq(1),enq(1),deq(),deq()'
# Nor do different values become equal ones when a test is made smaller: that may be another error.
printf '#define MOST 2\n#include "dedup.c"\n' >two.c
violates not-linearizable two.c "${put[@]}" --call 'enq(2)' --call 'enq(3)' --spec fifo --data-independent enq \
    --test 'enq(1),enq(2),enq(3),deq(),deq(),deq()'
[[ $(key result.json violation test) = 'enq(1),enq(2),enq(3),deq(),deq(),deq()' ]] || die "$(key result.json violation test)"
