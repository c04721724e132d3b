#!/bin/bash
# The wrong programs: which kind of finding under which model, and clean under the stronger ones.
# `// finding: FLAGS sc=KIND tso=KIND rc11=KIND` at the head of a program; KIND may be pass. What gcc and
# clang make of a program is explored under one model here, under all in the long tier (ALL).
set -eu
. "$SRC/tests/explore/lib.bash"

for file in "$programs"/*.c; do
    while read -r line; do
        flags=$(flags_of "$line")
        for cc in own gcc clang; do
            for model in $(models_of "$cc" "$line"); do
                # shellcheck disable=SC2086 # words
                explore "$file" "$model" "$cc" -O1 $flags
                kind=$(of "$model" "$line")
                expected="violation $kind, exit code 1"
                [ "$kind" != pass ] || expected="pass exhaustive, exit code 0"
                ok "$(basename "$file") $flags $model $cc" "$expected" \
                    "$(found), exit code $code"
            done
        done
    done < <(lines finding "$file")
done
finish
