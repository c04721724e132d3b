# Linearization points: the subjects of the thesis have the same verdicts as without points, a wrong
# mark is told apart from a wrong structure, helping, objects, bad input. docs/points.md.
source "$SRC/tests/check/lib.bash"
s=$SRC/subjects
points=(--criterion points)
sc=(--model sc)

# both VERDICT FILE ARGUMENTS...: with points and without, under each model.
both() {
    local expected=$1 criterion model
    shift
    for criterion in linearizable points; do
        for model in sc tso rc11; do
            [[ $criterion = linearizable && $model != sc ]] && continue # thesis.sh
            local arguments=(check "$@" --criterion "$criterion" --model "$model" --no-shrink --save no --json result.json)
            if [[ $expected = pass ]]; then
                expect 0 "${arguments[@]}"
            else
                expect 1 "${arguments[@]}"
                [[ $(key result.json violation kind) = "$expected" ]] || { cat out; die "$1: not $expected"; }
            fi
            [[ $(key result.json criterion) = "$criterion" ]] || die "criterion in the JSON"
        done
    done
}

both pass "$s/correct/lock_free_set.c" --spec set --test 'add(5),add(5) | del(5)'
both pass "$s/correct/lock_free_set.c" --spec set --test 'add(5),del(5) | has(5),del(5) | add(5)'
both stuck "$s/wrong/buggy_queue.c" --spec fifo --blocking deq --test 'deq() | enq(8),enq(9)'
both not-linearizable "$s/wrong/lock_free_list.c" --spec set --test 'add(5),add(6),add(7),del(5),del(6) | del(6)'
both not-linearizable "$s/wrong/lock_free_list.c" --spec set --test 'add(5),add(7),del(5),has(6) | add(6)'
snap='write_cell(1,101),write_cell(3,201),write_cell(1,301) | has_pair(1,3)'
both pass "$s/correct/pair_snapshot.c" --spec "$s/specs/pair_snapshot.c" --test "$snap"
both not-linearizable "$s/wrong/pair_snapshot.c" --spec "$s/specs/pair_snapshot.c" --test "$snap"
both not-linearizable "$s/wrong/snark_deque.c" --spec deque --test 'pop_right() | push_right(4),push_right(5),pop_left()'
both pass "$s/wrong/snark_deque.c" --spec deque --test 'pop_right() | push_right(6),pop_left()'
both not-linearizable "$s/wrong/snark_halves.c" --spec deque --test 'pop_right() | push_right(6),pop_left()'

# ---- a wrong mark is no wrong structure ----

cat >queue.c <<'C'
#include <plumb.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
struct node { int value; _Atomic(struct node *) next; };
static _Atomic(struct node *) head, tail;
static struct node *node_new(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    atomic_init(&n->next, NULL);
    return n;
}
static void queue_init(void)
{
    struct node *d = node_new(0);
    atomic_init(&head, d);
    atomic_init(&tail, d);
}
#ifndef BEFORE
#define BEFORE ((void)0)
#endif
#ifndef LINKED
#define LINKED PLUMB_POINT_IF(linked)
#endif
static void enq(int value)
{
    struct node *n = node_new(value);
    for (;;) {
        struct node *last = atomic_load(&tail), *next = atomic_load(&last->next);
        if (next) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        BEFORE;
        bool linked = atomic_compare_exchange_strong(&last->next, &next, n);
        LINKED;
        if (linked) {
            atomic_compare_exchange_strong(&tail, &last, n);
            return;
        }
    }
}
static int deq(void)
{
    for (;;) {
        struct node *first = atomic_load(&head), *last = atomic_load(&tail);
        struct node *next = atomic_load(&first->next);
        if (first == last && !next)
            return 0;
        if (first == last) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        int value = next->value;
        bool mine = atomic_compare_exchange_strong(&head, &first, next);
        PLUMB_POINT_IF(mine);
        if (mine)
            return value;
    }
}
PLUMB_SETUP(queue_init())
PLUMB_CALL(enq(1))
PLUMB_CALL(enq(2))
PLUMB_CALL(deq())
PLUMB_SPEC(fifo)
C
passes queue.c "${points[@]}" --size 2x1
grep -q 'the points are right, so linearizable, in' out || die "the verdict"
sed '1i #define BEFORE PLUMB_POINT()\n#define LINKED (void)0' queue.c >before.c
sed '1i #define LINKED (void)0' queue.c >none.c
violates point-mismatch before.c "${points[@]}" "${sc[@]}"
grep -q 'the structure is fine here, the point is not' first || die "told apart"
grep -q '^      ▶ enq(1) ● enq(1) ▶ deq() ◀ deq() = 0$' first || { cat first; die "the history"; }
grep -q '^      deq() = 0, enq(1)$' first || die "an order that explains it"
[[ $(key result.json violation message) = *"deq() = 0 on thread 2 passed no point"* ]] || die "the message"
violates point-mismatch none.c "${points[@]}" "${sc[@]}"
grep -q 'passed no point, and with this answer it changes the object' first || { cat first; die "no point"; }
expect 0 check queue.c "${points[@]}" "${sc[@]}" --test 'enq(1),deq() | enq(2)' --stats
grep -q '^statistics, decider points$' out || die "statistics"

