# A golden implementation as the exact spec of --criterion quasi: asked for any sequence of calls. The
# same verdicts as with the built-in spec it implements. docs/quasi.md.
# timeout: 600
source "$SRC/tests/check/lib.bash"
s=$SRC/subjects
sc=(--model sc)
exact=(--spec derived --golden-flags -DK=0)

factors() { # JSON of what --find-factor found
    python3 -c 'import json; r = json.load(open("result.json"))
print(r["verdict"], r.get("smallest"), sorted(r.get("factors") or [], key=str))'
}

# like FILE ARGUMENTS...: the smallest factors are the same by its own spec and by itself with K = 0.
like() {
    "$PLUMB" check "$@" "${sc[@]}" --find-factor --save no --json result.json >out 2>err || (($? == 1)) || die "$*"
    local by_spec
    by_spec=$(factors)
    "$PLUMB" check "$@" "${golden[@]}" "${sc[@]}" --find-factor --save no --json result.json >out 2>err || (($? == 1)) || { cat err; die "$* golden"; }
    [[ $(factors) = "$by_spec" ]] || die "$*: $(factors), by its spec $by_spec"
}

# ---- Round-Up's families: K = 0 is the exact object ----

golden=("${exact[@]}")
fours='enq(1),enq(2) | enq(3),enq(4)'
like "$s/correct/quasi_queue.c" --test "$fours"
[[ $(factors) = "pass 2 [{'enq': 0, 'deq': 2}, {'enq': 2, 'deq': 0}]" ]] || die "the segmented queue: $(factors)"
like "$s/correct/quasi_queue.c" --test "$fours" --quasi=all-subsets
like "$s/correct/quasi_queue.c" --test 'enq(1),deq() | enq(2)' --factor enq=0 --quasi=definition4
like "$s/correct/quasi_stack.c" --test 'push(1),push(2) | push(3),pop()'
like "$s/correct/quasi_pqueue.c" --test 'insert(1),insert(2) | insert(3)'
like "$s/correct/quasi_random_queue.c" --test 'enq(1),deq() | enq(2)'
like "$s/correct/quasi_k_fifo.c" --test 'enq(1) | enq(2),deq()'
like "$s/correct/quasi_k_fifo_bounded.c" --init 'enq(3)' --test 'enq(1) | enq(2),deq()'
like "$s/wrong/quasi_k_stack.c" --test 'push(1) | pop()' # alone it is right
[[ $(factors) = "violation None []" ]] || die "the k-stack: $(factors)"
golden=(--spec derived --golden "$s/correct/quasi_queue.c" --golden-flags -DK=0)
like "$s/wrong/quasi_queue_b1.c" --test "$fours"
like "$s/wrong/quasi_queue_b2.c" --test 'enq(1),deq() | enq(2),deq()'
like "$s/wrong/quasi_queue_b3.c" --test "$fours"
passes "$s/correct/quasi_queue.c" "${exact[@]}" --test "$fours" # its own factor, sc and rc11
violates not-quasi-linearizable "$s/correct/quasi_queue.c" "${exact[@]}" --test "$fours" --factor deq=1 "${sc[@]}"
grep -q '^      enq=0, deq=2$' first || { cat first; die "the factor that is needed"; }
passes "$s/correct/quasi_queue.c" "${exact[@]}" --size 2x1 --jobs 2 "${sc[@]}"
# the first of the paper's optimisations (section VI.C) and all three off: the same verdict, more runs
for more in '17' '105 --serial-once off' '961 --serial-once off --hash off --skip-known off'; do
    read -ra more <<<"$more"
    passes "$s/correct/quasi_queue.c" "${exact[@]}" --test 'enq(1),enq(2) | enq(3)' --factor deq=2 "${sc[@]}" \
        --decider enumerate --stats "${more[@]:1}"
    [[ $(key result.json stats serial) = "${more[0]}" ]] || { cat out; die "serial histories"; }
done

# ---- random tests ----

random_tests() { # SEED COUNT
    python3 - "$@" >tests.txt <<'PY'
import random, sys
r = random.Random(int(sys.argv[1]))
for _ in range(int(sys.argv[2])):
    value = iter(range(1, 9))
    column = lambda: ",".join(f"enq({next(value)})" if r.random() < .6 else "deq()" for _ in range(r.choice((1, 2, 2))))
    print(" | ".join(column() for _ in range(r.choice((2, 2, 3)))))
PY
}
golden=("${exact[@]}")
for seed in 1 2; do
    random_tests $seed 8
    for reading in positions all-subsets; do
        like "$s/correct/quasi_queue.c" --test @tests.txt --quasi=$reading
    done
