#!/bin/bash
# With --races=allow every plain access is a step, at every level of optimisation: none is merged with
# another, forwarded or dropped before it is seen.
set -eu
. "$SRC/tests/explore/lib.bash"

head='#include <assert.h>
#include <pthread.h>
static int x, flag[2], turn, inside;'
main='int main(void)
{
    pthread_t p, q;
    pthread_create(&p, 0, a, (void *)0);
    pthread_create(&q, 0, b, (void *)1);
    pthread_join(p, 0);
    pthread_join(q, 0);
}'
# program NAME CODE
program() {
    printf '%s\n%s\n%s\n' "$head" "$2" "$main" >"$1.c"
}
# verdicts NAME EXPECTED: under sc, tso and rc11, at each level.
verdicts() {
    for level in -O0 -O1 -O2; do
        local found=
        for model in sc tso rc11; do
            "$PLUMB" explore "$1.c" --model $model --races=allow --save=no --json r.json -- $level >r.txt 2>&1 || true
            found="$found $(jq -r '.violation.kind // .verdict' r.json)"
        done
        ok "$1 $level" " $2" "$found"
    done
}

# Two loads of one variable are two.
program loads 'static void *a(void *u) { x = 1; return u; }
static void *b(void *u) { int p = x, q = x; assert(p == q); return u; }'
verdicts loads 'assertion assertion assertion'
# A store that the next one overwrites is there all the same.
program stores 'static void *a(void *u) { x = 1; x = 2; x = 3; return u; }
static void *b(void *u) { assert(x != 2); return u; }'
verdicts stores 'assertion assertion assertion'
# What the thread has just written is read again: Peterson, which is right under sc only.
program peterson 'static void *a(void *u)
{
    int me = (int)(long)u;
    flag[me] = 1;
    turn = 1 - me;
    while (flag[1 - me] && turn == 1 - me)
        ;
    inside++;
    assert(inside == 1);
    inside--;
    flag[me] = 0;
    return u;
}
#define b a'
verdicts peterson 'pass assertion assertion'
# Through a helper with an out-parameter, which stays in no memory.
program helper 'static int get(int *out) { *out = x; return x; }
static void *a(void *u) { x = 1; return u; }
static void *b(void *u) { int p, q = get(&p); assert(p == q); return u; }'
verdicts helper 'assertion assertion assertion'
finish