# ---- points that come before each other: each thread finds the store of the other not made yet ----

cat >buffers.c <<'C'
#include <plumb.h>
#include <stdatomic.h>
static atomic_int x, y;
static void one(atomic_int *mine, atomic_int *other)
{
    atomic_store_explicit(mine, 1, memory_order_relaxed);
    (void)atomic_load_explicit(other, memory_order_relaxed);
    PLUMB_POINT();
}
static void left(void) { one(&x, &y); }
static void right(void) { one(&y, &x); }
PLUMB_CALL(left())
PLUMB_CALL(right())
C
printf '#include <plumb/spec.h>\nstruct plumb_state { int calls; };\n' >calls.c
printf 'PLUMB_STEP(%s) { s->calls++; return plumb_ok(); }\n' left right >>calls.c
passes buffers.c --spec "$PWD/calls.c" "${points[@]}" "${sc[@]}" --test 'left() | right()'
for model in tso rc11; do
    violates point-mismatch buffers.c --spec "$PWD/calls.c" "${points[@]}" --model $model --test 'left() | right()'
    grep -q 'come before each other; the structure is fine here, the point is not' first || { cat first; die "a cycle"; }
done

# ---- helping ----

cat >helped.c <<'C'
#include <plumb.h>
#include <stdatomic.h>
#include <stdbool.h>
/* A register: a write is a request that anybody may carry out. */
static _Atomic int request; /* value + 256 * operation; 0: none */
static _Atomic int cell;
static int put(int value)
{
    int mine = value + 256 * PLUMB_OPERATION(), none = 0;
    if (!atomic_compare_exchange_strong(&request, &none, mine))
        return 0;
    for (;;) {
        int r = atomic_load(&request);
        if (r != mine)
            return 1;
        HELP(r);
    }
}
static int get(void)
{
    int r = atomic_load(&request);
    if (r)
        HELP(r);
    return atomic_load(&cell);
}
static void assist(void)
{
    int r = atomic_load(&request);
    if (r)
        HELP(r);
}
PLUMB_CALL(put(1))
PLUMB_CALL(get())
PLUMB_CALL(assist())
C
cat >right.c <<'C'
static void help(int r);
#define HELP help
#include "helped.c"
static _Atomic int busy;
static void help(int r) /* one does it, and the request is gone afterwards */
{
    int no = 0;
    if (!atomic_compare_exchange_strong(&busy, &no, 1))
        return;
    if (atomic_load(&request) == r) {
        atomic_store(&cell, r % 256);
        PLUMB_POINT_FOR(r / 256, 1);
        atomic_store(&request, 0);
    }
    atomic_store(&busy, 0);
}
C
sed 's/PLUMB_POINT_FOR(r \/ 256, 1);//; s/atomic_store(&busy, 0);/& PLUMB_POINT_FOR(r \/ 256, 1);/' right.c >late.c
cat >spec.c <<'C'
#include <plumb/spec.h>
struct plumb_state { int value; };
PLUMB_STEP(put) { s->value = (int)a.i[0]; return plumb_int(1); }
PLUMB_STEP(get) { return plumb_int(s->value); }
PLUMB_STEP(assist) { return plumb_ok(); }
C
test=(--test 'put(1) | get()' --spec spec.c)
passes right.c "${points[@]}" "${test[@]}"
assist=(--test 'put(1) | assist()' --spec spec.c)
passes right.c "${points[@]}" "${assist[@]}"
violates point-mismatch late.c "${points[@]}" "${sc[@]}" "${assist[@]}"
grep -Eq 'the point of put\(1\) = 1 on thread 1 \(late.c:[0-9]+\) can be passed outside its call' first ||
    { cat first; die "helping too late"; }
