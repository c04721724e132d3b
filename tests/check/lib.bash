# What the scripts of this directory share. Sourced; not a test.
source "$SRC/tests/cli/lib.sh"

queue=(--setup 'queue_init(&q)' --call 'add(&q, 1)' --call 'add(&q, 2)' --call 'try_take(&q)')
stack=(--call 'push(1)' --call 'push(2)' --call 'pop()')

# passes FILE ARGUMENTS...
passes() {
    expect 0 check "$@" --json result.json
    [[ $(key result.json verdict) = pass ]] || die "$1: no pass in the JSON"
}

# violates KIND FILE ARGUMENTS...: and the saved finding shows the same report again.
violates() {
    local kind=$1
    shift
    rm -f found.plumb
    expect 1 check "$@" --json result.json --save found.plumb
    [[ $(key result.json violation kind) = "$kind" ]] || { cat out; die "$1: not $kind"; }
    sed -e '1,/^$/d' -e '/^violation: /d' out >first
    expect 1 replay found.plumb
    sed -e '1,/^$/d' -e '/^violation: /d' out >second
    same first second
}
