#!/bin/bash
# Loops that wait or try again (tests/explore/rounds): rounds that change nothing are not explored
# twice, and nothing may be lost by that. At the head of a program, FLAGS with each model:
#
#   // outcomes: sc=0,2 ...     what outcome() can be told; under sc by random schedules (run) too
#   // counts: sc=6 ...         how many complete executions; nothing found
#   // finding: sc=KIND ...     the kind of finding, or pass
#   // unknown: --unroll N      options with which the verdict is unknown
#   // options: ...             of every call
set -eu
. "$SRC/tests/explore/lib.bash"

. "$SRC/tests/explore/librounds.bash"
for file in "$SRC"/tests/explore/rounds/*.c "$SRC"/tests/explore/rounds/*.cpp; do
    check_rounds "$file"
done
finish
