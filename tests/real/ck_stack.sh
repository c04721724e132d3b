# See ck_stack.c.
. "$SRC/tests/real/lib.sh"
header=(-include plumb/compat/ck.h)
passes ck_stack.c --races=allow -- "${header[@]}"
finds assertion ck_stack.c --races=allow -- "${header[@]}" -DMISUSE
