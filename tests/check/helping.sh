# Helping (src/explore/helping.c): who did what a thread was about to do itself is not explored, and every
# history is there all the same.
source "$SRC/tests/check/lib.bash"
s=$SRC/subjects

# run MODE ARGUMENTS...: executions; the histories are in told.MODE
run() {
    local mode=$1
    shift
    rm -f "told.$mode"
    PLUMB_TELL_HISTORIES=$PWD/told.$mode expect 0 check --helping "$mode" --decider enumerate --stats \
        --json "$mode.json" "$@"
    grep -E '^  distinct' out >"distinct.$mode"
    count=$(key "$mode.json" executions)
}

# folds WITH WITHOUT ARGUMENTS...: so many executions, and the same histories. Under sc the histories, as calls and
# returns in time, are as many; under every model each one that was explored is covered.
folds() {
    local with=$1 without=$2
    shift 2
    run explore "$@"
    [[ $count = "$without" ]] || die "$*: $count executions, not $without, with --helping explore"
    run fold "$@"
    [[ $count = "$with" ]] || die "$*: $count executions, not $with"
    [[ "$*" != *"--model sc"* ]] || same distinct.explore distinct.fold
    python3 "$SRC/tests/check/dominated.py" told.explore told.fold || die "$*"
}

ms=("$s/correct/ms_queue.c" --setup 'queue_init()' --call 'enq(1)' --call 'enq(2)' --call 'enq(3)' --call 'deq()' --spec fifo)
for model in sc tso rc11; do
    folds 6 16 "${ms[@]}" --model $model --test 'enq(1),deq() | enq(2),deq()'
    folds 22 158 "${ms[@]}" --model $model --test 'enq(1) | enq(2) | deq() | deq()'
    folds 24 666 "${ms[@]}" --model $model --test 'enq(1) | enq(2) | enq(3) | deq()'
done
clients=("$s/correct/ms_queue.c" --setup 'queue_init()' --call 'enq(1)' --call 'deq()' --spec fifo --model rc11)
passes "${clients[@]}" --clients 3+3
[[ $(key result.json executions) = 20 ]] || die "3+3: $(key result.json executions) executions"
passes "${clients[@]}" --clients 3+3 --helping explore
[[ $(key result.json executions) = 1284 ]] || die "3+3: $(key result.json executions) executions, explored"
passes "${clients[@]}" --clients 4+4
[[ $(key result.json executions) = 70 ]] || die "4+4: $(key result.json executions) executions"

