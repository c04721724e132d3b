#!/bin/bash
# timeout: 7200
# right.sh with every level of optimisation.
set -eu
LEVELS=all . "$SRC/tests/subjects/right.sh"
