#!/bin/bash
# timeout: 900
# Every wrong program is caught: exit code 1, the kind its head names, and the source lines marked
# HERE (access, or who is blocked), FREE and ALLOC in the stacks of the finding that say so.
set -eu
. "$SRC/tests/subjects/lib.bash"
export SRC PLUMB

# lines FILE MARK: the lines of FILE marked so, as "name:line".
lines() { grep -n "// $2\$" "$1" | sed "s,^\([0-9]*\):.*,$(basename "$1"):\1," || true; }

# frames JSON ROLE...: "name:line" of every frame in stacks of these roles.
frames() {
    local json=$1
    shift
    jq -r --arg roles " $* " '.findings[0].stacks[] | select(.role as $r | $roles | contains(" \($r) "))
        | .frames[] | select(.file) | "\(.file | sub(".*/"; "")):\(.line)"' "$json"
}

check_wrong() {
    local file=$1 out=$4 code=0 kind options expect seen line
    expect=$(header "$file" expect)
    read -r kind options <<<"$expect"
    # shellcheck disable=SC2086
    plumb_run "$file" "$2" "$3" "$out" --executions 10000 $options || code=$?
    if [ "$code" != 1 ]; then
        echo "exit code $code, not 1 ($kind)"
        tail -5 "$out.txt"
        return
    fi
    seen=$(jq -r '"\(.verdict) \(.violation.kind)\(if .findings[0].unstable then ", unstable" else "" end)"' \
        "$out.json")
    if [ "$seen" != "violation $kind" ]; then
        echo "$seen, not violation $kind"
        jq -r .violation.message "$out.json"
        return
    fi
    expect_lines "$file" HERE "$out.json" access other blocked "$([ "$kind" = leak ] && echo allocation)"
    expect_lines "$file" FREE "$out.json" free
    expect_lines "$file" ALLOC "$out.json" allocation
}

expect_lines() {
    local file=$1 mark=$2 line all there
    shift 2
    all=$(lines "$file" "$mark")
    [ -n "$all" ] || return 0
    there=$(frames "$@")
    for line in $all; do
        grep -qx "$line" <<<"$there" ||
            echo "$mark $line is not in a stack of $2: $(tr '\n' ' ' <<<"$there")"
    done
}
export -f lines frames expect_lines

each check_wrong "$subjects"/wrong/*.c "$subjects"/wrong/*.cpp
