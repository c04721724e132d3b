# Another implementation as the spec, or the subject built with other flags.
source "$SRC/tests/check/lib.bash"
s=$SRC/subjects
cat >simple.c <<'C'
struct queue { int item[16], head, tail; };
static struct queue q;
static void queue_init(struct queue *x) { x->head = x->tail = 0; }
static void add(struct queue *x, int value) { x->item[x->tail++] = value; }
static int try_take(struct queue *x) { return x->head < x->tail ? x->item[x->head++] : 0; }
C
passes "$s/correct/locked_queue.c" "${queue[@]}" --golden simple.c --size 2x2 --model sc
violates not-linearizable "$s/wrong/timeout_queue.c" "${queue[@]}" --golden simple.c --size 2x2 --model sc
sed 's/x->item\[x->head++\]/x->item[--x->tail]/' simple.c >stack.c
violates not-linearizable "$s/correct/locked_queue.c" "${queue[@]}" --golden stack.c --size 2x2 --model sc
grep -q 'try_take() answers 2, not 1' first || { cat first; die "the golden one is a stack"; }

# With other flags: wrong in the same way alone, which its own serial runs do not tell.
cat >kind.c <<'C'
#include <plumb.h>
#include <stdatomic.h>
#ifndef STEP
#define STEP 2
#endif
static atomic_int n;
static plumb_result inc(plumb_args a) { (void)a; return plumb_int(atomic_fetch_add(&n, STEP)); }
PLUMB_OP(inc);
C
passes kind.c --size 2x1 --model sc
passes kind.c --size 2x1 --model sc --golden-flags '-DSTEP=2 -DUNUSED'
violates not-linearizable kind.c --size 2x1 --model sc --golden-flags -DSTEP=1
# A golden one that waits where the subject does not.
cat >gate.c <<'C'
#include <semaphore.h>
static sem_t s;
static void up(void) { sem_post(&s); }
static void down(void) { if (WAITS) sem_wait(&s); else sem_trywait(&s); }
C
gate=(--setup 'sem_init(&s, 0, 0)' --call 'up()' --call 'down()' --test 'down() | up()' --model sc)
expect 0 check gate.c "${gate[@]}" --golden-flags -DWAITS=1 -- -DWAITS=1
expect 1 check gate.c "${gate[@]}" --golden-flags '-UWAITS -DWAITS=1' --save no -- -DWAITS=0

refused "there is a spec already" check "$s/correct/locked_queue.c" "${queue[@]}" --golden simple.c --spec fifo
refused "No such file" check "$s/correct/locked_queue.c" "${queue[@]}" --golden none.c
expect 2 check "$s/correct/locked_queue.c" "${queue[@]}" --golden kind.c --model sc
sed 's/PLUMB_OP(inc)/PLUMB_OP(inc, .name = "dec")/' kind.c >other.c
refused "it has no inc() where the subject has it" check kind.c --golden other.c
sed 's/STEP))/STEP) + plumb_choose(2))/' kind.c >choosing.c
expect 2 check kind.c --golden choosing.c --test 'inc()' --model sc
grep -q 'contradicts itself' err || { cat err; die "it chooses"; }
sed 's/return plumb_int/__builtin_trap(); return plumb_int/' kind.c >crashing.c
expect 2 check kind.c --golden crashing.c --test 'inc()' --model sc
grep -q 'ends in an error (crash)' err || { cat err; die "it crashes"; }

# Static objects of two programs stand at different addresses: nothing can be compared by them.
cat >static.c <<'C'
static int item[2 + VARIANT], *top;
static void put(int v) { top = &item[v]; }
static int *get(void) { return top; }
C
refuses_static() { expect 2 check static.c --setup 'top = 0' "$@" --golden-flags -DVARIANT=4 --model sc -- -DVARIANT=0; }
refuses_static --call 'put(0)' --call 'get()' --test 'put(0),get()'
grep -q '^--golden: an answer is the address of something that is not on the heap (0x' err || { cat err; die "a static object"; }
expect 0 check static.c --setup 'top = 0' --call 'put(0)' --call 'get() - item' --call 'get()' --golden-flags -DVARIANT=4 --model sc \
    --test 'put(0),get()-item' --test 'get()' -- -DVARIANT=0
