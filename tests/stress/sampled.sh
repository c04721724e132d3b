# plumb stress --strategy: rounds under the runtime find what real threads hardly ever show, each time,
# and the history is brought down to the few calls it needs.
. "$SRC/tests/check/lib.bash"
s=$SRC/subjects

# found NAME STRATEGY CALLS: of so many concurrent calls, and it is the same the next time.
found() {
    expect 1 stress "$s/wrong/cgvt_$1.c" --threads 2 --strategy "$2" --rounds 200 --history first --save no
    grep -Eq "Localised: $3 concurrent calls out of [0-9]+, minimal: no call can be left out" out ||
        { cat out && die "$1: not localised"; }
    grep -E '^violation: not-linearizable after [0-9]+ round' out >/dev/null || die "$1: $(tail -n 1 out)"
}
found cg_list_size dpct:3 '[34]'
found bu_list3 dpct:3 2
found op_queue dpct:3 2
found lf_list dpct:3 2
found pair_snapshot random 5
cp first again
expect 1 stress "$s/wrong/cgvt_pair_snapshot.c" --threads 2 --strategy random --rounds 200 --history first \
    --no-localise --save no
cmp first again || die "the same seed, another history"
# The history by itself: the calls are found by their arguments, all of them.
expect 1 localise "$s/wrong/cgvt_pair_snapshot.c" --history first --save no
grep -q 'Localised: 5 concurrent calls' out || { cat out && die "from the file: not localised"; }

expect 0 stress "$s/correct/cgvt_bu_queue.c" --threads 2 --strategy dpct:3 --rounds 10 --json result.json
[[ $(key result.json verdict) = pass && $(key result.json coverage) = sampled ]] || die "$(cat result.json)"

expect 2 stress "$s/correct/cgvt_bu_queue.c" --strategy all
grep -q -- '--strategy: plumb stress draws: random, pct:D or dpct:D' err || die "$(cat err)"
expect 2 stress "$s/correct/cgvt_bu_queue.c" --strategy dpct:x
expect 2 stress "$s/correct/cgvt_bu_queue.c" --strategy dpct --threads 16
grep -q -- '--threads: at most 15 with --strategy' err || die "$(cat err)"