done
verdicts() {
    expect 1 check "$s/correct/quasi_queue.c" "$@" --test @tests.txt "${sc[@]}" --factor deq=1 --keep-going \
        --no-shrink --save no --json result.json
    python3 -c 'import json
for f in json.load(open("result.json"))["findings"]: print(f["test"], f["message"])'
}
random_tests 3 7
verdicts >by_spec
verdicts "${exact[@]}" >by_golden
same by_spec by_golden

# ---- what operations are is found by trying ----

cat >exact.c <<'C'
#include <plumb.h>
#define EMPTY (-1)
static long item[32]; static int head, tail;
static plumb_result put(plumb_args a) { item[tail++] = a.i[0]; return plumb_ok(); }
static plumb_result get(plumb_args a) { (void)a; return plumb_int(head < tail ? item[NEXT] : EMPTY); }
static plumb_result size(plumb_args a) { (void)a; return plumb_int(tail - head); }
PLUMB_OP(put, .ints = {1, 2, 3, 4});
PLUMB_OP(size); /* answers 1 after put(1), and again: it is no take */
PLUMB_OP(get);
C
sed -e '1i #include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;' \
    -e 's/{ item/{ pthread_mutex_lock(\&m); item/; s/; return plumb_ok/; pthread_mutex_unlock(\&m); return plumb_ok/' \
    -e 's/return plumb_int(head.*$/pthread_mutex_lock(\&m); long v = EMPTY; int at = head;\n\
      if (head + 1 < tail) { v = item[head + 1]; item[head + 1] = item[head]; head++; }\n\
      else if (head < tail) v = item[head++];\n pthread_mutex_unlock(\&m); (void)at; return plumb_int(v); }/' exact.c >second.c
q=(second.c --golden exact.c --golden-flags "-DNEXT=head++" "${sc[@]}")
# that -1 is "empty" is not said: it is what a take answers alone
passes "${q[@]}" --test 'put(1),put(2) | put(3)' --factor get=2
violates not-quasi-linearizable "${q[@]}" --test 'put(1),put(2) | put(3)' --factor get=1
grep -q 'get()' first && grep -q '^      put=0, size=0, get=2$' first || { cat first; die "completed by takes"; }
violates not-quasi-linearizable "${q[@]}" --test 'put(1),put(2),get()' --factor get=1 --complete=off
grep -q 'it lacks 2 takes at its end' first || { cat first; die "not well formed"; }
# an "empty" keeps its place: of a queue that is not empty it is wrong under every factor
sed 's/long v = EMPTY;/long v = EMPTY; if (tail == 1) { pthread_mutex_unlock(\&m); return plumb_int(v); }/' second.c >null.c
violates not-quasi-linearizable null.c "${q[@]:1}" --test 'put(1),get() | put(2)' --factor 3
grep -q '^      none, however large$' first || { cat first; die "empty though it is not"; }

# ---- a golden one that is wrong, waits, fails, is asked too much ----

violates not-quasi-linearizable second.c --golden exact.c --golden-flags -DNEXT=--tail "${sc[@]}" \
    --test 'put(1),put(2),put(3)' --factor get=0
grep -q 'get() answers 2, not 1' first || { cat first; die "a stack for a queue"; }
expect 3 check "${q[@]}" --test 'put(1),put(2) | put(3)' --factor get=2 --golden-runs 5
grep -q 'was asked for more sequences of calls than --golden-runs allows' out || { cat out; die "too large"; }
# then no more histories are looked at
expect 3 check "$s/wrong/quasi_queue_b2.c" "${golden[@]}" "${sc[@]}" --golden "$s/correct/quasi_queue.c" --factor 3 \
    --quasi=definition4 --golden-runs 3000 --stats --save no --json result.json \
    --test 'enq(1),enq(2),deq(),deq() | enq(3),enq(4),deq(),deq() | enq(5),enq(6),deq(),deq()'
