# See ck_ring_spsc.c and ck_ring_mpmc.c.
. "$SRC/tests/real/lib.sh"
passes ck_ring_spsc.c -- "${ck[@]}"
finds data-race ck_ring_spsc.c -- -DCK_USE_CC_BUILTINS=1
passes ck_ring_mpmc.c --races=allow -- "${ck[@]}"
finds assertion ck_ring_mpmc.c --races=allow -- "${ck[@]}" -DMISUSE
