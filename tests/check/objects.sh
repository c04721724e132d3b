# Several objects in one test, each with a spec of its own.
source "$SRC/tests/check/lib.bash"
cat >queues.c <<'C'
#include <stdatomic.h>
/* Queues of one producer and one consumer; ORDER 1: the wrong way round. */
struct queue { _Atomic int slot[4], tail; int head, wrong; };
static struct queue q1, q2 = {.wrong = WRONG};
static void enq(struct queue *q, int v)
{
    int t = atomic_load_explicit(&q->tail, memory_order_relaxed);
    atomic_store_explicit(&q->slot[t], v, memory_order_relaxed);
    atomic_store_explicit(&q->tail, t + 1, memory_order_release);
}
static int deq(struct queue *q)
{
    int t = atomic_load_explicit(&q->tail, memory_order_acquire);
    if (q->head == t)
        return 0;
    if (q->wrong) {
        int v = atomic_load_explicit(&q->slot[t - 1], memory_order_relaxed);
        return v;
    }
    return atomic_load_explicit(&q->slot[q->head++], memory_order_relaxed);
}
C
sed 's/WRONG}/0}/' queues.c >right.c
sed 's/WRONG}/1}/' queues.c >wrong.c
calls=(--call 'enq(&q1, 1)' --call 'enq(&q1, 2)' --call 'deq(&q1)' --call 'enq(&q2, 1)' --call 'enq(&q2, 2)' --call 'deq(&q2)')

# Figure 3 of CDSSpec: both find the other's queue empty. Each queue is right by itself; no order of all
# four calls explains them. One object with the same calls is not linearizable.
figure='enq(&q1,1),deq(&q2) | enq(&q2,1),deq(&q1)'
passes right.c "${calls[@]}" --spec q1=fifo,q2=fifo --test "$figure" --model rc11
passes right.c "${calls[@]}" --spec q1=fifo,q2=fifo --test "$figure" --model sc
passes right.c "${calls[@]}" --test "$figure" --model sc
violates not-linearizable right.c "${calls[@]}" --test "$figure" --model rc11
grep -q 'deq(&q2) = 0' first || { cat first; die "not the figure"; }

# Which of them is wrong?
for model in sc rc11; do
    violates not-linearizable wrong.c "${calls[@]}" --spec q1=fifo,q2=fifo --model $model \
        --test 'enq(&q1,1),enq(&q2,1),enq(&q2,2) | deq(&q1),deq(&q2)'
    grep -q 'wrong.c: q2: no order' first || { cat first; die "which object?"; }
done
violates not-linearizable right.c "${calls[@]}" --spec q1=lifo,q2=fifo --model sc \
    --test 'enq(&q1,1),enq(&q1,2),deq(&q1),enq(&q2,1)'
grep -q 'right.c: q1: no order' first || { cat first; die "which object?"; }

refused "names none of the objects" check right.c "${calls[@]}" --spec q1=fifo,q3=fifo
refused "is not OBJECT=SPEC" check right.c "${calls[@]}" --spec q1=fifo,q2

# The same as a subject file.
{
    cat right.c
    printf '#include <plumb.h>\nPLUMB_SPEC(q1=fifo, q2=fifo)\n'
    printf 'PLUMB_CALL(enq(&q%d, 1))\nPLUMB_CALL(deq(&q%d))\n' 1 1 2 2
} >subject.c
passes subject.c --test "$figure" --model rc11

# Numbers of rand() and its like are a stream that all threads share: what a call draws depends on how many
# were drawn before, in every order of the calls and nothing else.
cat >drawn.c <<'C'
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int made;
static int draw(void) { return rand() % 100; }
static int later(void) { int v = (int)(lrand48() % 100); pthread_mutex_lock(&m); made++; pthread_mutex_unlock(&m); return v; }
static int twice(void) { int v = (int)random(); return v != (int)random() && v % 2; }
C
for model in sc tso rc11; do
    passes drawn.c --call 'draw()' --test 'draw() | draw()' --test 'draw(),draw() | draw()' --test 'draw() | draw() | draw()' \
        --setup 'srand(3)' --model $model
    [[ $(key result.json executions) = 11 ]] || die "drawn.c: $(key result.json executions) executions under $model"
    passes drawn.c --call 'later()' --test 'later() | later(),later()' --model $model
done
expect 1 check drawn.c --call 'twice()' --test 'twice() | twice()' --model sc --save no
grep -q '^NOT LINEARIZABLE' out || { cat out; die "two draws with another between"; }
