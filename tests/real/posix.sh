# See posix.c.
. "$SRC/tests/real/lib.sh"
passes posix.c
finds deadlock posix.c -- -DMISUSE
