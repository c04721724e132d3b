# The same seed gives the same text, byte for byte, whatever the number of jobs.
. "$SRC/tests/cli/lib.sh"
race_program race.c
deadlock_program deadlock.c
rare_program rare.c 'assert(order != 4321);'

for program in race rare deadlock; do
    expect 1 run $program.c --seed 5
    without_seconds out >first
    for again in 1 2 3; do
        expect 1 run $program.c --seed 5
        without_seconds out >second
        same first second
    done
    for jobs in 2 3 7; do
        expect 1 run $program.c --seed 5 --jobs $jobs
        without_seconds out >second
        same first second
    done
    # Elsewhere, with another environment.
    mkdir -p "elsewhere $program"
    cp $program.c "elsewhere $program"
    (cd "elsewhere $program" && MORE=environment expect 1 run $program.c --seed 5)
    without_seconds "elsewhere $program/out" >second
    same first second
    [ "$(ls $program-*.plumb)" = $program-1.plumb ] || die "the same finding was saved twice"
done
grep -q '^deadlock.c:[0-9]*: ' first || { cat first && die "no file:line: in the report"; }
! grep -q 0x7f first || { cat first && die "an address in the report"; }

# Where the arguments and the environment lie depends on how long they are; the report does not.
cat >arguments.c <<'C'
#include <assert.h>
int main(int count, char **arguments)
{
    char *volatile last = arguments[count - 1];
    assert(last[0] == 'y');
    return 0;
}
C
expect 1 run arguments.c --arg x --trace=full
without_seconds out >first
MORE=$(printf '%3001d' 0) expect 1 run arguments.c --arg x --trace=full
without_seconds out >second
same first second

# Without any environment the compiler is found all the same.
env -i "$PLUMB" run arguments.c --arg y --executions 10 >out 2>err || { cat out err && die "no environment: $?"; }
