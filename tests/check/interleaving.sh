# The interleaving of a report: with the fewest preemptions, in the order that the history has, and the
# same when it is replayed.
source "$SRC/tests/check/lib.bash"
s=$SRC/subjects
sc=(--model sc --races=allow)

# Of two calls of which one had returned before the other in the history, so it is in the interleaving.
in_order() {
    awk '
        function call(text) { sub(/ = .*/, "", text); gsub(/^ +| +$/, "", text); return text }
        function before(marks, a, b) { return index(marks, "<" a ">") && index(marks, "[" b "]") &&
                                              index(marks, "<" a ">") < index(marks, "[" b "]") }
        /^      ▶ / { n = split($0, part, / *(▶|◀) /); rest = $0
                      for (i = 2; i <= n; i++) {
                          is_call = index(rest, "▶") && (!index(rest, "◀") || index(rest, "▶") < index(rest, "◀"))
                          rest = substr(rest, index(rest, is_call ? "▶" : "◀") + 1)
                          name[i] = call(part[i])
                          history = history (is_call ? "[" name[i] "]" : "<" name[i] ">") } }
        /^ +[0-9]+ .*▶ / { sub(/.*▶ /, ""); shown = shown "[" call($0) "]" }
        /^ +[0-9]+ .*◀ / { sub(/.*◀ /, ""); shown = shown "<" call($0) ">" }
        END { if (!history || !shown) { print "no history or no interleaving"; exit 1 }
              for (i in name) for (k in name)
                  if (before(history, name[i], name[k]) && !before(shown, name[i], name[k])) {
                      print name[i] " is not before " name[k] ": " history " " shown; exit 1 } }' out ||
        { cat out; die "$1"; }
}

# fewest PREEMPTIONS FILE ARGUMENTS...: of the violation; with one less there is none.
fewest() {
    local most=$1
    shift
    violates "$(kind_of "$@")" "$@"
    in_order "$1"
    [[ $(key result.json findings 0 preemptions) = "$most" ]] ||
        { cat out; die "$1: $(key result.json findings 0 preemptions) preemptions"; }
    [[ $most = 0 ]] || expect 0 check "$@" --preemptions $((most - 1))
}
kind_of() {
    "$PLUMB" check "$@" --save no --json kind.json >/dev/null || true
    key kind.json violation kind
}

fewest 4 "$s/wrong/lineup_reset_event.c" "${sc[@]}" --test 'wait() | set(),reset(),set()'
fewest 1 "$s/wrong/lineup_queue.c" "${sc[@]}" --test 'enqueue(1),try_dequeue() | try_dequeue()'
fewest 2 "$s/wrong/lineup_blocking_collection.c" "${sc[@]}" --test 'add(3) | try_add(1),try_take() | take()'

# Under rc11 an interleaving that sc has is shown so, too; one that it has not is left as it is.
violates not-linearizable "$s/wrong/lineup_queue.c" --model rc11 --test 'enqueue(1),try_dequeue() | try_dequeue()'
[[ $(key result.json findings 0 preemptions) -le 2 ]] || { cat out; die "rc11: many preemptions"; }

# What the history orders and the execution does not: the write is over before the read, of which
# nothing in the program tells.
cat >stale.c <<'C'
#include <stdatomic.h>
static atomic_int written, other;
static void write(int v) { atomic_store(&written, v); }
static int read(void) { return atomic_load(&other); }
C
for test in 'write(1) | read()' 'read() | write(1)'; do
    for model in sc rc11; do
        violates not-linearizable stale.c --call 'write(1)' --call 'read()' --spec register \
            --no-shrink --model $model --test "$test"
        [[ $model = rc11 ]] || in_order "$test"
        grep -n '[▶◀]' out | grep -A9 '▶ write(1)$' | grep -q '▶ read()' ||
            { cat out; die "$test: the read begins before the write has ended, $model"; }
    done
done

# Of a long one the steps stay at which the threads meet, not the last ones; and how to see the rest.
cat >long.c <<'C'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n, log_[64], k;
static int peek(void) { pthread_mutex_lock(&m); int r = n; pthread_mutex_unlock(&m); return r; }
static void note(int x)
{
    pthread_mutex_lock(&m);
    for (int i = 0; i < 12; i++)
        log_[k++ & 63] = x;
    pthread_mutex_unlock(&m);
}
static void set(int x) { pthread_mutex_lock(&m); n = x; pthread_mutex_unlock(&m); }
static int inc(void) { int r = peek(); note(r); set(r + 1); note(r); return r; }
C
violates not-linearizable long.c --call 'inc()' --test 'inc() | inc()' --model sc
[[ $(grep -c 'long.c:4  read n = 0' out) = 2 && $(grep -c 'long.c:12  write n = 1' out) = 2 ]] ||
    { cat out; die "the steps that matter are not shown"; }
[[ $(grep -c 'write log_' out) -le 2 ]] || { cat out; die "steps that do not matter are shown"; }
[[ $(grep -c 'steps not shown (--trace=full) …$' out) = 1 ]] || { cat out; die "how to see the rest"; }
! grep -q '… 1 step not shown' out || { cat out; die "a note for one step"; }
expect 1 replay found.plumb --trace=full
! grep -q 'not shown' out || die "not the full trace"

# The star is at the access that is wrong, also if that is atomic, or a free.
cat >refs.cc <<'C'
#include <atomic>
struct node { std::atomic<int> refs{2}; };
static node *n;
static void put() { if (n->refs.fetch_sub(1) == 1) delete n; }
static void get() { n->refs.fetch_add(1); }
static void end() { delete n; delete n; }
C
violates use-after-free refs.cc --setup 'n = new node' --call 'put()' --test 'put(),put(),put()' --model sc \
    --no-shrink
grep -q '^    \*.* refs.cc:4  write node#1.refs$' first || { cat first; die "no star at the atomic access"; }
violates double-free refs.cc --setup 'n = new node' --teardown 'end()' --call 'get()' --test 'get()' --model sc \
    --no-shrink
grep -q '^    \*.* refs.cc:6  free(node#1)$' first || { cat first; die "no star at the free"; }
[[ $(grep -c 'refs.cc:6  free(node#1)$' first) = 2 ]] || { cat first; die "not both frees"; }

# After the last return main only cleans up; and a string literal has no name.
cat >clean.cc <<'C'
#include <atomic>
#include <cstring>
#include <mutex>
#include <vector>
struct list { std::vector<int> v{1}; ~list() { v.clear(); } };
static list all;
static std::atomic<int> n;
static char text[8];
static std::mutex lock;
static void note() { std::lock_guard l(lock); std::memcpy(text, "zer", 4); }
static int inc() { int v = n; note(); n = v + 1; return v + (int)all.v.size(); }
static void end() { n = 0; }
C
violates not-linearizable clean.cc --call 'inc()' --teardown 'end()' --test 'inc() | inc()' --model sc
[[ $(sed -n '/How it happens/,/Nothing can/p' first | grep . | tail -2 | head -1) = *'◀ inc() = '* ]] ||
    { cat first; die "what main does after the test"; }
! grep -q '??' first && grep -q 'read constant data' first || { cat first; die "an unknown name"; }
