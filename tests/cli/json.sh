# --json has the promised names, in every verdict.
. "$SRC/tests/cli/lib.sh"
right_program right.c
race_program race.c

expect 0 run right.c --executions 500 --json pass.json
[ "$(key pass.json verdict)" = pass ] || die "$(cat pass.json)"
[ "$(key pass.json coverage)" = sampled ] || die "$(cat pass.json)"
[ "$(key pass.json command)" = run ] || die "$(cat pass.json)"
[ "$(key pass.json executions)" = 500 ] || die "$(cat pass.json)"
[ "$(key pass.json seed)" = 1 ] || die "$(cat pass.json)"
[ "$(key pass.json threads)" = 3 ] || die "$(cat pass.json)"
[ "$(key pass.json findings)" = '[]' ] || die "$(cat pass.json)"
grep -q '^pass, sampled: no finding in 500 executions of right.c (3 threads), [0-9.]* s$' out || die "$(cat out)"

expect 1 run race.c --json race.json
[ "$(key race.json verdict)" = violation ] || die "$(cat race.json)"
[ "$(key race.json violation kind)" = data-race ] || die "$(cat race.json)"
[ "$(key race.json findings 0 kind)" = data-race ] || die "$(cat race.json)"
[ "$(key race.json findings 0 file)" = race.c ] || die "$(cat race.json)"
[ "$(key race.json findings 0 line)" = 8 ] || die "$(cat race.json)"
[ "$(key race.json findings 0 saved)" = race-1.plumb ] || die "$(cat race.json)"
[ "$(key race.json findings 0 output)" = starting ] || die "$(cat race.json)"
[ "$(key race.json findings 0 stacks 0 frames 0 function)" = add ] || die "$(cat race.json)"
case $(key race.json violation message) in
'race.c:8: '*) ;;
*) die "the message does not start with file:line:" ;;
esac

# On errors too, and over an old file.
expect 2 run missing.c --json race.json
[ "$(key race.json verdict)" = error ] || die "$(cat race.json)"
case $(key race.json message) in
*missing.c*) ;;
*) die "$(cat race.json)" ;;
esac
expect 2 run right.c --json early.json --exectuions 3
[ "$(key early.json verdict)" = error ] || die "$(cat early.json)"
expect 2 explore right.c --json early.json --model arm # it is not said to be another
[ "$(jq -r '"\(.verdict) \(has("model"))"' early.json)" = 'error false' ] || die "$(cat early.json)"
expect 2 explore missing.c --json early.json --model tso
[ "$(key early.json model)" = tso ] || die "$(cat early.json)"

# Steps cut short are not a pass.
cat >long.c <<'C'
#include <stdatomic.h>

static atomic_int number;

int main(void)
{
    for (int i = 0; i < 10000; i++)
        number++;
    return 0;
}
C
expect 3 run long.c --executions 20 --steps 500 --json unknown.json
[ "$(key unknown.json verdict)" = unknown ] || die "$(cat unknown.json)"
[ "$(key unknown.json cut)" = 20 ] || die "$(cat unknown.json)"
grep -q '^unknown: 20 executions were cut at the limit of 500 steps' out || die "$(cat out)"
expect 0 run long.c --executions 20

# To standard output: nothing else goes there, and what is in its file already stays.
"$PLUMB" run right.c --executions 5 --json - >piped.json 2>said
[ "$(key piped.json verdict)" = pass ] || die "$(cat piped.json)"
grep -q '^pass, sampled' said || die "what is for people is lost"
echo before >piped.json
"$PLUMB" run right.c --executions 5 --json - >>piped.json 2>said
[ "$(head -n 1 piped.json)" = before ] || die "the file was emptied"
[ ! -e - ] || die "a file of this name"

# What the compiler said; nothing was run.
echo 'int main(void) { return x; }' >broken.c
expect 2 run broken.c --json broken.json
case $(key broken.json diagnostics) in
*broken.c:1:25:*) ;;
*) die "$(cat broken.json)" ;;
esac
[ "$(key broken.json tests)" = 0 ] || die "$(cat broken.json)"