# Numbers are announced, then given out; who finds one announced gives it out, too.
cat >numbers.c <<'C'
#include <stdatomic.h>
#include <stdlib.h>
#ifndef ORDER
#define ORDER memory_order_release
#endif
#ifndef LINK
#define LINK memory_order_acq_rel
#endif
#ifndef NEXT
#define NEXT(a) ((a) + 1)
#endif
static _Atomic int announced, given, helped;
static int plain;
#ifdef HEAP
static _Atomic int *box;
static void setup(void) { box = malloc(sizeof *box); atomic_init(box, 0); }
#define GIVEN *mine
#else
static void setup(void) { plain = 0; }
#define GIVEN given
#endif
static int bump(void)
{
#ifdef HEAP
    _Atomic int *mine = box;
#endif
    for (;;) {
        int g = atomic_load_explicit(&GIVEN, memory_order_acquire);
        int a = atomic_load_explicit(&announced, memory_order_acquire);
        if (a != g) {
#ifdef LOOKS
            if (atomic_compare_exchange_strong_explicit(&GIVEN, &g, a, ORDER, memory_order_relaxed))
                atomic_fetch_add_explicit(&helped, 1, memory_order_relaxed);
#else
            atomic_compare_exchange_strong_explicit(&GIVEN, &g, a, ORDER, memory_order_relaxed);
#endif
            continue;
        }
        int n = NEXT(a);
        if (atomic_compare_exchange_strong_explicit(&announced, &a, n, LINK, memory_order_relaxed)) {
#ifdef BETWEEN
            atomic_load_explicit(&helped, memory_order_relaxed);
#endif
            atomic_compare_exchange_strong_explicit(&GIVEN, &g, n, ORDER, memory_order_relaxed);
#ifdef FREES
            free(malloc(8));
#endif
            return n;
        }
    }
}
static int get(void) { return atomic_load_explicit(&announced, memory_order_acquire); }
C
numbers=(numbers.c --setup 'setup()' --call 'bump()' --call 'get()' --test 'bump() | bump() | get()')
# counts MODEL FLAGS...: executions of both ways, without and with helping, the histories compared
counts() {
    local model=$1
    shift
    run explore "${numbers[@]}" --model "$model" -- "$@"
    without=$count
    run fold "${numbers[@]}" --model "$model" -- "$@"
    with=$count
    [[ $model != sc ]] || same distinct.explore distinct.fold
    python3 "$SRC/tests/check/dominated.py" told.explore told.fold || die "$model $*"
}
for model in sc rc11; do
    for heap in -DPLAIN -DHEAP; do
        counts $model $heap
        ((with < without)) || die "$model $heap: nothing folded, $with of $without"
    done
    # Somebody looks whether he has helped; the owner does something first; the location lies in memory of a
    # kind that threads give back.
    for spoilt in -DLOOKS -DBETWEEN '-DHEAP -DFREES'; do
        # shellcheck disable=SC2086 # words
        counts $model $spoilt
        [[ $with = "$without" ]] || die "$model $spoilt: folded, $with of $without"
    done
    counts $model -DFREES # but not this one
    ((with < without)) || die "$model -DFREES: nothing folded"
    # What is read of the announcement does not tell what happened before it.
    counts $model -DLINK=memory_order_relaxed
    [[ $with = "$without" ]] || die "$model relaxed link: folded, $with of $without"
done
counts sc -DORDER=memory_order_seq_cst
((with < without)) || die "seq_cst under sc: nothing folded"
counts rc11 -DORDER=memory_order_seq_cst
[[ $with = "$without" ]] || die "seq_cst under rc11: folded, $with of $without"

# Numbers that come back; with two calls they do not.
for model in sc rc11; do
    counts $model '-DNEXT(a)=(((a)+1)%2)'
    [[ $with = "$without" ]] || die "$model, values come back: folded, $with of $without"
    counts $model '-DNEXT(a)=(((a)+1)%3)'
    ((with < without)) || die "$model, values do not come back: nothing folded, $with of $without"
done

# What there is to lose: each of these shows something only if the helper's own step is explored, because it matters
# who did it. lost KIND MODELS CALLS <<'C': two operations own() and help(), and a third one.
cat >short.h <<'C'
#include <stdatomic.h>
#include <stdlib.h>
#define REL memory_order_release
#define ACQ memory_order_acquire
#define RLX memory_order_relaxed
#define LOAD(x, order) atomic_load_explicit(&(x), order)
#define STORE(x, value, order) atomic_store_explicit(&(x), value, order)
#define CAS(x, from, to, order)                                                                    \
    do {                                                                                           \
        int expected = from;                                                                       \
        atomic_compare_exchange_strong_explicit(&(x), &expected, to, order, RLX);                  \
    } while (0)