grep -Eq '● put\(1\) \(by assist\(\)\)' first || { cat first; die "who helped"; }
sed 's/PLUMB_POINT_FOR(r \/ 256, 1)/PLUMB_POINT_FOR(77, 1)/' right.c >nobody.c
expect 2 check nobody.c "${points[@]}" "${test[@]}"
grep -q '^nobody.c:12: PLUMB_POINT_FOR: there is no such operation' err || { cat err; die "nobody is helped"; }

# ---- a thread that the object has made for itself ----

cat >server.c <<'C'
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static int whose;
static pthread_t server;
static void *serve(void *unused)
{
    atomic_fetch_add(&x, 1);
    PLUMB_POINT_FOR(whose, 1);
    return unused;
}
static void inc(void)
{
    whose = PLUMB_OPERATION();
    pthread_create(&server, NULL, serve, NULL);
    WAIT;
}
static int get(void)
{
    int v = atomic_load(&x);
    PLUMB_POINT();
    return v;
}
PLUMB_CALL(inc())
PLUMB_CALL(get())
PLUMB_SPEC(counter)
C
sed '1i #define WAIT pthread_join(server, NULL)' server.c >waits.c
sed -e '1i #define WAIT (void)0' -e '$a PLUMB_TEARDOWN(pthread_join(server, NULL))' server.c >goes.c
for model in sc tso rc11; do
    passes waits.c "${points[@]}" --model $model --test 'inc() | get()'
done
expect 1 check goes.c "${points[@]}" "${sc[@]}" --test 'inc()' --no-shrink --save no
grep -Eq '^goes.c: the point of inc\(\) on thread 1 \(goes.c:[0-9]+\) can be passed outside its call' out || { cat out; die "after its return"; }
grep -q '● inc() (by another thread)' out || { cat out; die "by whom"; }
sed 's/whose = PLUMB_OPERATION/whose = 7 + PLUMB_OPERATION/' waits.c >nobody.c
expect 2 check nobody.c "${points[@]}" "${sc[@]}" --test 'inc() | get()'
grep -Eq '^nobody.c:[0-9]+: PLUMB_POINT_FOR: there is no such operation' err || { cat err; die "it helps nobody"; }
sed 's/PLUMB_POINT_FOR(whose, 1)/PLUMB_POINT()/' waits.c >whose.c
expect 2 check whose.c "${points[@]}" "${sc[@]}" --test 'inc() | get()'
grep -Eq '^whose.c:[0-9]+: PLUMB_POINT outside any operation' err || { cat err; die "whose point"; }

# ---- two operations that take effect at one access: nothing comes between ----

