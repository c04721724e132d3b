# What each thread needs before its calls, main needs before its own: --init and --final.
source "$SRC/tests/check/lib.bash"
cat >registered.c <<'C'
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int n, registered;
static _Thread_local atomic_int *mine;
static void enter(void) { mine = &n; registered++; }
static void leave(void) { mine = NULL; registered--; }
static int inc(void) { return atomic_fetch_add(mine, 1); }
C
for model in sc rc11; do
    for around in "--init=inc()" "--final=inc()" "--init=inc(),inc()"; do
        passes registered.c --setup 'n = 0' --thread-setup 'enter()' --thread-teardown 'leave()' \
            --invariant 'registered == 0' --call 'inc()' --test 'inc() | inc()' "$around" --model $model
    done
done
