# What an answer of one, two or more values means to a built-in or written spec: the value counts,
# wherever it stands, and a flag beside it only says whether there is one.
source "$SRC/tests/check/lib.bash"

cat >queue.c <<'C'
#include <pthread.h>
#include <stdbool.h>
#ifndef WRONG
#define WRONG(v) (v)
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int q[16], h, t, x;
static void enq(int v) { pthread_mutex_lock(&m); q[t++] = v; pthread_mutex_unlock(&m); }
static int raw(void) { pthread_mutex_lock(&m); int v = h < t ? WRONG(q[h++]) : -1; pthread_mutex_unlock(&m); return v; }
static void leave(int *out) { *out = raw(); }
static bool flag(int *out) { int v = raw(); if (v >= 0) *out = v; return v >= 0; }
struct first { bool ok; int v; };
static struct first first(void) { int v = raw(); return (struct first){v >= 0, v}; }
struct last { int v; bool ok; };
static struct last last(void) { int v = raw(); return (struct last){v, v >= 0}; }
struct dense { char v; bool ok; };
static struct dense dense(void) { int v = raw(); return (struct dense){(char)v, v >= 0}; }
struct both { int ok, v; };
static struct both both(void) { int v = raw(); return (struct both){v >= 0, v}; }
struct one { long v; };
static struct one one(void) { return (struct one){raw()}; }
static double real(void) { return raw(); }
static bool real_flag(double *out) { int v = raw(); if (v >= 0) *out = v; return v >= 0; }
static void wr(int v) { pthread_mutex_lock(&m); x = v; pthread_mutex_unlock(&m); }
static void rd(int *out) { pthread_mutex_lock(&m); *out = WRONG(x); pthread_mutex_unlock(&m); }
static void has(int k, bool *out) { (void)k; pthread_mutex_lock(&m); *out = WRONG(x); pthread_mutex_unlock(&m); }
C
printf '#define WRONG(v) 9\n#include "queue.c"\n' >wrong.c
printf '#define WRONG(v) 1\n#include "queue.c"\n' >always.c
take() { # take CALL [--map …]: right, and wrong values are found
    local call=$1
    shift
    passes queue.c --setup 'h = t = 0' --spec fifo --call 'enq(2)' --call 'enq(3)' --call "$call" "$@" --size 2x1 --model sc
    violates not-linearizable wrong.c --setup 'h = t = 0' --spec fifo --call 'enq(2)' --call "$call" "$@" --size 2x1 --model sc
}
take 'int v; leave(&v) -> v' --map deq=leave
take 'int v; leave(&v) => v' --map deq=leave --empty -1
take 'int v; flag(&v) -> v' --map deq=flag
take 'first()' --map deq=first
take 'last()' --map deq=last
take 'dense()' --map deq=dense
take 'one()' --map deq=one
take 'both().v' --map deq=both
take 'real()' --map deq=real
take 'real()' --map deq=real --empty -1
take 'double v; real_flag(&v) -> v' --map deq=real_flag
# A value that no bool stands beside is not guessed.
expect 2 check queue.c --setup 'h = t = 0' --spec fifo --call 'enq(2)' --call 'both()' --map deq=both --size 2x1 --model sc
grep -qF -- "--spec fifo: both() answers several values, and which one counts is not known; name it, as in --call 'both().value'" err ||
    { cat err; die "which value counts?"; }

# A call goes by its name also where a member of its answer is looked at, by the call or by way of a variable.
passes queue.c --setup 'h = t = 0' --call 'enq(2)' --call 'both().v' --call 'struct both b = both(); b.v => b.ok' \
    --group both,enq --test 'both().v,enq(2),both()' --model sc

# Others that leave their answer in an out-parameter.
value=(--setup 'x = 0' --map 'write=wr,read=rd' --call 'int v; rd(&v) -> v' --size 2x1)
passes queue.c --spec register --call 'wr(1)' "${value[@]}"
violates not-linearizable wrong.c --spec register --call 'wr(1)' "${value[@]}"
passes queue.c --spec counter --setup 'x = 0' --map read=rd --call 'int v; rd(&v) -> v' --size 2x1 --model sc
violates not-linearizable wrong.c --spec counter --setup 'x = 0' --map read=rd --call 'int v; rd(&v) -> v' --size 2x1 --model sc
violates not-linearizable always.c --spec set --setup 'x = 0' --call 'bool b; has(1, &b) -> b' --size 2x1 --model sc

