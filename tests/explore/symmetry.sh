#!/bin/bash
# --symmetry: of executions that differ only in the names of like threads one is explored; not when
# somebody could tell the threads apart.
set -eu
. "$SRC/tests/cli/lib.sh"
cat >like.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#ifndef BETWEEN
#define BETWEEN
#endif
#ifndef JOINED
#define JOINED
#endif
#ifndef ARGUMENT
#define ARGUMENT 0
#endif
#ifndef RESULT
#define RESULT 0
#endif
static atomic_int x, y;
static _Atomic(void *) p;
static int shared;
static void *body(void *unused)
{
    (void)shared;
    BODY;
    return unused;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++) {
        pthread_create(&t[i], 0, body, ARGUMENT);
        BETWEEN;
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(t[i], RESULT);
        JOINED;
    }
    return 0;
}
C
# counts WITH WITHOUT FLAGS...
counts() {
    local with=$1 without=$2
    shift 2
    for model in ${models:-rc11 sc}; do
        expect 0 explore like.c --model $model --json r.json -- "$@"
        [ "$(key r.json executions)" = "$with" ] || die "$model $*: $(cat out), not $with"
        expect 0 explore like.c --model $model --json r.json --symmetry=off -- "$@"
        [ "$(key r.json executions)" = "$without" ] || die "$model $*, off: $(cat out), not $without"
    done
}
counts 1 6 '-DBODY=atomic_fetch_add(&x, 1)'
counts 1 6 '-DBODY=while (atomic_exchange(&x, 1)); atomic_store(&x, 0)'
counts 1 6 '-DBODY=int v = atomic_fetch_add(&x, 1); while (atomic_load(&y) != v); atomic_store(&y, v + 1)'
counts 6 36 '-DBODY=int v = atomic_load(&x); atomic_store(&x, v + 1)'
# 3 of 4 values, in any order
counts 20 64 '-DBODY=(void)atomic_load(&x)' \
    '-DBETWEEN=if (i == 2) for (int k = 1; k < 4; k++) atomic_store(&x, k)'
# what is in a thread's own stack has another name with another thread
counts 1 6 '-DBODY=atomic_int own = 0; atomic_fetch_add(&x, 1); atomic_fetch_add(&own, 1)'
# threads that sleep are roused by their numbers, which tells nobody anything
cat >sleeps.c <<'C'
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int set;
static void *body(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!set)
        pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, body, 0);
    pthread_create(&b, 0, body, 0);
    pthread_mutex_lock(&mutex);
    set = 1;
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&mutex);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
C
expect 0 explore sleeps.c --json r.json
with=$(key r.json executions)
expect 0 explore sleeps.c --json r.json --symmetry=off
[ $((2 * with)) = "$(key r.json executions)" ] || die "sleeps.c: $with, and $(cat out)"

# somebody could tell
models=rc11
# a number made of an address, in an atomic operation or not, whatever compiles it
counts 6 6 '-DBODY=char c; atomic_exchange(&x, 1 + (int)((unsigned long)&c >> 12 & 0xfffff))'
cat >addresses.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static _Thread_local int own;
static atomic_int n;
static int *at[2];
static void *body(void *unused)
{
    at[atomic_fetch_add(&n, 1)] = &own;
    return unused;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, body, 0);
    pthread_create(&b, 0, body, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert((at[0] < at[1]) == UP);
    return 0;
}
C
for up in 0 1; do
    expect 1 explore addresses.c --save=no -- -DUP=$up
    expect 1 explore addresses.c --save=no --cc gcc -- -DUP=$up
done
add='atomic_fetch_add(&x, 1)'
for body in "int volatile same = pthread_equal(pthread_self(), (pthread_t)1); (void)same; $add" \
    "if (gettid() == 7) atomic_store(&y, 1); $add" "void *volatile m = malloc(4); free(m); $add" \
    "struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); $add"; do
    counts 6 6 "-DBODY=$body"
done
counts 6 6 "-DBODY=$add" '-DARGUMENT=(void *)(long)i'
counts 6 6 "-DBODY=$add" '-DRESULT=(void *[]){0}'
counts 6 6 "-DBODY=$add" '-DBETWEEN=shared = i'
counts 6 6 "-DBODY=$add" '-DBETWEEN=atomic_store(&y, i)'
counts 6 6 "-DBODY=$add" '-DJOINED=shared = i'
counts 6 6 "-DBODY=$add" '-DJOINED=(void)atomic_load(&y)'
expect 0 explore like.c --json r.json -- '-DBODY=int local = 0; atomic_store(&p, &local); (void)local'
[ "$(key r.json executions)" = 6 ] || die "stack: $(cat out)"

# One twin reads 3, and that leads to a 1 that stands before the 3, which the other twin reads: by
# what they read the second is first, by what comes of it last. Only a weak model has that.
cat >against.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *twin(void *unused)
{
    (void)atomic_load_explicit(&y, memory_order_relaxed);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return unused;
}
static void *one(void *unused)
{
    if (atomic_load_explicit(&x, memory_order_relaxed))
        atomic_store_explicit(&y, 1, memory_order_relaxed);
    return unused;
}
static void *three(void *unused)
{
    atomic_store_explicit(&y, 3, memory_order_relaxed);
    return unused;
}
int main(void)
{
    void *(*body[])(void *) = {twin, twin, one, three};
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, body[i], 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    return 0;
}
C
for row in 'rc11 56 56' 'sc 18 36' 'tso 18 36'; do
    set -- $row
    expect 0 explore against.c --model "$1" --json r.json
    [ "$(key r.json executions)" = "$2" ] || die "against, $1: $(cat out), not $2"
    expect 0 explore against.c --model "$1" --symmetry=off --json r.json
    [ "$(key r.json executions)" = "$3" ] || die "against, $1, off: $(cat out), not $3"
done

# several processes: the same; with a bound: without
expect 0 explore like.c --jobs 2 --json r.json -- "-DBODY=$add"
[ "$(key r.json executions)" = 1 ] || die "jobs: $(cat out)"
expect 0 explore like.c --model sc --preemptions 9 --json r.json -- "-DBODY=$add"
[ "$(key r.json executions)" = 6 ] || die "preemptions: $(cat out)"

# what goes wrong for one name goes wrong for all
expect 1 explore like.c --save=f.plumb --json r.json -- \
    '-DBODY=if (atomic_fetch_add(&x, 1) == 1 && atomic_load(&y) == 1) abort(); atomic_fetch_add(&y, 1)'
expect 1 replay f.plumb
refused "--symmetry" explore like.c --symmetry=perhaps
