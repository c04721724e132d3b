# Specs that the user writes in C: one answer or several, waiting, wrong ones.
source "$SRC/tests/check/lib.bash"

cat >fifo_spec.c <<'C'
#include <plumb/spec.h>
struct plumb_state { int count, item[8]; };
PLUMB_STEP(add) { s->item[s->count++] = (int)a.i[0]; return plumb_ok(); }
PLUMB_STEP(try_take)
{
    int first = s->item[0];
    if (!s->count)
        return plumb_int(0);
    memmove(s->item, s->item + 1, sizeof s->item - sizeof *s->item);
    s->item[7] = 0;
    s->count--;
    return plumb_int(first);
}
C
cc -I"$SRC/include" -fsyntax-only -Wall -Wextra -Wno-unused -x c fifo_spec.c
right=$SRC/subjects/correct/locked_queue.c wrong=$SRC/subjects/wrong/timeout_queue.c
passes "$right" "${queue[@]}" --spec fifo_spec.c --size 2x2 --model sc
violates not-linearizable "$wrong" "${queue[@]}" --spec fifo_spec.c --model sc --data-independent add
grep -q 'try_take() = 0' first || { cat first; die "which answer?"; }
# It agrees with the built-in one, and with the other decider.
expect 1 check "$wrong" "${queue[@]}" --spec fifo --data-independent add --model sc --save no --json builtin.json
[[ $(key result.json violation test) = $(key builtin.json violation test) ]] || die "another test"
violates not-linearizable "$wrong" "${queue[@]}" --spec fifo_spec.c --model sc --decider enumerate
sed 's/first = s->item\[0\]/first = s->item[s->count > 1]/' fifo_spec.c >other_spec.c
violates not-linearizable "$right" "${queue[@]}" --spec other_spec.c --model sc

# In the subject file: a bag that may say it is empty while somebody adds, and a take that waits.
cat >bag.c <<'C'
#include <plumb/spec.h>
#include <pthread.h>
static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int item[2];
static plumb_result add(plumb_args a) /* into a slot of its own */
{
    int i = (int)a.i[0] - 1;
    pthread_mutex_lock(&lock[i]);
    item[i]++;
    if (i == 0)
        pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock[i]);
    return plumb_ok();
}
static plumb_result take(plumb_args a) /* looks at one after the other */
{
    (void)a;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock[i]);
        int has = item[i] && item[i]--;
        pthread_mutex_unlock(&lock[i]);
        if (has)
            return plumb_int(i + 1);
    }
    return plumb_empty();
}
static plumb_result wait_one(plumb_args a)
{
    (void)a;
    pthread_mutex_lock(&lock[0]);
    while (!item[0])
        pthread_cond_wait(&filled, &lock[0]);
    item[0]--;
    pthread_mutex_unlock(&lock[0]);
    return plumb_ok();
}
PLUMB_OP(add, .ints = {1, 2});
PLUMB_OP(take);
PLUMB_OP(wait_one);

struct plumb_state { int count[2]; };
PLUMB_STEP(add) { s->count[a.i[0] - 1]++; return plumb_ok(); }
PLUMB_STEP(take)
{
    if (plumb_choose(2))
        return plumb_empty(); /* at any time */
    int which = plumb_choose(2);
    if (!s->count[which])
        return plumb_empty();
    s->count[which]--;
    return plumb_int(which + 1);
}
PLUMB_STEP(wait_one)
{
    if (!s->count[0])
        return plumb_blocks();
    s->count[0]--;
    return plumb_ok();
}
C
tests=(--test 'add(1) | add(2),take()' --test 'add(2),add(1) | take()' --test 'wait_one() | add(1)' --test 'wait_one() | add(2),take()' --model sc)
passes bag.c "${tests[@]}"
passes bag.c "${tests[@]}" --jobs 3
# Line-Up's cause B is one under its own runs, and none if a take may give up at any time.
violates not-linearizable "$wrong" "${queue[@]}" --spec derived --size 2x2 --model sc
sed 's/if (!s->count)/if (!s->count || plumb_choose(2))/' fifo_spec.c >gives_up.c
passes "$wrong" "${queue[@]}" --spec gives_up.c --size 2x2 --model sc
sed 's/item\[i\] && item\[i\]--/item[i]/' bag.c >twice.c
violates not-linearizable twice.c --test 'add(1) | take(),take()' --model sc
sed 's/return plumb_blocks()/return plumb_ok()/' bag.c >hasty.c
violates stuck hasty.c --test 'wait_one() | add(2)' --model sc

# C++, a start, calls with flags, arguments of any width.
cat >sem.cc <<'C'
#include <plumb/spec.h>
#include <atomic>
static std::atomic<unsigned> n{2};
static bool down(unsigned char *left) { unsigned v = n; while (v) if (n.compare_exchange_strong(v, v - 1)) { *left = (unsigned char)(v - 1); return true; } return false; }
static void up() { n++; }
struct plumb_state { int n; };
PLUMB_START { s->n = 2; }
PLUMB_STEP(down) { return s->n ? plumb_int(--s->n) : plumb_empty(); }
PLUMB_STEP(up) { s->n++; return plumb_ok(); }
PLUMB_CALL_OUT(unsigned char left, down(&left), left)
PLUMB_CALL(up())
C
passes sem.cc --test 'down(),down() | down(),up()' --model sc

# Wrong ones: one sentence, exit code 2.
wrong_spec() { # MESSAGE TEXT-OF-add
    cat >bad.c <<C
#include <plumb/spec.h>
#include <stdlib.h>
static int calls;
static void add(int v) { (void)v; }
struct plumb_state { int n; };
PLUMB_STEP(add) { $2 }
C
    expect 2 check bad.c --call 'add(1)' --spec written --test 'add(1) | add(1)' --model sc
    grep -qF -- "$1" err || { cat err; die "no $1"; }
    [[ $(wc -l <err) = 1 ]] || { cat err; die "more than a line"; }
}
wrong_spec 'add(1) contradicts itself' 'calls++; return plumb_int(calls);'
wrong_spec 'contradicts itself' 'if (calls++ % 2) plumb_choose(2); s->n = calls; return plumb_ok();'
wrong_spec 'add(1) crashes' '*(volatile int *)(s->n * 1L) = 1; return plumb_ok();'
wrong_spec 'add(1) ends its process' '_Exit(3); return plumb_ok();'
wrong_spec 'the step add of the spec writes past its state, which has no room' '(&s->n)[1] = 1; return plumb_ok();'
wrong_spec 'more than 64 answers' 's->n = plumb_choose(100); return plumb_ok();'
wrong_spec 'more than 32 choices' 'for (int i = 0; i < 40; i++) plumb_choose(1); return plumb_ok();'
sed 's,STEP(add),STEP(ad),' bad.c >none.c
refused 'has no step for add(1): add PLUMB_STEP(add)' check none.c --call 'add(1)' --spec written
rm none.c
expect 2 check bad.c --call 'add(calls)' --call 'add(1)' --spec written --test 'add(1)' --model sc
grep -q "is not a number" err || { cat err; die "an argument that is no number"; }
expect 2 check "$right" "${queue[@]}" --spec written --model sc
grep -q "has no PLUMB_STEP" err || die "no spec there"
expect 2 check "$right" "${queue[@]}" --spec none.c --model sc
