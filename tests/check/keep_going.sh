# --keep-going shows all that is wrong with a test: every line that fails, each shrunk by itself, and bad
# histories beside them. An assertion that fails hides neither a value read later nor a history.
source "$SRC/tests/check/lib.bash"
cat >three.c <<'C'
#include <assert.h>
#include <stdatomic.h>
static atomic_int x, n;
int get(void)
{
    int k = atomic_load(&x);
    assert(k != 1);
    assert(k != 2);
    return k;
}
void put(void)
{
    atomic_store(&x, 1);
    atomic_store(&x, 2);
    atomic_store(&x, 0);
}
int next(void)
{
    int old = atomic_load(&n);
    atomic_store(&n, old + 1);
    return old;
}
C
calls=(--call 'get()' --call 'put()' --call 'next()' --save no --json result.json)
# lines: which kinds of violation, at which lines, in which tests.
lines() {
    jq -r '[.findings[] | "\(.kind) \(.message | capture("^three.c:(?<n>[0-9]+):").n // "-") \(.test)"] |
        sort | join("; ")' result.json
}
for jobs in 1 2; do
    expect 1 check three.c "${calls[@]}" --test 'get(),next() | put(),next()' --keep-going --model sc --jobs $jobs
    [[ $(lines) = "assertion 7 get() | put(); assertion 8 get() | put(); not-linearizable - next() | next()" ]] ||
        { cat out; die "--jobs $jobs: $(lines)"; }
done
expect 1 check three.c "${calls[@]}" --test 'get(),next() | put(),next()' --model sc
[[ $(jq '.findings | length' result.json) = 1 ]] || die "without --keep-going the first one only"

# Each violation has a file of its own, also where the same is said of two of them; another run finds its own.
cat >pair.c <<'C'
#include <stdatomic.h>
static atomic_int a, b;
static int one(atomic_int *n)
{
    int old = atomic_load(n);
    atomic_store(n, old + 1);
    return old;
}
C
for run in first again; do
    expect 1 check pair.c --call 'one(&a)' --call 'one(&b)' --size 2x1 --keep-going --json result.json
    [[ $(jq -r '[.findings[] | .saved] | join(" ")' result.json) = 'pair-1.plumb pair-2.plumb' ]] ||
        die "$run: $(jq -c '[.findings[] | .saved]' result.json)"
done
expect 1 replay pair-1.plumb
grep -q 'Test: one(&a) | one(&a)' out || { cat out; die "what was saved first"; }

# Under rc11 no call is to blame: what is left of a test when it is shrunk says whether it was shown.
for jobs in 1 2; do
    expect 1 check pair.c --call 'one(&a)' --call 'one(&b)' --test 'one(&a),one(&b) | one(&b),one(&a)' --model rc11 \
        --keep-going --jobs $jobs --save no --json result.json
    [[ $(jq -c '[.findings[].test] | sort' result.json) = '["one(&a) | one(&a)","one(&b) | one(&b)"]' ]] ||
        { cat out; die "--jobs $jobs: $(jq -c '[.findings[].test]' result.json)"; }
    [[ $(grep -c 'Shrunk from 4 operations to 2. Nothing can be left out.' out) = 2 ]] || { cat out; die "shrunk"; }
done
# For build servers: each finding of the model, with its test.
expect 1 check three.c "${calls[@]}" --test 'get(),next() | put(),next()' --keep-going --model sc --junit result.xml
for line in 7 8; do
    grep -q "<failure .*three.c:$line: .*(get() | put())" result.xml || die "line $line is not in $(cat result.xml)"
done
[[ $(jq -r '[.findings[].model] | unique | join(" ")' result.json) = sc ]] || die "which model is not said"

# What is wrong under sc is not shown again under rc11, nor with other numbers or other threads.
cat >two.c <<'C'
#include <stdatomic.h>
static atomic_int count, last;
static void init(void) { count = last = 0; }
static int put(int v)
{
    if (atomic_load(&count) >= 1)
        return 0;
    atomic_store(&last, v);
    atomic_fetch_add(&count, 1);
    return 1;
}
C
expect 1 check two.c --setup 'init()' --call 'put(1)' --call 'put(2)' --size 2x2 --keep-going --save no --json result.json
[[ $(jq -c '[.findings[] | .model + " " + .test]' result.json) = \
    '["sc put(1) | put(1)","sc put(1) | put(2)"]' ]] || { cat out; die "$(jq -c '[.findings[] | .model + " " + .test]' result.json)"; }
expect 1 check two.c --setup 'init()' --call 'put(1)' --call 'put(2)' --size 2x2 --keep-going --save no --json result.json \
    --model rc11
[[ $(jq -c '[.findings[].test]' result.json) = '["put(1) | put(1)","put(1) | put(2)"]' ]] ||
    { cat out; die "rc11: $(jq -c '[.findings[].test]' result.json)"; }

# When the time is over nothing more is brought down to its smallest test: this took 109 s.
expect 1 check "$SRC/subjects/wrong/lineup_blocking_collection.c" --random 100 --size 3x3 --seed 1 --model sc --races=allow \
    --seconds 3 --keep-going --preemptions 2 --save no --json result.json
jq -e '.seconds < 30' result.json >/dev/null || die "$(key result.json seconds) s for 3"