cat >elim.c <<'C'
#include <plumb.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <pthread.h>
/* A stack under a lock, with one slot where a push and a pop may meet. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int item[8], top;
static atomic_int slot; /* 0 free; value + 16 * (operation + 1) offered; -1 taken */
static void push(int v)
{
    int none = 0, mine = v + 16 * (PLUMB_OPERATION() + 1);
    if (atomic_compare_exchange_strong(&slot, &none, mine)) {
        int is = mine;
        if (!atomic_compare_exchange_strong(&slot, &is, 0)) {
            atomic_store(&slot, 0);
            return; /* taken: the pop has marked both */
        }
    }
    pthread_mutex_lock(&m);
    item[top++] = v;
    PLUMB_POINT();
    pthread_mutex_unlock(&m);
}
static int pop(void)
{
    int is = atomic_load(&slot);
    if (is > 0) {
        bool mine = atomic_compare_exchange_strong(&slot, &is, -1);
#ifdef WRONG
        PLUMB_POINT_IF(mine);
        PLUMB_POINT_FOR(is / 16 - 1, mine);
#else
        PLUMB_POINT_FOR(is / 16 - 1, mine);
        PLUMB_POINT_IF(mine);
#endif
        if (mine)
            return is % 16;
    }
    pthread_mutex_lock(&m);
    int v = top ? item[--top] : 0;
    PLUMB_POINT();
    pthread_mutex_unlock(&m);
    return v;
}
PLUMB_CALL(push(1))
PLUMB_CALL(push(2))
PLUMB_CALL(pop())
PLUMB_SPEC(lifo)
C
sed '1i #define WRONG' elim.c >elim_wrong.c
elimination=("${points[@]}" --test 'push(1),pop() | push(2),pop()' --test 'push(1) | pop() | push(2),pop()')
for model in sc tso rc11; do
    passes elim.c "${elimination[@]}" --model "$model"
done
violates point-mismatch elim_wrong.c "${points[@]}" "${sc[@]}" --test 'push(1) | pop()'

# ---- objects within objects ----

sed 's/PLUMB_POINT_IF(mine)/PLUMB_POINT_OF(\&head, mine)/' queue.c >object.c
sed 's/PLUMB_SETUP(queue_init())/PLUMB_SETUP(queue_init(); PLUMB_POINTS_OF(\&head))/' object.c >its.c
sed 's/PLUMB_SETUP(queue_init())/PLUMB_SETUP(queue_init(); PLUMB_POINTS_OF(\&tail))/' object.c >other.c
passes object.c "${points[@]}" "${sc[@]}" --test 'enq(1) | deq()'
passes its.c "${points[@]}" "${sc[@]}" --test 'enq(1) | deq()'
violates point-mismatch other.c "${points[@]}" "${sc[@]}" --test 'enq(1) | deq()'

# In production nothing is left, not even a warning.
for file in queue right its; do
    clang-19 -Wall -Wextra -Werror -O1 -I"$SRC/include" -S -o "$file.s" "$file.c" -Wno-unused-function
    gcc -Wall -Wextra -Werror -O1 -I"$SRC/include" -S -o "$file.s" "$file.c" -Wno-unused-function
    grep -q 'plumb_\(point\|operation\)' "$file.s" && die "$file: production code"
done

# ---- bad input ----

sed 's/PLUMB_SETUP(queue_init())/PLUMB_SETUP(queue_init(); enq(3))/' queue.c >outside.c
expect 2 check outside.c "${points[@]}"
grep -Eq '^outside.c:[0-9]+: PLUMB_POINT outside any operation' err || { cat err; die "outside"; }
passes outside.c --spec derived "${sc[@]}" --test 'enq(1) | deq()'
sed 's/struct node \*n = node_new(value);/PLUMB_POINT(); &/' queue.c >early.c
expect 2 check early.c "${points[@]}"
grep -Eq '^early.c:[0-9]+: PLUMB_POINT: the operation has made no atomic access yet' err || { cat err; die "early"; }
expect 2 check queue.c "${points[@]}" --spec derived
grep -q 'criterion points executes a spec' err || { cat err; die "no spec"; }
expect 2 check queue.c "${points[@]}" --golden queue.c
expect 2 check queue.c "${points[@]}" --decider enumerate
expect 2 check queue.c "${points[@]}" --factor 2

# ---- clients that synchronise their calls ----

