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
