# A suppression file silences known races by function or file, and the report says so.
. "$SRC/tests/cli/lib.sh"
race_program race.c

check() {
    printf '%s\n' "$1" >supp.txt
    expect 0 run race.c --executions 300 --suppressions supp.txt --json r.json
    grep -qE "^suppressed: [0-9,]+ races? by race:.* \(supp.txt:[0-9]+\)$" out || { cat out && die "no word of $1"; }
    [ "$(key r.json suppressed 0 file)" = supp.txt ] || die "$(cat r.json)"
    [ "$(key r.json suppressed 0 count)" -gt 0 ] || die "$(cat r.json)"
}

check 'race:add'
check 'race:^add$'
check 'race:race.c'
check '# by file
race:ra*.c$'

# A rule that does not fit changes nothing, and is not shown.
echo 'race:^ad$' >supp.txt
expect 1 run race.c --suppressions supp.txt
! grep -q '^suppressed' out || die "$(cat out)"

# Rules of other kinds are taken, with a note.
printf 'called_from_lib:libz.so\nrace:add\n' >supp.txt
expect 0 run race.c --executions 50 --suppressions supp.txt
grep -q "supp.txt:1: note: 'called_from_lib' rules are not used" err || { cat err && die "no note"; }
