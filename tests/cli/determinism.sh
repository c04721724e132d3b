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
