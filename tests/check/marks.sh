# Marks: groups, limits, operations that wait, that may fail, that take effect late.
source "$SRC/tests/check/lib.bash"

# A ring for one producer and one consumer: right with groups, wrong without.
ring=$SRC/subjects/correct/spsc_ring.c
spsc=(--call 'put(1)' --call 'put(2)' --call 'int v; take(&v) -> v')
expect 1 check "$ring" "${spsc[@]}" --size 2x1 --model sc --save no
passes "$ring" "${spsc[@]}" --size 2x1 --model sc --group put --group take
[[ $(key result.json tests) = 2 ]] || die "$(key result.json tests) tests of 2x1"
passes "$ring" "${spsc[@]}" --size 2x2 --model sc --group put --group take
[[ $(key result.json tests) = 4 ]] || die "$(key result.json tests) tests of 2x2"
refused "only one thread may call" check "$ring" "${spsc[@]}" --group put --test 'put(1) | put(2)'
refused "no test of 3x1" check "$ring" "${spsc[@]}" --group put --group take --size 3x1
refused "no test of 3x3" check "$ring" "${spsc[@]}" --group put --group take --random 5
refused "put 3 times, which may be called 2 times" check "$ring" "${spsc[@]}" --limit put=2 \
    --test 'put(1),put(2),put(1) | take()'
refused "there is no operation 'pot'" check "$ring" "${spsc[@]}" --group pot
refused "there is no operation 'tale'" check "$ring" "${spsc[@]}" --limit tale=1
refused "is not NAME=MOST" check "$ring" "${spsc[@]}" --limit put

# In a subject file, as a table and as lines.
cat >owner.c <<'C'
#include <plumb.h>
static int n;
static plumb_result mine(plumb_args a) { (void)a; return plumb_int(n++); }
static plumb_result also(plumb_args a) { (void)a; return plumb_int(n++); }
static plumb_result once(plumb_args a) { (void)a; return plumb_ok(); }
PLUMB_OP(mine, .group = "owner");
PLUMB_OP(also, .group = "owner");
PLUMB_OP(once, .limit = 1);
C
passes owner.c --size 2x1
[[ $(key result.json tests) = 4 ]] || die "mine | once, also | once, under two models"
refused "only one thread may call" check owner.c --test 'mine() | also()'
cat >lines.c <<'C'
#include <plumb.h>
static int n;
static int mine(void) { return n++; }
static int also(void) { return n++; }
static void once(void) { }
PLUMB_CALL(mine())
PLUMB_CALL(also())
PLUMB_CALL(once())
PLUMB_GROUP(mine, also)
PLUMB_LIMIT(once, 1)
C
passes lines.c --size 2x1
[[ $(key result.json tests) = 4 ]] || die "the lines are not as the table"
echo 'PLUMB_GROUP(mien)' >>lines.c
refused "lines.c: there is no operation 'mien'" check lines.c

# A take that waits: right against a queue that waits, stuck against one that answers empty.
cat >blocking.c <<'C'
#include <plumb.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int item[8], head, tail;
static plumb_result put(plumb_args a)
{
    pthread_mutex_lock(&lock);
    item[tail++] = (int)a.i[0];
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    return plumb_ok();
}
static plumb_result take(plumb_args a)
{
    (void)a;
    pthread_mutex_lock(&lock);
    while (head == tail)
        pthread_cond_wait(&filled, &lock);
    int v = item[head++];
    pthread_mutex_unlock(&lock);
    return plumb_int(v);
}
PLUMB_SUBJECT("blocking queue", .spec = "fifo");
PLUMB_OP(put, .ints = {1, 2});
PLUMB_OP(take, .blocking = WAITS);
C
expect 0 check blocking.c --test 'put(1) | take(),take()' --test 'take() | take()' --model sc -- -DWAITS=1
expect 1 check blocking.c --test 'take() | put(1)' --test 'take() | take()' --model sc --save no -- -DWAITS=0
grep -q 'STUCK' out || { cat out; die "an empty queue answers"; }
expect 0 check blocking.c --test 'take() | take()' --model sc --blocking take -- -DWAITS=0