static _Atomic int t, x, done, over;
C
lost() {
    local kind=$1 models=$2 third=$3 model
    { echo '#include "short.h"'; cat; } >lost.c
    for model in $models; do
        expect 1 check lost.c --setup 'setup()' --call 'own()' --call 'help()' --call "$third" --model "$model" \
            --test "own() | help() | $third" --save=no --no-shrink --json result.json
        [[ $(key result.json violation kind) = "$kind" ]] || { cat out; die "$kind, $model: $(key result.json violation kind)"; }
    done
}
# The owner has a fence before it, and its step releases nothing of its own.
lost data-race 'sc rc11' 'rd()' <<'C'
static int data;
static void setup(void) { data = 0; }
void own(void) { data = 1; atomic_thread_fence(REL); STORE(x, 1, REL); CAS(t, 0, 1, RLX); }
void help(void) { while (!LOAD(t, RLX) && LOAD(x, ACQ)) CAS(t, 0, 1, RLX); }
void rd(void) { if (LOAD(t, ACQ) == 1 && data == 7) abort(); }
C
# The owner stores there again: a release sequence, if it was the owner who did the step.
lost data-race 'sc rc11' 'rd()' <<'C'
static int data;
static void setup(void) { data = 0; }
void own(void) { data = 1; STORE(x, 1, REL); CAS(t, 0, 1, REL); STORE(t, 2, RLX); }
void help(void) { while (!LOAD(t, RLX) && LOAD(x, ACQ)) CAS(t, 0, 1, REL); }
void rd(void) { if (LOAD(t, ACQ) == 2 && data == 7) abort(); }
C
# The same without plain data: a wrong answer.
lost not-linearizable rc11 'see()' <<'C'
static _Atomic int data;
static void setup(void) { atomic_init(&data, 0); }
void own(void) { STORE(data, 1, RLX); STORE(x, 1, REL); CAS(t, 0, 1, REL); STORE(t, 2, RLX); }
void help(void) { while (!LOAD(t, RLX) && LOAD(x, ACQ)) CAS(t, 0, 1, REL); }
int see(void) { return LOAD(t, ACQ) == 2 ? 10 + LOAD(data, RLX) : 0; }
C
# With its step the owner learns what somebody has told who wrote before it.
lost not-linearizable rc11 'tell()' <<'C'
static _Atomic int data;
static void setup(void) { atomic_init(&data, 0); }
int own(void)
{
    int one = 1;
    if (!atomic_compare_exchange_strong_explicit(&t, &one, 2, RLX, RLX))
        return 0;
    STORE(x, 1, REL);
    CAS(t, 2, 3, memory_order_acq_rel);
    return 10 + LOAD(data, RLX);
}
void help(void) { while (LOAD(t, RLX) == 2 && LOAD(x, ACQ)) CAS(t, 2, 3, memory_order_acq_rel); }
void tell(void) { STORE(data, 1, RLX); STORE(t, 1, REL); }
C
# What the helper reads in the round is written or freed when it is known, but no more, that it has gone on.
for written in 'data = 2' 'free(node)' 'atomic_init(&y, 5)'; do
    kind=data-race
    [[ $written != free* ]] || kind=use-after-free
    lost $kind 'sc tso rc11' 'wr()' <<C
static int data, *node;
static _Atomic int y;
static void setup(void) { data = 1; node = malloc(sizeof *node); *node = 1; }
void own(void) { STORE(x, 1, REL); CAS(t, 0, 1, REL); }
void help(void)
{
    while (!LOAD(t, RLX)) {
        if (!LOAD(x, ACQ) || LOAD(y, RLX) == 9 || data == 9 || *node == 9)
            return;
        CAS(t, 0, 1, REL);
    }
    STORE(done, 1, RLX);
}
void wr(void) { if (LOAD(done, RLX)) $written; }
C
done
# The place itself is written plainly, by one who comes after the helper but not after the owner.
lost data-race 'sc tso rc11' 'reset()' <<'C'
static void setup(void) { atomic_init(&t, 0); }
void own(void) { STORE(x, 1, REL); CAS(t, 0, 1, REL); }
void help(void)
{
    while (!LOAD(t, ACQ)) {
        if (!LOAD(x, ACQ))
            return;
        CAS(t, 0, 1, REL);
    }
    STORE(done, 1, REL);
}
void reset(void) { if (LOAD(done, ACQ)) atomic_init(&t, 5); }
C

refused "--helping: 'no' is none of fold|explore" check numbers.c --setup 'setup()' --call 'bump()' --helping no

# Random programs. (Before the conditions on publication were there, seeds 4 and 40 failed.)
python3 "$SRC/tests/check/random_helping.py" "$PLUMB" 2 4 || die "random programs"
python3 "$SRC/tests/check/random_helping.py" "$PLUMB" 40 2 || die "random programs"
