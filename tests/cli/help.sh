# Help and version: on stdout, exit code 0, with examples.
. "$SRC/tests/cli/lib.sh"

expect 0 --version
grep -qE '^plumb [0-9]+\.[0-9]+\.[0-9]+$' out || die "version: $(cat out)"

for arguments in --help help -h; do
    expect 0 $arguments
    grep -q '^  run ' out || die "no run in plumb $arguments"
    grep -q '^  replay ' out || die "no replay in plumb $arguments"
    grep -q '^examples:' out || die "no examples in plumb $arguments"
    [ ! -s err ] || die "plumb $arguments writes to stderr"
done

for command in run explore check replay history stress localise bench; do
    expect 0 $command --help
    grep -q "^usage: plumb $command" out || die "no usage of $command"
    grep -q '^examples:' out || die "no examples of $command"
    grep -q '^exit code' out || die "no exit codes of $command"
done

# Every option of the design is there.
expect 0 run --help
for option in --executions --seconds --seed --keep-going --json --jobs --cc --compile-commands --races \
    --volatile --reuse --leaks --spurious --steps --hang-seconds --stack --suppressions --save --arg --help; do
    grep -qE -- "^  $option( |=|\$)" out || die "no $option in plumb run --help"
done
