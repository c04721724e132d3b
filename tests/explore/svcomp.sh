#!/bin/bash
# Programs written for SV-COMP run as they are: its names, declared by the program, in several files.
set -eu
. "$SRC/tests/cli/lib.sh"

cat >main.c <<'C'
#include <pthread.h>
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void *add(void *);
int total(void);
int main(void)
{
    pthread_t a, b;
    _Bool both = __VERIFIER_nondet_bool();
    unsigned char n = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(n >= 254); /* two of 256 */
    pthread_create(&a, 0, add, 0);
    if (both)
        pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    if (both)
        pthread_join(b, 0);
    if (total() != (both ? 2 : 1) || n < 254)
        reach_error();
    return 0;
}
C
cat >add.c <<'C'
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static int count;
void *add(void *unused)
{
#ifdef HALVES
    __VERIFIER_atomic_begin();
    int seen = count;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    count = seen + 1;
    __VERIFIER_atomic_end();
#else
    __VERIFIER_atomic_begin();
    count++;
    __VERIFIER_atomic_end();
#endif
    return unused;
}
int total(void)
{
    return count;
}
C
# result: the verdict, the coverage, and how many complete and blocked
result() { jq -r '"\(.verdict) \(.coverage) \(.executions) \(.blocked)"' r.json; }
for model in sc tso rc11; do
    expect 0 explore main.c add.c --model $model --json r.json # 2 values: one thread, or two in 2 orders
    [ "$(result)" = "pass exhaustive 6 508" ] || die "$model: $(result)"
    expect 1 explore main.c add.c --model $model --save=no --json r.json -- -DHALVES
    grep -q 'reach_error() is called' out || { cat out && die "no word of it"; }
done
# A program may define it, as newer ones do.
cat >own_error.c <<'C'
#include <assert.h>
void reach_error(void) { assert(0 && "mine"); }
C
expect 1 explore main.c add.c own_error.c --save=no -- -DHALVES
grep -q 'mine' out || { cat out && die "not the program's own"; }
expect 1 run main.c add.c own_error.c --save=no --executions 100000 -- -DHALVES

# Of wider types a few values, and the verdict says so; --nondet is a bound that was asked for.
cat >wide.c <<'C'
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
int main(void)
{
    if (__VERIFIER_nondet_int() == WRONG)
        __VERIFIER_error();
    return 0;
}
C
expect 3 explore wide.c --json r.json -- -DWRONG=7
grep -q 'only the values 0 to 3 of __VERIFIER_nondet_… were tried (--nondet N)' out || die "$(cat out)"
expect 0 explore wide.c --nondet 7 --json r.json -- -DWRONG=7
[ "$(result)" = "pass bounded 7 0" ] || die "$(result)"
expect 1 explore wide.c --nondet 8 --save=no -- -DWRONG=7
grep -q '__VERIFIER_error() is called' out || die "$(cat out)"

# Every name of the rules.
while read -r name type; do
    echo "extern $type __VERIFIER_nondet_$name(void);"
    calls+="    sum += (long)(__VERIFIER_nondet_$name() != 0);"$'\n'
done >all.c <<'NAMES'
bool _Bool
char char
int int
int128 __int128
float float
double double
loff_t long
long long
longlong long long
pchar char *
pointer void *
pthread_t unsigned long
sector_t unsigned long
short short
size_t unsigned long
u8 unsigned char
u16 unsigned short
u32 unsigned
u64 unsigned long
uchar unsigned char
uint unsigned
uint128 unsigned __int128
ulong unsigned long
ulonglong unsigned long long
unsigned unsigned
unsigned_int unsigned
unsigned_char unsigned char
ushort unsigned short
NAMES
printf 'int main(void)\n{\n    long sum = 0;\n%s    return sum > 28;\n}\n' "$calls" >>all.c
for cc in gcc clang; do
    expect 3 run all.c --cc $cc --executions 1000
    expect 0 run all.c --cc $cc --executions 1000 --nondet 3
done