# A table: what docs/check.md shows of two values, and nothing beside a value.
cat >table.c <<'C'
#include <plumb.h>
#include "queue.c"
static void setup(void) { h = t = 0; }
static plumb_result put(plumb_args a) { enq((int)a.i[0]); return plumb_ok(); }
static plumb_result take(plumb_args a) { int v = raw(); (void)a; return plumb_and(plumb_bool(v >= 0), plumb_int(v)); }
PLUMB_SUBJECT("table", .setup = setup, .spec = "fifo");
PLUMB_OP(put, .ints = {1, 2});
PLUMB_OP(take);
C
sed 's/queue.c/wrong.c/' table.c >wrong_table.c
passes table.c --test 'put(1) | take()' --test 'put(2) | take()'
violates not-linearizable wrong_table.c --test 'put(1) | take()'

# A written spec has the same of a call that leaves its answer.
cat >spec.c <<'C'
#include <plumb/spec.h>
struct plumb_state { int v; };
PLUMB_STEP(rd) { return plumb_int(s->v); }
PLUMB_STEP(wr) { s->v = (int)a.i[0]; return plumb_ok(); }
C
passes queue.c --spec spec.c --setup 'x = 0' --call 'wr(1)' --call 'int v; rd(&v) -> v' --size 2x1 --model sc
violates not-linearizable wrong.c --spec spec.c --setup 'x = 0' --call 'wr(1)' --call 'int v; rd(&v) -> v' --size 2x1 --model sc

# What "nothing" looks like is so of whatever a map answers.
cat >map.c <<'C'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int at;
static void put(int k, int v) { (void)k; pthread_mutex_lock(&m); at = v; pthread_mutex_unlock(&m); }
static int swap(int k, int v) { (void)k; pthread_mutex_lock(&m); int old = at; at = v; pthread_mutex_unlock(&m); return old; }
C
passes map.c --spec map --setup 'at = -1' --call 'put(1, 5)' --call 'swap(1, 8)' --size 2x1 --empty -1
passes map.c --spec map --setup 'at = -1' --call 'put(1, 5)' --call 'swap(1, 8)' --size 2x1 --model sc

# A value that means nothing cannot be put in; what is not asked for does not get it either.
refused() {
    expect 2 "${@:2}" --save=no
    grep -qF -- "$1" err || { cat err; die "no: $1"; }
}
refused 'enq(-1) puts in what is answered where there is nothing' check queue.c --setup 'h = t = 0' --spec fifo \
    --call 'enq(-1)' --call 'raw()' --map deq=raw --size 2x1
refused 'enq(2) puts in what is answered where there is nothing' check queue.c --setup 'h = t = 0' --spec fifo \
    --call 'enq(2)' --call 'raw()' --map deq=raw --size 2x1 --empty 2
sed 's/: -1; pthread/: 2; pthread/' queue.c >two.c
passes two.c --setup 'h = t = 0' --spec fifo --call 'enq(1)' --call 'raw()' --map deq=raw --test 'enq(1),enq(1),raw()' --model sc
# A call that is written like a statement.
passes queue.c --setup 'h = t = 0' --spec fifo --call 'enq(2);' --call 'raw() ;' --map deq=raw --test 'enq(2),raw()' --model sc

# Floating point with as many digits as tell two apart.
cat >floats.c <<'C'
#include <stdatomic.h>
static atomic_int a, b;
static void set(void) { a = 1; b = 1; }
static double get(void) { int x = a, y = b; return x != y ? 0.1 + 0.2 : 0.3; }
static float small(void) { int x = a, y = b; return x != y ? 0.30000004f : 0.3f; }
C
violates not-linearizable floats.c --call 'get()' --call 'set()' --test 'get() | set()' --model sc
grep -q 'get() answers 0.3, not 0.30000000000000004$' first || { cat first; die "doubles look alike"; }
violates not-linearizable floats.c --call 'small()' --call 'set()' --test 'small() | set()' --model sc
grep -q 'small() answers 0.3, not 0.30000004$' first || { cat first; die "floats look alike"; }
