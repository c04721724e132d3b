# See urcu_wfcqueue.c and urcu_lfstack.c.
. "$SRC/tests/real/lib.sh"
header=(-D_LGPL_SOURCE -include plumb/compat/urcu.h)
for program in urcu_wfcqueue.c urcu_lfstack.c; do
    passes $program --races=allow -- "${urcu[@]}"
    passes $program --races=allow -- "${header[@]}"
done
finds 'assertion|crash|use-after-free|double-free' urcu_wfcqueue.c --races=allow -- "${header[@]}" -DMISUSE
finds 'assertion|livelock|hang|crash' urcu_lfstack.c --races=allow -- "${header[@]}" -DMISUSE