# A set of flags. ADDED: the mark of add is at a store after the one that adds. LOOKED: that of look
# is at a load that says nothing of its key.
cat >client.c <<'C'
#include <plumb.h>
#include <stdatomic.h>
#include <stdbool.h>
static atomic_bool present[3], noted;
static bool add(int key)
{
    bool was = atomic_exchange_explicit(&present[key], true, memory_order_relaxed);
#ifndef ADDED
    PLUMB_POINT_IF(!was);
#endif
    atomic_store_explicit(&noted, true, memory_order_relaxed);
#ifdef ADDED
    PLUMB_POINT_IF(!was);
#endif
    return !was;
}
static bool has(int key) { return atomic_load_explicit(&present[key], memory_order_relaxed); }
static bool look(int key)
{
    bool is = atomic_load_explicit(&present[key], memory_order_relaxed);
#ifndef LOOKED
    PLUMB_POINT();
#endif
    (void)atomic_load_explicit(&noted, memory_order_relaxed);
#ifdef LOOKED
    PLUMB_POINT();
#endif
    return is;
}
PLUMB_CALL(add(1))
PLUMB_CALL(has(1))
PLUMB_CALL(look(2))
C
cat >flags.c <<'C'
#include <plumb/spec.h>
struct plumb_state { int in[3]; };
PLUMB_STEP(add) { int was = s->in[a.i[0]]; s->in[a.i[0]] = 1; return plumb_bool(!was); }
PLUMB_STEP(has) { return plumb_bool(s->in[a.i[0]]); }
PLUMB_STEP(look) { return plumb_bool(s->in[a.i[0]]); }
C
sed '1i #define ADDED' client.c >added.c
sed '1i #define LOOKED' client.c >looked.c
flags=(--spec flags.c "${points[@]}" --test 'add(1) | has(1) | look(2)')
for model in sc tso rc11; do
    passes client.c "${flags[@]}" --model "$model"
done
# Nobody contradicts the mark of add, unless look(2) is called when has(1) = true has returned.
for model in tso rc11; do
    violates point-mismatch added.c "${flags[@]}" --model "$model"
    grep -q '^      has(1) on thread 2 returns before look(2) on thread 3 is called$' first || { cat first; die "the client"; }
    grep -q '^      add(1) = true, has(1) = true, look(2) = false$' first || { cat first; die "an order for that client"; }
done
# Only rc11 has an add that look(2) has seen and has(1), called after it, has not.
for model in sc tso; do
    passes looked.c "${flags[@]}" --model "$model"
done
violates point-mismatch looked.c "${flags[@]}" --model rc11
grep -q '^      look(2) on thread 3 returns before has(1) on thread 2 is called$' first || { cat first; die "the other client"; }

# ---- which accesses serve ----

# serve OPERATION: the texts of those that do, without directories.
serve() {
    python3 -c 'import json, re, sys
for o in json.load(open("result.json"))["points"]:
    if o["operation"] == sys.argv[1]:
        groups = {"": o["serve"]}
        groups.update({a["answer"]: a["serve"] for a in o.get("answers", [])})
        print("; ".join(re.sub(r"/[^:]*/", "", t) for t in groups[sys.argv[2]]) or "none")' "$1" "${2-}"
}
line_of() { grep -nF "$2" "$1" | head -1 | cut -d: -f1; }
infer=(--infer-points "${sc[@]}")

printf '%s\n' '#include <stdatomic.h>' 'static atomic_int x;' 'static int inc(void) { return atomic_fetch_add(&x, 1); }' >looked.c
printf '#include "%s"\n#include <plumb.h>\n' "$s/correct/ms_queue.c" >ms.c
printf 'PLUMB_%s\n' 'SETUP(queue_init())' 'CALL(enq(1))' 'CALL(enq(2))' 'CALL(deq())' 'SPEC(fifo)' >>ms.c
passes ms.c "${infer[@]}" --size 2x2
link=$(line_of "$s/correct/ms_queue.c" '(&last->next, &next, n, LINK,')
[[ $(serve enq) = "ms_queue.c:$link compare_exchange" ]] || { cat out; die "Michael–Scott enqueue: $(serve enq)"; }
grep -q "^  enq: .*ms_queue.c:$link compare_exchange$" out || die "the line for people"
moves=$(line_of "$s/correct/ms_queue.c" '(&head, &first, next,')
[[ $(serve deq 1) = *"ms_queue.c:$moves compare_exchange"* ]] || die "dequeue of a value: $(serve deq 1)"
[[ $(serve deq 0) = *"ms_queue.c:$((link + 14)) load"* ]] || die "empty dequeue: $(serve deq 0)"

