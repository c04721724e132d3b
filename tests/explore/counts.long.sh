#!/bin/bash
# counts.sh with every compiler under every model.
set -eu
ALL=1 . "$SRC/tests/explore/counts.sh"
