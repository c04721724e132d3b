#!/bin/bash
# Programs of the literature that wait or try again. `// retries: FLAGS sc=N tso=N rc11=N` says how
# many executions there are without the rounds that change nothing; with -DASSUME the program has one
# round in place of each loop and assumes that it succeeds: that has to be the same number, whatever
# compiles it. So does the search in two processes. With blocked=N, so many are given up on the way by the
# own front end's program, and no more.
set -eu
. "$SRC/tests/explore/lib.bash"
export PLUMB_PROVE=1 # the runtime fails if an execution comes twice

result() { jq -r '"\(.verdict) \(.coverage) \(.executions)"' r.json; }

# check FILE LINE CC FLAGS...
check() {
    local file=$1 line=$2 cc=$3 model
    shift 3
    for model in sc tso rc11; do
        # shellcheck disable=SC2046 # words
        explore "$file" "$model" "$cc" -O2 $(flags_of "$line") "$@"
        ok "$(basename "$file") $(flags_of "$line") $* $model $cc" \
            "pass exhaustive $(of "$model" "$line")" "$(result)"
        [ "$cc $*" != "own " ] || [ -z "$(of blocked "$line")" ] || [ -n "${options:-}" ] ||
            ok "$(basename "$file") $(flags_of "$line") $model: given up" "$(of blocked "$line")" \
                "$(jq .blocked r.json)"
    done
}

for file in "$programs"/*.c; do
    while read -r line; do
        check "$file" "$line" own
        check "$file" "$line" gcc -DASSUME
        last=$line
    done < <(lines retries "$file")
    [ -n "${last:-}" ] || continue
    check "$file" "$last" own -DASSUME
    check "$file" "$last" clang -DASSUME
    options="--jobs 2" check "$file" "$last" own
    last=
done
finish
