# A process that dies past the runtime is a finding; --keep-going starts again after it.
. "$SRC/tests/cli/lib.sh"
rare_program die.c 'if (order == 4321) __asm__ volatile("syscall" ::"a"(231L), "D"(9L));'

expect 1 run die.c --json one.json
[ "$(key one.json violation kind)" = crash ] || die "$(cat one.json)"
first=$(key one.json findings 0 execution)
[ "$first" -gt 0 ] || die "at the first execution: the test shows nothing"
grep -q "^die.c: the process ended with status 9 in execution $first\$" out || die "$(cat out)"

# It is found again by its number and the seed.
expect 1 replay die-1.plumb
grep -q "the process ended with status 9 in execution $first\$" out || die "$(cat out)"

expect 1 run die.c --keep-going --executions 1000 --json all.json
[ "$(grep -c '^CRASH$' out)" = 1 ] || { cat out && die "not reported once"; }
[ "$(key all.json executions)" -gt $((first + 1)) ] || { cat all.json && die "not started again"; }
