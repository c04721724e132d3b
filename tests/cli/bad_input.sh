# Bad input gets one clear line on stderr and exit code 2.
. "$SRC/tests/cli/lib.sh"
right_program right.c

refused 'which command' # none
refused 'unknown command rnu; did you mean run?' rnu
refused 'unknown option --frobnicate' --frobnicate
refused 'no file given' run
refused 'unknown option --exectuions; did you mean --executions?' run right.c --exectuions 5
refused "--executions: 'many' is not a whole number" run right.c --executions many
refused '--executions: 0 is too small' run right.c --executions 0
refused '--executions: 99999999999999999999 is too large' run right.c --executions 99999999999999999999
refused '--seconds' run right.c --seconds -1
refused '--seed needs a value' run right.c --seed
refused "--races: 'maybe' is none of report|allow|off" run right.c --races=maybe
refused '--leaks takes no value' run right.c --leaks=yes
refused '--jobs: at most' run right.c --jobs 1000
refused 'missing.c: No such file' run missing.c
refused 'nowhere/r.json: cannot be written' run right.c --json nowhere/r.json
refused 'nowhere/s.plumb: cannot be written' run right.c --save nowhere/s.plumb
refused '--suppressions missing.txt' run right.c --suppressions missing.txt
printf '# fine\nrice:x\n' >supp.txt
refused "supp.txt:2: 'rice' is no kind of suppression" run right.c --suppressions supp.txt
refused 'give one saved finding' replay
refused 'missing.plumb: No such file' replay missing.plumb
echo '{' >broken.plumb
refused 'broken.plumb:' replay broken.plumb
echo '{"plumb": 1}' >empty.plumb
refused 'empty.plumb: a saved finding, but damaged' replay empty.plumb
echo '{"plumb": 99}' >newer.plumb
refused 'saved by a newer plumb' replay newer.plumb
refused 'not a saved finding' replay right.c
for command in check stress; do
    refused "plumb $command: no --call given" $command right.c --spec fifo
done

# A limit of ours is not an error that the program gets from pthread_create.
cat >threads.c <<'C'
#include <pthread.h>
static void *nothing(void *unused) { return unused; }
int main(void)
{
    for (int i = 0; i < 64; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, nothing, NULL))
            return 1;
    }
    return 0;
}
C
for command in run explore; do
    expect 2 $command threads.c
    grep -q '^threads.c:7: more than 64 threads at a time' err || die "$(cat err)"
done

# A shared library that brings the compiler's own runtime along.
echo 'int f(int *p) { return *p; }' >f.c
gcc -fsanitize=thread -fPIC -shared f.c -o libf.so
refused 'libf.so is linked with libtsan' run right.c libf.so
refused 'libf.so is linked with libtsan' run right.c -- -L. -lf

# What a compiler says is shown, and the last line says what to do with it.
echo 'int main(void) { return x; }' >wrong.c
expect 2 run wrong.c
grep -q "^wrong.c:1:.*'x'" err || { cat err && die "no word of the compiler's"; }
tail -n 1 err | grep -q wrong.c || { cat err && die "the last line does not name the file"; }
[ ! -s out ] || die "an error belongs on stderr"

# Without the compiler of the own front end; gcc and the linker are there.
mkdir empty
for tool in gcc as ld; do ln -s "$(command -v "$tool")" empty/; done
code=0
PATH=$PWD/empty "$PLUMB" run right.c >out 2>err || code=$?
[ "$code" = 2 ] || die "exit code $code without clang-19"
[ "$(cat err)" = "the compiler clang-19 was not found: install it, or name another with --cc" ] ||
    { cat err && die "no remedy for a missing clang-19"; }
PATH=$PWD/empty "$PLUMB" run right.c --cc gcc >out 2>err || { cat err && die "--cc gcc does not run alone"; }

# A compiler that crashes: no fault of the source's.
printf '%s\n' '#!/bin/sh' 'case "$*" in *" -c "*) kill -SEGV $$ ;; esac' 'exec gcc "$@"' >crashing
chmod +x crashing
expect 2 run right.c --cc "$PWD/crashing"
[ "$(cat err)" = "right.c: $PWD/crashing ended with signal 11; another compiler may do (--cc)" ] ||
    { cat err && die "no word of the compiler's crash"; }

# An error that only the assembler finds.
echo 'int main(void) { __asm__("frobnicate %eax"); return 0; }' >assembly.c
expect 2 run assembly.c
grep -q frobnicate err || { cat err && die "no word of the assembler's"; }
tail -n 1 err | grep -q assembly.c || { cat err && die "the last line does not name the file"; }

echo 'int helper(void) { return 0; }' >no_main.c
expect 2 run no_main.c
tail -n 1 err | grep -q main || { cat err && die "no word of main"; }

# Nothing is left behind: no saved finding, no file for a save that never came.
[ -z "$(ls ./*-*.plumb 2>/dev/null)" ] || die "a finding was saved"
