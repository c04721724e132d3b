# Subject files: the calls, the hooks and the spec stand in the source.
source "$SRC/tests/check/lib.bash"
passes "$SRC/subjects/correct/queue_subject.c" --size 2x2 --model sc
[[ $(key result.json tests) = 45 ]] || die "not three calls"
[[ ! -s err ]] || { cat err; die "warnings"; }
violates not-linearizable "$SRC/subjects/correct/queue_subject.c" --spec lifo

cat >both.c <<'C'
#include <plumb.h>
#include <stdbool.h>
static int x, full, broken, registered;
static bool take(int *out) { bool was = full; if (was) *out = x; full = 0; return was; }
static void put(int v) { x = v; full = 1; if (v == 2) broken = 1; }
PLUMB_SETUP(full = 0; broken = 0)
PLUMB_THREAD_SETUP(registered = 1)
PLUMB_THREAD_TEARDOWN(registered = 0)
PLUMB_TEARDOWN(full = 0)
PLUMB_CALL(put(1))
PLUMB_CALL(put(2))
PLUMB_CALL_OUT(int v, take(&v), v)
PLUMB_INVARIANT(!broken)
C
passes both.c --test 'put(1),take(),take()'
violates invariant both.c --test 'put(2),take()'
# A macro of the header costs nothing without plumb.
cc -I"$SRC/include" -fsyntax-only -Wall -Wextra -Wno-unused -x c both.c
# Shared without a lock: a race is found on the way, in the test that shows it.
expect 1 check both.c --test 'put(1) | take()' --json result.json --save race.plumb
[[ $(key result.json violation kind) = data-race ]] || die 'no race'
expect 1 replay race.plumb
[[ $(key result.json violation test) = 'put(1) | take()' ]] || die "the race has no test"

# What goes with --call is refused where the file has the operations.
cat >own.c <<'C'
#include <plumb.h>
static plumb_result look(plumb_args a) { (void)a; return plumb_int(1); }
PLUMB_OP(look);
C
for option in setup teardown thread-setup thread-teardown invariant; do
    refused "--$option: goes with --call; own.c has its operations itself" check own.c --$option '1'
done

# --call instead of the file's operations: what the file says of setup holds for these calls, too.
cat >made.c <<'C'
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int *n;
static void make(void) { n = malloc(sizeof *n); atomic_init(n, 5); }
static void unmake(void) { free(n); }
static plumb_result inc(plumb_args a) { (void)a; return plumb_int(atomic_fetch_add(n, 1)); }
PLUMB_SUBJECT("made", .setup = make, .teardown = unmake);
PLUMB_OP(inc);
C
passes made.c --call 'atomic_fetch_add(n, 2)' --test 'atomic_fetch_add(2) | atomic_fetch_add(2)' --observations seen.xml
grep -q '>5<' seen.xml && grep -q '>7<' seen.xml || { cat seen.xml; die "the setup of the file"; }
passes made.c --call 'atomic_fetch_add(n, 2)' --setup 'make(); *n = 1' --test 'atomic_fetch_add(2)' --observations seen.xml
grep -q '>1<' seen.xml || { cat seen.xml; die "--setup instead of it"; }
