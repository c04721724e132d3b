# What rounds.sh and rounds.long.sh share. At the head of a program of tests/explore/rounds, FLAGS
# with each model:
#
#   // outcomes: FLAGS sc=0,2 ...   what outcome() can be told; by random schedules that of sc
#   // counts: FLAGS sc=6 ...       how many complete executions; nothing found; blocked=N: and no
#                                   more than that many are given up, under any model
#   // finding: FLAGS sc=KIND ...   the kind of finding, or pass
#   // unknown: FLAGS --unroll N    options with which the verdict is unknown
#   // options: ...                 of every call
executions=20000 # of random schedules

# lines WORD FILE: all of them; lib.bash looks only at the head of a file.
lines() { sed -n "s,^// $1: *,,p" "$2"; }

# Those that `run` does not have are for `explore` only.
options_of() {
    lines options "$2" | if [ "$1" = run ]; then sed 's/--unroll [0-9]*//'; else cat; fi
}

# plumb_on COMMAND FILE LINE: leaves r.json and r.txt, sets $code.
plumb_on() {
    local command=$1 file=$2 line=$3
    shift 3
    code=0
    rm -f r.json
    # shellcheck disable=SC2046 # words
    "$PLUMB" $command "$file" --save=no --json r.json $(options_of "$command" "$file") "$@" -- \
        $(flags_of "$line") >r.txt 2>&1 || code=$?
}

check_sampled() { # FILE LINE NAME
    plumb_on run "$1" "$2" --keep-going --executions "$executions"
    if [ "$(of run "$2")" = some ]; then # the others are too rare for random schedules
        ok "$3" "" "$(outcomes_of | tr , '\n' | grep -vxE "$(of sc "$2" | tr , '|')" || true)"
    else
        ok "$3" "$(of sc "$2")" "$(outcomes_of)"
    fi
}

check_outcomes() { # FILE LINE
    local file=$1 line=$2 name model
    name="$(basename "$file")$(flags_of "$line")"
    [ "$sampling" = no ] || check_sampled "$file" "$line" "$name run"
    for model in $models; do
        plumb_on "explore --model $model" "$file" "$line" --keep-going --executions 1000000
        ok "$name $model" "$(of "$model" "$line")" "$(outcomes_of)"
    done
}

check_counts() { # FILE LINE
    local file=$1 line=$2 model
    for model in $models; do
        [ -n "$(of "$model" "$line")" ] || continue
        plumb_on "explore --model $model" "$file" "$line -DCOUNT" --executions 100000000
        ok "$(basename "$file") $(flags_of "$line") $model" \
            "pass exhaustive $(of "$model" "$line"), exit code 0" \
            "$(jq -r '"\(.verdict) \(.coverage) \(.executions)"' r.json), exit code $code"
        [ -z "$(of blocked "$line")" ] || [ "$(jq .blocked r.json)" -le "$(of blocked "$line")" ] ||
            ok "$(basename "$file") $(flags_of "$line") $model" "at most $(of blocked "$line")" \
                "$(jq .blocked r.json) blocked"
    done
}

check_finding() { # FILE LINE
    local file=$1 line=$2 model kind expected
    for model in $models; do
        plumb_on "explore --model $model" "$file" "$line -DCOUNT" --executions 1000000
        kind=$(of "$model" "$line")
        expected="violation $kind, exit code 1"
        [ "$kind" != pass ] || expected="pass exhaustive, exit code 0"
        ok "$(basename "$file") $(flags_of "$line") $model" "$expected" \
            "$(found), exit code $code"
    done
}

check_unknown() { # FILE LINE
    local options
    options=$(sed -E 's/-D[^ ]+//g' <<<"$2")
    # shellcheck disable=SC2086 # words
    plumb_on explore "$1" "$(grep -oE -e '-D[^ ]+' <<<"$2" | tr '\n' ' ') -DCOUNT" $options
    ok "$(basename "$1") $2" "unknown, exit code 3" "$(jq -r .verdict r.json), exit code $code"
}

check_rounds() { # FILE
    local what line
    for what in outcomes counts finding unknown; do
        while read -r line; do
            "check_$what" "$1" "$line"
        done < <(lines "$what" "$1")
    done
}