# A take that may fail though there is something: a try-lock that is taken.
cat >trying.c <<'C'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int item[8] = {5, 6, 7}, head, tail = 3;
static int take(void)
{
    if (pthread_mutex_trylock(&lock))
        return -1;
    int v = head < tail ? item[head++] : -1;
    pthread_mutex_unlock(&lock);
    return v;
}
C
trying=(--call 'take()' --test 'take() | take()' --model sc --empty -1)
violates not-linearizable trying.c "${trying[@]}"
# Without a spec, too, --empty says what a failure is: else nothing is suggested.
grep -q -- '--may-fail take ' first || { cat first; die "a failure by --empty"; }
violates not-linearizable trying.c "${trying[@]:0:6}"
grep -q -- '--may-fail take ' first && { cat first; die "-1 is no failure unless that is said"; }
passes trying.c "${trying[@]}" --may-fail take
# It may fail, but not answer what is not there.
cat >lying.c <<'C'
#include <stdatomic.h>
static atomic_int n = 1;
static int take(void) { int v = atomic_load(&n); atomic_store(&n, v + 1); return v; }
C
violates not-linearizable lying.c --call 'take()' --test 'take() | take()' --model sc --may-fail take
# What looks like a failure may be an ordinary answer, with its effect: the first number, a value 0, a
# flag that was off. The mark forbids nothing.
cat >ids.c <<'C'
#include <stdatomic.h>
static atomic_int n, flag;
static int next(void) { return atomic_fetch_add(&n, 1); }
static int try_set(void) { return atomic_exchange(&flag, 1); }
static int get(void) { return atomic_load(&flag); }
C
passes ids.c --call 'next()' --may-fail next --test 'next(),next()' --test 'next() | next()'
for decider in walk enumerate; do
    passes ids.c --call 'try_set()' --call 'get()' --may-fail try_set --test 'try_set(),get() | get()' --decider=$decider
done
sed 's/-1/0/g; s/{5, 6, 7}/{0, 6, 7}/' trying.c >zero.c
passes zero.c --call 'take()' --test 'take(),take() | take(),take()' --model sc --may-fail take
# Alone, too, an answer may differ if it is a failure.
cat >weak.c <<'C'
#include <plumb.h>
#include <stdbool.h>
static bool set(void) { return plumb_choose(2); }
C
violates nondeterministic weak.c --call 'set()' --test 'set()' --model sc
passes weak.c --call 'set()' --test 'set() | set()' --model sc --may-fail set