(($(key result.json stats orders_given) <= 2)) || die "$(key result.json stats orders_given) histories"
expect 2 check "${q[@]}" --test 'put(1)' --factor 1 --golden-flags '-DNEXT=head+++plumb_choose(2)'
grep -q 'golden: run one at a time, put(1), get() answers otherwise .* it contradicts itself' err || { cat err; die "it chooses"; }
expect 2 check "${q[@]}" --test 'put(1)' --factor 1 --may-fail get --golden-flags '-DNEXT=(plumb_choose(2)?31:head++)'
grep -q 'get() answers otherwise .* it contradicts itself' err || { cat err; die "it chooses whether to fail"; }
expect 2 check "${q[@]}" --test 'put(1),put(2)' --factor 1 --golden-flags '-DNEXT=head++-(tail==2?1<<30:0)'
grep -q 'golden: run one at a time, put(1), put(2), get() ends in an error (' err || { cat err; die "it crashes"; }
expect 2 check "${q[@]}" --test 'put(1),put(2)' --factor 1 --golden-flags '-DNEXT=({for(;;);0;})' --hang-seconds 1
grep -q 'golden: .*get() ' err || { cat err; die "it never returns"; }
cat >waits.c <<'C'
#include <pthread.h>
#include <plumb.h>
#ifndef K
#define K 1
#endif
#ifndef LATE
#define LATE 0
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int item[32], head, tail;
static plumb_result put(plumb_args a)
{
    pthread_mutex_lock(&m);
    item[tail++] = (int)a.i[0];
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    return plumb_ok();
}
static plumb_result get(plumb_args a)
{
    (void)a;
    pthread_mutex_lock(&m);
    while (head + LATE >= tail)
        pthread_cond_wait(&c, &m);
#if K
    if (head + 1 < tail) { int v = item[head]; item[head] = item[head + 1]; item[head + 1] = v; }
#endif
    int value = item[head++];
    pthread_mutex_unlock(&m);
    return plumb_int(value);
}
PLUMB_OP(put, .ints = {1, 2, 3});
PLUMB_OP(get);
C
w=(waits.c --golden-flags -DK=0 "${sc[@]}")
passes "${w[@]}" --test 'put(1),put(2) | get()' --factor get=1
passes "${w[@]}" --test 'put(1) | get(),get()' --factor get=1 # stuck: the second waits, as it may
violates not-quasi-linearizable "${w[@]}" --test 'put(1),put(2) | put(3)' --factor get=1
# of takes that wait, as many as puts in all
violates not-quasi-linearizable "${w[@]}" --test 'put(1),put(2) | put(3),get()' --factor 0 --no-shrink
grep -q '(after it: get(),get())$' first || { cat first; die "takes that wait"; }
sed 's/LATE 0/LATE 1/' waits.c >late.c
violates stuck late.c "${w[@]:1}" --golden waits.c --test 'put(1) | get()' --factor get=1
refused 'needs the spec of the exact object, --spec, --golden' check "$s/correct/quasi_queue.c" --spec derived --factor 2
refused 'golden-runs: goes with --golden and --criterion quasi' check "$s/correct/quasi_queue.c" --golden-runs 7
refused 'serial-once: goes with --golden and --criterion quasi' check "$s/correct/quasi_queue.c" --serial-once off
refused 'is found by trying' check "$s/correct/quasi_queue.c" "${exact[@]}" --empty -1
refused 'only those sequences of calls are run' check "$s/correct/quasi_queue.c" "${exact[@]}" --observations o.txt
cat >block.c <<'C'
#include <plumb.h>
#include <stdlib.h>
static plumb_result make(plumb_args a) { (void)a; return plumb_pointer(malloc(4)); }
PLUMB_OP(make);
C
expect 2 check block.c --golden block.c --test 'make() | make()' --factor 0 "${sc[@]}"
grep -q 'answers a pointer to what it has allocated' err || { cat err; die "whose block"; }
expect 0 check block.c --golden block.c --test 'make()' --factor 0 "${sc[@]}"

# An object whose runs agree may be its own.
passes "$s/correct/locked_queue.c" "${queue[@]}" --golden "$s/correct/locked_queue.c" --factor 0 --size 2x1 "${sc[@]}"
expect 2 check "$s/correct/quasi_random_queue.c" --spec derived --golden "$s/correct/quasi_random_queue.c" --factor deq=2 \
    "${sc[@]}" --test 'enq(1),enq(2) | deq()'
grep -q 'it contradicts itself' err || { cat err; die "what it relaxes is not the rule"; }
