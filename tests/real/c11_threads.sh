# See c11_threads.c.
. "$SRC/tests/real/lib.sh"
passes c11_threads.c
finds data-race c11_threads.c -- -DMISUSE
