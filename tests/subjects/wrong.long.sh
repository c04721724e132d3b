#!/bin/bash
# timeout: 3600
# wrong.sh with every level of optimisation.
set -eu
LEVELS=all . "$SRC/tests/subjects/wrong.sh"
