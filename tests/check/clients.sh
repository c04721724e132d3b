# Every client under weak memory: an object that is right unless its client synchronises.
source "$SRC/tests/check/lib.bash"
s=$SRC/subjects
calls=(--call 'enq(1)' --call 'enq(2)' --call 'deq()' --spec fifo)

# Herlihy and Wing's queue whose fetch-and-add does not release.
passes "$s/correct/hw_queue.c" "${calls[@]}" --test 'enq(1) | enq(2) | deq()' --model rc11
passes "$s/wrong/hw_queue.c" "${calls[@]}" --test 'enq(1) | enq(2) | deq()' --model sc
violates not-linearizable "$s/wrong/hw_queue.c" "${calls[@]}" --test 'enq(1) | enq(2) | deq()' \
    --model rc11
grep -q 'enq(1) on thread 1 returns before enq(2) on thread 2 is called' first ||
    { cat first; die "hw_queue: which client?"; }
[[ $(grep -c ' returns before ' first) = 1 ]] || die "hw_queue: edges that are no reason"

# The other queues and the stack are right under every client.
passes "$s/correct/ms_queue.c" --setup "queue_init()" "${calls[@]}" --test 'enq(1) | enq(2) | deq() | deq()'
passes "$s/correct/treiber_stack.c" "${stack[@]}" --spec lifo --test 'push(1) | push(2) | pop() | pop()'
[[ $(key result.json message) != *client* ]] || die "the verdict takes back what it says"

# Two registers, each thread writes its own and then reads the other: both may read the old value
# unless all is seq_cst, or fences are. With some accesses seq_cst, or fences, the graph is asked.
# registers STORE LOAD AFTER
registers() {
    printf '#define STORE memory_order_%s\n#define LOAD memory_order_%s\n#define AFTER %s\n' "$@" >xy.c
    cat >>xy.c <<'C'
#include <stdatomic.h>
static _Atomic int x, y;
static void set_x(void) { atomic_store_explicit(&x, 1, STORE); AFTER; }
static void set_y(void) { atomic_store_explicit(&y, 1, STORE); AFTER; }
static int get_x(void) { return atomic_load_explicit(&x, LOAD); }
static int get_y(void) { return atomic_load_explicit(&y, LOAD); }
C
}
run=(xy.c --call 'set_x()' --call 'set_y()' --call 'get_x()' --call 'get_y()'
    --test 'set_x(),get_y() | set_y(),get_x() | get_x()' --model rc11)
registers seq_cst seq_cst ''
passes "${run[@]}"
registers relaxed relaxed 'atomic_thread_fence(memory_order_seq_cst)'
passes "${run[@]}"
registers release acquire ''
violates not-linearizable "${run[@]}"
registers seq_cst acquire ''
violates not-linearizable "${run[@]}"
registers release acquire ''
run[-1]=tso # calls of one thread are no reason for a cycle there
violates not-linearizable "${run[@]}" --no-shrink

# A call that waits: set by a thread that its client has seen to come first.
cat >event.c <<'C'
#include <stdatomic.h>
static _Atomic int ready;
static void set(void) { atomic_store_explicit(&ready, 1, memory_order_relaxed); }
static void await(void) { while (!atomic_load_explicit(&ready, memory_order_relaxed)) continue; }
C
for model in tso rc11; do
    passes event.c --publication=off --call 'set()' --call 'await()' --spec event --map wait=await \
        --test 'set() | await() | await()' --model $model
done

# A call that ends with a lock: it returns after the unlock that it waited for.
cat >mutex.c <<'C'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void lock(void) { pthread_mutex_lock(&m); }
static void unlock(void) { pthread_mutex_unlock(&m); }
C
for model in sc tso rc11; do
    passes mutex.c --call 'lock()' --call 'unlock()' --spec lock --model $model \
        --test 'lock(),unlock() | lock(),unlock() | lock(),unlock()'
done
