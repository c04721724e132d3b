#!/bin/bash
# The exact number of executions of every program under every model: each execution once, none left
# out. `// counts: FLAGS sc=N tso=N rc11=N` at the head of a program says them; a model
# that is not named there is left to the long tier. `// folded: …` has the same without the rounds of
# retry loops that change nothing, which only the own front end marks. What gcc and clang make of a
# program is explored under one model here, under all in the long tier (ALL).
set -eu
. "$SRC/tests/explore/lib.bash"
export PLUMB_PROVE=1 # the runtime fails if an execution comes twice

result() { jq -r '"\(.verdict) \(.coverage) \(.executions), blocked \(.blocked)"' r.json; }

# count FILE LINE CC LEVEL
count() {
    local file=$1 line=$2 cc=$3 level=$4 model flags folded='' expected
    flags=$(flags_of "$line")
    [ "$cc" != own ] || folded=$(lines folded "$file" | grep -- "^$flags " || true)
    [ -z "$folded" ] || line=$folded
    for model in $(models_of "$cc" "$line"); do
        # shellcheck disable=SC2086 # words
        explore "$file" "$model" "$cc" "$level" $flags
        expected="pass exhaustive $(of "$model" "$line"), blocked 0"
        [ -z "$folded" ] || expected=${expected%0}$(jq -r .blocked r.json) # as many as it takes
        ok "$(basename "$file") $flags $model $cc $level" "$expected" "$(result)"
    done
}

for file in "$programs"/*.c; do
    compilers="own gcc clang" # all on the smallest of each program
    while read -r line; do
        for cc in $compilers; do
            count "$file" "$line" "$cc" -O1
        done
        compilers=own
    done < <(lines counts "$file")
done
for name in treiber msqueue lastzero sb iriw counter; do
    line=$(lines counts "$programs/$name.c" | head -n 1)
    for cc in own gcc clang; do
        count "$programs/$name.c" "$line" "$cc" -O2
    done
    count "$programs/$name.c" "$line" own -O0
done
finish
