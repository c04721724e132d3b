# Histories that the process explains itself, by what the tool has told it of the spec, and does not send: the verdict
# and the numbers of executions, histories and wrong histories are those of a check where every history is sent and
# walked. With PLUMB_IN_STEP, where the tool has come to all before the next is made, and without.
# timeout: 300
source "$SRC/tests/check/lib.bash"

numbers() { # ARGUMENTS...
    rm -f result.json
    "$PLUMB" check "$@" --keep-going --no-shrink --stats --save=no --json result.json >out 2>&1 || true
    # Without shortcuts histories that differ in `global` alone are counted one by one: see project.c.
    jq -c "[.verdict, .executions, ${counted:-.histories, }.stats.wrong]" result.json
}
compare() { # ARGUMENTS...
    local here sent
    sent=$(PLUMB_NO_SHORTCUTS=1 numbers "$@")
    [[ $(key result.json stats explained_at_once) = 0 ]] || die "$*: a shortcut"
    here=$(numbers "$@")
    [[ $here = "$sent" ]] || { cat out; die "$*: $here, and $sent without shortcuts"; }
    here=$(PLUMB_IN_STEP=1 numbers "$@")
    [[ $here = "$sent" ]] || { cat out; die "$*: $here in step, and $sent without shortcuts"; }
}
explains() { # HISTORIES: of what was compared last
    local got
    got=$(key result.json stats explained_at_once)
    [[ $got = "$1" ]] || die "$got histories were explained in the process, not $1"
}

# Wrong in some of its executions.
cat >lost.c <<'END'
#include <stdatomic.h>
static atomic_int value;
void inc(void) { int old = atomic_load_explicit(&value, memory_order_acquire);
    atomic_store_explicit(&value, old + 1, memory_order_release); }
int get(void) { return atomic_load_explicit(&value, memory_order_acquire); }
END
calls=(--spec counter --call 'inc()' --call 'get()')
for model in sc tso rc11; do
    compare lost.c --model $model "${calls[@]}" --test 'inc(),get() | inc(),inc() | get()'
    compare lost.c --model $model "${calls[@]}" --test 'inc() | inc(),get()' --init 'inc()' --final 'get()'
    compare lost.c --model $model "${calls[@]}" --test 'inc(),inc() | inc() | get(),get()'
    explains $([[ $model = sc ]] && echo 43 || echo 44)
done

counted=' '
compare "$SRC/subjects/wrong/mpmc_relaxed.c" --model rc11 --test 'enq(1),deq() | enq(2),deq()'
compare "$SRC/subjects/correct/mpmc_queue.c" --model rc11 --test 'enq(1),deq() | enq(2),deq() | deq()'
counted=''

# Published, or not, with the same answers.
cat >unpublished.c <<'END'
#include <stdatomic.h>
#include <stdbool.h>
static atomic_int slot[2];
bool add(int v) {
    if (atomic_load_explicit(&slot[2 - v], memory_order_relaxed))
        return !atomic_exchange_explicit(&slot[v - 1], 1, memory_order_release);
    return !atomic_exchange_explicit(&slot[v - 1], 1, memory_order_relaxed);
}
bool has(int v) { return atomic_load_explicit(&slot[v - 1], memory_order_acquire); }
END
for model in sc rc11; do
    compare unpublished.c --spec set --model $model --call 'add(1)' --call 'has(1)' --call 'add(2)' \
        --test 'add(2),has(1) | add(1) | has(1),has(1)'
done

# Of two that put the same value in one has to come before; which one, and whether one does, differs.
cat >either.c <<'END'
#include <stdatomic.h>
static atomic_int count, slot[3];
void put(int v) {
    int i = atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    atomic_store_explicit(&slot[i], v, i ? memory_order_release : memory_order_relaxed); }
int take(void) {
    for (int i = 2; i >= 0; i--) {
        int v = atomic_exchange_explicit(&slot[i], 0, memory_order_acquire);
        if (v) return v; }
    return 0; }
END
for model in sc tso rc11; do
    compare either.c --spec bag --model $model --call 'put(1)' --call 'take()' --test 'put(1) | put(1) | take(),take()'
    [[ $(key result.json stats wrong) -gt 0 ]] || die "nothing was unpublished"
    compare either.c --spec bag --model $model --call 'put(1)' --call 'take()' --test 'put(1),put(1) | take()'
done

# Of one history several are sent, which differ in what happens before what; it is wrong once.
cat >scan.c <<'END'
#include <stdatomic.h>
static atomic_int slot[16], tail;
void enq(int v) { int i = atomic_fetch_add(&tail, 1); atomic_store_explicit(&slot[i], v, memory_order_release); }
int deq(void) {
    int n = atomic_load_explicit(&tail, memory_order_acquire);
    for (int i = 0; i < n; i++) {
        int v = atomic_exchange_explicit(&slot[i], 0, memory_order_acq_rel);
        if (v) return v; }
    return 0; }
END
compare scan.c --model sc --call 'enq(1)' --call 'enq(3)' --call 'deq()' --spec fifo --empty 0 --init 'enq(1)' \
    --test 'deq(),deq() | enq(3) | deq() | deq()'
[[ $(key result.json stats wrong) = 31 ]] || die "$(key result.json stats wrong) histories are wrong, not 31"

# Until the first that is wrong, however far the process has come by then.
for ((i = 0; i < 4; i++)); do
    "$PLUMB" check scan.c --model sc --call 'enq(1)' --call 'enq(3)' --call 'deq()' --spec fifo --empty 0 --no-shrink \
        --test 'deq(),deq() | enq(3) | enq(1),deq() | deq()' --save=no --json result.json >out 2>&1 || true
    echo "$(key result.json verdict) $(key result.json executions) $(key result.json blocked)"
done | sort -u >ends
[[ $(wc -l <ends) = 1 && $(cat ends) = violation* ]] || die "$(cat ends)"

# Many histories, few answers; and more states than operations.
compare "$SRC/subjects/correct/counter.c" --model sc "${calls[@]}" \
    --test 'inc(),get() | inc(),get() | inc(),get() | inc(),get(),get()'
explains 7546
compare "$SRC/subjects/correct/counter.c" --model rc11 "${calls[@]}" \
    --test 'inc(),get() | inc(),get() | inc(),get() | inc(),get(),get()'
explains 7546
compare "$SRC/subjects/correct/treiber_stack.c" --spec lifo --model rc11 "${stack[@]}" \
    --test 'push(1),pop() | push(2),pop() | pop()'
