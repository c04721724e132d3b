# Calls that wait: a round in which all threads wait, as they should, is over; one in which they wait
# though there is something for them is a finding.
. "$SRC/tests/check/lib.bash"
s=$SRC/tests/stress/subjects/blocking_queue.c

expect 0 stress "$s" --threads 3 --rounds 30 --seconds 120 --json result.json
[[ $(key result.json verdict) = pass ]] || die "$(cat result.json)"
grep -Eq '; [1-9][0-9]* ended with calls that wait, as they should' out || die "$(cat out)"

expect 1 stress "$s" --threads 3 --rounds 100000 --seconds 120 --hang-seconds 1 --json result.json -- -DLOST
[[ $(key result.json findings 0 kind) = hang ]] || die "$(cat result.json)"
grep -Eq 'a round did not end in 1 s; .*is in deq\(\)' out || die "$(cat out)"

# The same over windows: what was put before the last cut is still there to be taken.
expect 0 stress "$s" --threads 3 --rounds 20 --windows 6 --operations 12 --seconds 120 --json result.json
[[ $(key result.json verdict) = pass ]] || die "$(cat result.json)"
grep -Eq '; [1-9][0-9]* ended with calls that wait, as they should' out || die "$(cat out)"
