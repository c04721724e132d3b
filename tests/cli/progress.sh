# A line of progress on a terminal, colours there unless NO_COLOR is set; neither in a file.
. "$SRC/tests/cli/lib.sh"
right_program right.c
race_program race.c

# on_terminal ARGUMENTS...: what plumb writes when both its outputs are a terminal.
on_terminal() {
    python3 - "$PLUMB" "$@" >screen <<'PYTHON'
import os, pty, sys
child, fd = pty.fork()
if child == 0:
    os.execv(sys.argv[1], sys.argv[1:])
while True:
    try:
        data = os.read(fd, 65536)
    except OSError:
        break
    if not data:
        break
    os.write(1, data)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
PYTHON
}

escape=$(printf '\033')
on_terminal run right.c --seconds 1.5
grep -qE '[0-9,]+ executions, [0-9,]+/s, 0 findings' screen || { cat -v screen && die "no progress"; }
tail -n 1 screen | grep -q "pass, sampled" || { cat -v screen && die "no verdict at the end"; }

# explore: also how many are blocked, the events of the longest execution, and how many there are in all
explored='[0-9,]+ executions, [0-9,]+/s, 0 findings, 0 blocked, depth'
on_terminal explore "$SRC/tests/explore/programs/fib_bench.c" --seconds 1.5 -- -DN=9 && die "all" || [ $? = 3 ]
grep -qE "$explored [1-9][0-9]; about [0-9,]+ in all" screen || { cat -v screen && die "no progress"; }

expect 0 run right.c --seconds 1.5
! grep -q '/s, ' out err || { cat out err && die "progress in a file"; }
[ ! -s err ] || { cat err && die "something on stderr"; }

on_terminal run race.c --save no && die "no finding" || [ $? = 1 ]
grep -q "$escape\[[0-9;]*mDATA RACE" screen || { cat -v screen && die "no colours"; }
NO_COLOR=1 on_terminal run race.c --save no && die "no finding" || [ $? = 1 ]
grep -q "DATA RACE" screen || { cat -v screen && die "no report"; }
! grep -q "$escape\[[0-9;]*m" screen || { cat -v screen && die "colours despite NO_COLOR"; }
