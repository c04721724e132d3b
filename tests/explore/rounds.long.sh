#!/bin/bash
# As rounds.sh under every model, compared with random schedules; and many random programs.
# timeout: 3600
set -eu
. "$SRC/tests/explore/lib.bash"
. "$SRC/tests/explore/librounds.bash"

models="sc tso rc11" sampling=yes
for file in "$SRC"/tests/explore/rounds/*.c "$SRC"/tests/explore/rounds/*.cpp; do
    check_rounds "$file"
done
python3 "$SRC/tests/explore/random_rounds.py" "$PLUMB" "$SRC/tests/explore/rounds" 1 400
python3 "$SRC/tests/explore/random_rounds.py" "$PLUMB" "$SRC/tests/explore/rounds" 1 200 locks
python3 "$SRC/tests/explore/random_rounds.py" "$PLUMB" "$SRC/tests/explore/rounds" 1 100 adds
# Not 65, two outcomes of which no 300,000 random schedules show, nor 135: with no preemptions it has one
# execution less by schedules than by graphs, which count a thread as free to leave before a loop in
# which it would not have waited.
python3 "$SRC/tests/explore/random_rounds.py" "$PLUMB" "$SRC/tests/explore/rounds" 1 60 tests
# Not 33, 46 and 63, in which a round has two reads, and not to go on is free by graphs, but not by
# schedules.
python3 "$SRC/tests/explore/random_rounds.py" "$PLUMB" "$SRC/tests/explore/rounds" 1 32 far
python3 "$SRC/tests/explore/random_rounds.py" "$PLUMB" "$SRC/tests/explore/rounds" 64 40 far
for kind in locks tests ""; do # and through pointers
    # shellcheck disable=SC2086 # none is no word
    python3 "$SRC/tests/explore/random_rounds.py" "$PLUMB" "$SRC/tests/explore/rounds" 1 60 $kind pointed
done
python3 "$SRC/tests/explore/random_rounds.py" "$PLUMB" "$SRC/tests/explore/rounds" 1 200 objects
python3 "$SRC/tests/explore/random_rounds.py" "$PLUMB" "$SRC/tests/explore/rounds" 1 200 polls
(mkdir left_out && cd left_out && python3 "$SRC/tests/explore/random_left_out.py" "$PLUMB" 1 600 sc tso rc11)
finish
