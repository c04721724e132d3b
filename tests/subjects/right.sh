#!/bin/bash
# timeout: 900
# Every right program passes: the twins of the wrong ones and the programs of each modelled object,
# 300 executions each unless their head says otherwise. No finding; no warning but those the head names.
set -eu
. "$SRC/tests/subjects/lib.bash"
export SRC PLUMB

check_right() {
    local file=$1 out code=0 verdict options expect executions
    expect=$(header "$file" expect)
    read -r verdict options <<<"${expect:-pass}"
    executions=$(header "$file" executions)
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
    [ "$(jq -r .verdict "$out.json")" = pass ] || echo "verdict $(jq -r .verdict "$out.json")"
    [ "$(jq .executions "$out.json")" = "$executions" ] ||
        echo "$(jq .executions "$out.json") executions, not $executions"
    [ "$(jq .blocked "$out.json")" = 0 ] || echo "$(jq .blocked "$out.json") blocked"
    # `// warns: f g` at the head: the warnings about these functions are right.
    jq -r '.warnings[]' "$out.json" | grep -vE "what ($(header "$file" warns | tr ' ' '|')) " || true
}

each check_right "$subjects"/right/*.c "$subjects"/right/*.cpp "$subjects"/objects/*.c \
    "$subjects"/objects/*.cpp
