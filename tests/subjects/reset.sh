#!/bin/bash
# timeout: 300
# 50,000 executions in one process leave nothing behind; reset.long.sh makes a million.
set -eu
. "$SRC/tests/subjects/lib.bash"
. "$subjects/lib_reset.bash"

reset 50000
