#!/bin/bash
# Loops that wait or try again: rounds that change nothing are not explored twice, and nothing may
# be lost by that. Under one model here, under all in the long tier; librounds.bash says what is
# checked.
set -eu
. "$SRC/tests/explore/lib.bash"
. "$SRC/tests/explore/librounds.bash"

models=rc11 sampling=no
for file in "$SRC"/tests/explore/rounds/*.c "$SRC"/tests/explore/rounds/*.cpp; do
    check_rounds "$file"
done
python3 "$SRC/tests/explore/random_rounds.py" "$PLUMB" "$SRC/tests/explore/rounds" 1 8
for seed in 9 14 76 96; do # of the first 120 those that have shown something
    python3 "$SRC/tests/explore/random_rounds.py" "$PLUMB" "$SRC/tests/explore/rounds" $seed 1 locks
done
finish
