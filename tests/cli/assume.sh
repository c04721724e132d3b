# plumb_assume and plumb_choose: which executions count, under run and explore.
cat >assume.c <<'X'
#include <assert.h>
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, ready;
static void *set(void *unused)
{
    atomic_store(&x, 1 + plumb_choose(3));
    atomic_store(&ready, 1);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    plumb_assume(atomic_load(&ready)); /* a wait without a loop */
    int seen = atomic_load(&x);
    pthread_join(thread, 0);
    assert(seen != WRONG);
    return 0;
}
X
# Complete ones: one for each choice. The others see ready == 0.
"$PLUMB" explore assume.c --save=no --json out.json -- -DWRONG=9 >out.txt
grep -q '^pass, exhaustive: no finding in 3 executions' out.txt || { cat out.txt; exit 1; }
for wrong in 1 2 3; do
    for command in run explore; do
        code=0
        "$PLUMB" $command assume.c --save=no -- -DWRONG=$wrong >out.txt || code=$?
        [ "$code" = 1 ] || { echo "$command, $wrong: exit code $code"; cat out.txt; exit 1; }
        grep -q 'violation: assertion' out.txt
    done
done
code=0
"$PLUMB" run assume.c --save=no -- -DWRONG=0 >out.txt || code=$?
[ "$code" = 0 ] # never: a zero cannot be seen once ready is