# two calls of one operation are two places of the driver, not of the operation; and a call may be the access itself
passes "$s/correct/ms_queue.c" "${infer[@]}" --spec fifo --setup 'queue_init()' --call 'enq(1)' --call 'enq(2)' --call 'deq()' \
    --size 2x1
[[ $(serve enq) = "ms_queue.c:$link compare_exchange" ]] || { cat out; die "enqueue, called twice: $(serve enq)"; }
passes looked.c "${infer[@]}" --spec counter --map read=atomic_load --call 'inc()' --call 'atomic_load(&x)' --size 2x1
[[ $(serve inc) = "looked.c:3 read-modify-write" && $(serve atomic_load) = "--call:2 load" ]] ||
    { cat out; die "a call that is an access"; }

passes "$s/correct/lock_free_set.c" "${infer[@]}" --spec set --test 'add(5),add(5) | del(5)' \
    --test 'add(5) | has(5) | del(5)' --test 'add(5) | add(5),del(5)'
store=$(line_of "$s/correct/lock_free_set.c" 'atomic_store_explicit(link, n,')
[[ $(serve add true) = "lock_free_set.c:$store from lock_free_set.c:"*" store" ]] || die "set add: $(serve add true)"
[[ $(serve add) = none ]] || die "set add, whatever it answers: $(serve add)"

# Of the queue of Herlihy and Wing it is the enqueue that has none; docs/points.md says why.
printf '#include "%s"\n#include <plumb.h>\n' "$s/correct/hw_queue.c" >hw.c
printf 'PLUMB_%s\n' 'CALL(enq(1))' 'CALL(enq(2))' 'CALL(enq(3))' 'CALL(deq())' 'SPEC(fifo)' 'BLOCKING(deq)' >>hw.c
passes hw.c "${infer[@]}" --test 'enq(1) | deq()' --test 'enq(1) | enq(2) | deq() | deq()' --test 'enq(1),deq() | enq(2),deq()' \
    --test 'enq(1),enq(2) | enq(3),deq() | deq()' --test 'enq(1),deq() | enq(2),deq() | enq(3),deq()'
[[ $(serve enq) = none ]] || die "Herlihy–Wing enqueue: $(serve enq)"
sweep=$(line_of "$s/correct/hw_queue.c" 'atomic_exchange_explicit(')
[[ $(serve deq) = "hw_queue.c:$sweep read-modify-write" ]] || die "Herlihy–Wing dequeue: $(serve deq)"

# An instruction that is executed twice in a call: the last time counts.
cat >looks.c <<'C'
#include <plumb.h>
#include <stdatomic.h>
static atomic_int x;
__attribute__((noinline)) static int look(void) { return atomic_load(&x); }
static int get(void) { (void)look(); return look(); }
static void inc(void) { atomic_fetch_add(&x, 1); }
PLUMB_CALL(get())
PLUMB_CALL(inc())
PLUMB_SPEC(counter)
C
passes looks.c "${infer[@]}" --test 'inc() | get()'
[[ $(serve get) = "looks.c:4 from looks.c:5 load" || $(serve get) = "looks.c:4 load" ]] || die "the second look: $(serve get)"

# Two accesses on a line are two: no one of them serves whatever get() answers.
cat >line.c <<'C'
#include <plumb.h>
#include <stdatomic.h>
static atomic_int x;
static void inc(void) { atomic_fetch_add(&x, 1); }
static int get(void) { int a = atomic_load(&x), b = atomic_load(&x); return a ? b : 0; }
PLUMB_CALL(inc())
PLUMB_CALL(get())
PLUMB_SPEC(counter)
C
passes line.c "${infer[@]}" --test 'inc(),inc() | get()'
[[ $(serve get) = none && $(serve get 0) = "line.c:5:32 load" && $(serve get 2) = "line.c:5:53 load" ]] ||
    { cat out; die "two accesses on a line"; }

expect 2 check ms.c --infer-points
grep -q 'add --model sc' err || die "a clock"
expect 2 check ms.c "${infer[@]}" "${points[@]}"
expect 2 check ms.c "${infer[@]}" --jobs 2

# Real threads pass the marks, too.
expect 0 stress queue.c --rounds 2 --operations 50 --hang-seconds 60 --save no
