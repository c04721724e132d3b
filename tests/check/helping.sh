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
for model in sc tso rc11; do
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

refused "--helping: 'no' is none of fold|explore" check numbers.c --setup 'setup()' --call 'bump()' --helping no
