#!/bin/bash
# timeout: 900
# Every right program passes: the twins of the wrong ones and the programs of each modelled object,
# 300 executions each unless their head says otherwise (`long`: in the long tier). No finding; no
# warning but those the head names.
set -eu
. "$SRC/tests/subjects/lib.bash"
export SRC PLUMB

check_right() {
    local file=$1 out code=0 verdict options expect executions
    expect=$(header "$file" expect)
    read -r verdict options <<<"${expect:-pass}"
    executions=$(header "$file" executions)
    [ "${LEVELS:-turns}" != all ] || executions=$(header "$file" long | grep . || echo "$executions")
    executions=${executions:-300}
    # In a directory of its own: some leave a file from one execution to the next.
    out=result
    cd "$(dirname "$4")"
    # shellcheck disable=SC2086
    plumb_run "$file" "$2" "$3" "$out" --executions "$executions" $options || code=$?
    if [ "$code" != 0 ]; then
        echo "exit code $code, not 0"
        [ ! -e "$out.json" ] || jq -r '"\(.verdict) \(.violation.kind): \(.violation.message)"' "$out.json"
        tail -25 "$out.txt"
        return
    fi
    # `// warns: f g` at the head: the warnings about these functions are right.
    jq -r --argjson executions "$executions" --arg warns "$(header "$file" warns | tr ' ' '|')" '
        (if .verdict != "pass" then "verdict \(.verdict)" else empty end),
        (if .executions != $executions then "\(.executions) executions, not \($executions)" else empty end),
        (if .blocked != 0 then "\(.blocked) blocked" else empty end),
        (.warnings[] | select(test("what (\($warns)) ") | not))' "$out.json"
}

# Every kind of error is absent with each compiler. What the modelled objects do is the runtime's
# affair: more compilers than these are left to the long tier.
each check_right "$subjects"/right/*.c "$subjects"/right/*.cpp -- "$subjects"/objects/*.c \
    "$subjects"/objects/*.cpp
