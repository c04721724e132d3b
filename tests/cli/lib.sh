# What the scripts of this directory share. Sourced; not a test.

die() {
    echo "FAILED: $*"
    exit 1
}

# expect CODE ARGUMENTS...: runs plumb; its output is in out and err.
expect() {
    local expected=$1 code=0
    shift
    "$PLUMB" "$@" >out 2>err </dev/null || code=$?
    [ "$code" = "$expected" ] || { cat out err && die "plumb $*: exit code $code, not $expected"; }
}

# refused TEXT ARGUMENTS...: bad input. Nothing on stdout, one line on stderr, exit code 2.
refused() {
    local text=$1
    shift
    expect 2 "$@"
    [ ! -s out ] || { cat out && die "plumb $*: an error belongs on stderr"; }
    [ "$(wc -l <err)" = 1 ] || { cat err && die "plumb $*: not one line"; }
    grep -qF -- "$text" err || { cat err && die "plumb $*: no word of: $text"; }
}

# same FILE FILE
same() {
    diff -u "$1" "$2" || die "$1 and $2 differ"
}

# The report without what may differ between runs: the seconds of the verdict's line.
without_seconds() {
    sed 's/, [0-9.]* s$//' "$1"
}

# key FILE.json PATH: a value by keys and indices, as in: key r.json findings 0 kind
key() {
    python3 - "$@" <<'PYTHON'
import json, sys
value = json.load(open(sys.argv[1]))
for name in sys.argv[2:]:
    value = value[int(name)] if isinstance(value, list) else value[name]
print(value)
PYTHON
}

# Two threads count without a lock.
race_program() {
    cat >"$1" <<'C'
#include <pthread.h>
#include <stdio.h>

static int count;

static void *add(void *unused)
{
    count++;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    printf("starting\n");
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
C
}

# The same with one.
right_program() {
    cat >"$1" <<'C'
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *unused)
{
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return count == 2 ? 0 : 1;
}
C
}

# Two locks taken in both orders.
deadlock_program() {
    cat >"$1" <<'C'
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *unused)
{
    pthread_mutex_lock(&right);
    pthread_mutex_lock(&left);
    pthread_mutex_unlock(&left);
    pthread_mutex_unlock(&right);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&right);
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
    pthread_join(thread, NULL);
    return 0;
}
C
}

# One order of four threads in twenty-four meets the line given.
rare_program() {
    cat >"$1" <<C
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int order;

static void *append(void *digit)
{
    int old = order;
    while (!atomic_compare_exchange_strong(&order, &old, old * 10 + (int)(long)digit))
        continue;
    return digit;
}

int main(void)
{
    pthread_t t[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, append, (void *)(i + 1));
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    $2
    return 0;
}
C
}
