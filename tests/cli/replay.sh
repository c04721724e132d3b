# A saved finding shows again with the same report; a changed source is said so.
. "$SRC/tests/cli/lib.sh"
race_program race.c
deadlock_program deadlock.c

for program in race deadlock; do
    expect 1 run $program.c
    sed '1d' out >out.run
    without_seconds out.run >first
    [ -e $program-1.plumb ] || die "nothing was saved"
    expect 1 replay $program-1.plumb --json again.json
    sed '1d' out >out.again
    without_seconds out.again >second
    same first second
    [ "$(key again.json verdict)" = violation ] || die "$(cat again.json)"
    [ "$(key again.json command)" = replay ] || die "$(cat again.json)"
done

# The report is in the file, too.
key race-1.plumb report >saved
grep -q 'DATA RACE' saved || die "no report in the saved file"

# Arguments and flags are kept.
cat >arguments.c <<'C'
#include <assert.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    assert(argc < 3 || atoi(argv[2]) != LIMIT);
    return 0;
}
C
expect 1 run arguments.c --arg one --arg 7 --save kept.plumb -- -DLIMIT=7
grep -q 'plumb replay kept.plumb' out || die "$(cat out)"
expect 1 replay kept.plumb
expect 0 run arguments.c --arg one --arg 8 -- -DLIMIT=7

expect 1 run race.c --save=no
! grep -q 'plumb replay' out || die "--save=no still names a file"

# Repaired: the finding is gone, and that is not a pass.
right_program race.c
expect 3 replay race-1.plumb
grep -q 'race.c: changed since' err || { cat err && die "no word of the change"; }
grep -q '^unknown: the finding did not show again; the sources have changed' out || die "$(cat out)"

# From another directory: what to do is said.
mkdir -p elsewhere
(cd elsewhere && expect 2 replay ../race-1.plumb)
grep -q '^race.c is not here: change to the directory in which it was found$' elsewhere/err ||
    { cat elsewhere/err && die "no word of the directory"; }
