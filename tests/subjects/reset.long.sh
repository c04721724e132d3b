#!/bin/bash
# 1,000,000 executions in one process leave nothing behind.
set -eu
. "$SRC/tests/subjects/lib.bash"
. "$subjects/lib_reset.bash"

reset 1000000
