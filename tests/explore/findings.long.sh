#!/bin/bash
# findings.sh with every compiler under every model.
set -eu
ALL=1 . "$SRC/tests/explore/findings.sh"
