# Bad input: one line, exit code 2; the compiler's own message names the option.
source "$SRC/tests/check/lib.bash"
f=$SRC/subjects/correct/locked_queue.c
refused 'has no PLUMB_OP' check "$f"
refused "none of the calls" check "$f" "${queue[@]}" --test 'add(3) | try_take()'
refused "more than one of the calls" check "$f" "${queue[@]}" --test 'add | try_take'
refused "has no invocation" check "$f" "${queue[@]}" --test 'add(1) | '
refused "none of sc, tso, rc11" check "$f" "${queue[@]}" --test 'add(1)' --model arm
refused "no file given" check "${queue[@]}" --test 'add(1)'
refused "must be C or C++ source" check "$SRC/README.md" "${queue[@]}" --test 'add(1)'
expect 2 check "$f" "${queue[@]}" --call 'ad(&q, 3)' --test 'add(1)' --json result.json
grep -q -- '--call:1' err || { cat err; die "the option is not named"; }
[[ $(key result.json verdict) = error ]] || die "no error in the JSON"
