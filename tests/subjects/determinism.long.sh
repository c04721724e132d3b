#!/bin/bash
# timeout: 3600
# 1,000 seeds twice.
set -eu
. "$SRC/tests/subjects/lib.bash"
. "$subjects/lib_determinism.bash"

determinism 1000