# An effect after the return: another thread's helper sets the flag. Line-Up's cause K.
cat >late.c <<'C'
#include <stdatomic.h>
static atomic_int asked, done;
static void cancel(void) { atomic_store(&asked, 1); }
static int look(void) { if (atomic_load(&done)) return 1; if (atomic_load(&asked)) atomic_store(&done, 1); return 0; }
C
late=(--call 'cancel()' --call 'look()' --spec event --map set=cancel,is_set=look --model sc)
violates not-linearizable late.c "${late[@]}" --test 'cancel(),look()'
passes late.c "${late[@]}" --test 'cancel(),look(),look()' --late cancel
# Late, but not undone: once seen it stays so.
cat >undone.c <<'C'
#include <stdatomic.h>
static atomic_int set;
static void cancel(void) { atomic_store(&set, 1); }
static int look(void) { return atomic_exchange(&set, 0); }
C
violates not-linearizable undone.c "${late[@]}" --test 'cancel(),look(),look()' --late cancel
# A failure, an effect that is late, with something behind it in its thread: the object's own serial
# runs know what follows without it.
passes trying.c "${trying[@]:0:2}" --model sc --empty -1 --test 'take(),take() | take(),take()' --may-fail take
cat >helped.c <<'C'
#include <stdatomic.h>
static atomic_int asked, done;
static void cancel(void) { if (!atomic_exchange(&asked, 1)) atomic_store(&done, 1); }
static int look(void) { return atomic_load(&done); }
C
helped=(--call 'cancel()' --call 'look()' --model sc --test 'cancel() | cancel(),look()')
violates not-linearizable helped.c "${helped[@]}"
grep -q '^      --late cancel ' out || { cat out; die "late is not suggested"; }
passes helped.c "${helped[@]}" --late cancel
# Asynchronous even when it is alone: what is seen after it, the effect or not yet, is no contradiction.
cat >thread.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int done;
static void *work(void *nothing) { atomic_store(&done, 1); return nothing; }
static void cancel(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_detach(t);
}
static int look(void) { return atomic_load(&done); }
C
violates nondeterministic thread.c "${helped[@]:0:4}" --model sc --test 'cancel(),look()'
passes thread.c "${helped[@]:0:4}" --test 'cancel(),look() | look()' --late cancel
# What no weaker spec explains has no suggestion: a value that is taken twice.
cat >twice.c <<'C'
#include <stdatomic.h>
static atomic_int item;
static void put(int v) { atomic_store(&item, v); }
static int take(void) { int v = atomic_load(&item); if (v) atomic_store(&item, 0); return v; }
C
violates not-linearizable twice.c --call 'put(5)' --call 'take()' --model sc --init 'put(5)' --test 'take() | take()'
! grep -q 'weaker spec' out || { cat out; die "a weaker spec for a value taken twice"; }
[[ $(jq '.violation | has("suggestions")' result.json) = false ]] || die "suggestions in the JSON"

# Where a history stays undecided, it is that which is said, not that executions are missing.
cat >spurious.c <<'C'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;
static void put(int v) { pthread_mutex_lock(&lock); value = v; pthread_mutex_unlock(&lock); }
static int take(void)
{
    if (pthread_mutex_trylock(&lock))
        return 0;
    int v = value;
    value = 0;
    pthread_mutex_unlock(&lock);
    return v;
}
C
expect 3 check spurious.c --call 'put(1)' --call 'put(2)' --call 'take()' --may-fail take --model sc \
    --test 'put(1),take(),take() | take(),put(2),take() | take(),take(),put(1)'
grep -q '^unknown: of some histories it is not known whether an order explains them; nothing wrong in ' out ||
    { cat out; die "undecided"; }
# Of a sample it is one test that is not done: all sizes that are run whole are decided.
expect 0 check spurious.c --call 'put(1)' --call 'put(2)' --call 'take()' --may-fail take --model sc --seconds 3

# Under a weak model the client that one attempt was refuted by is none of the next attempt's.
cat >busy.c <<'C'
#include <stdatomic.h>
static atomic_int n, busy;
static int inc(void) { return atomic_fetch_add(&n, 1); }
static int try_read(void)
{
    if (atomic_exchange(&busy, 1))
        return 0;
    int v = atomic_load(&n);
    atomic_store(&busy, 0);
    return v;
}
C
for model in sc tso rc11; do
    passes busy.c --call 'inc()' --call 'try_read()' --may-fail try_read,inc --test 'inc() | try_read() | try_read()' --model $model
done
# What has failed publishes nothing, and nothing has to be published for it.
cat >gives_up.c <<'C'
#include <stdatomic.h>
#include <stdbool.h>
static atomic_int done;
static void set(void) { atomic_store_explicit(&done, 1, memory_order_release); }
static bool wait_for(void) { return atomic_load_explicit(&done, memory_order_acquire); }
C
passes gives_up.c --call 'set()' --call 'wait_for()' --may-fail wait_for --spec event --map wait=wait_for --test 'set() | wait_for()'
# More serial runs, of a test that begins and ends with calls of main.
for around in --init --final; do
    passes ids.c --call 'try_set()' --call 'get()' --may-fail try_set --test 'try_set(),get() | get()' $around 'get()' --model sc
done
