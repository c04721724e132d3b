# See dpdk_ring_spsc.c and dpdk_ring_mpmc.c.
. "$SRC/tests/real/lib.sh"
c11=("${dpdk[@]}" -DRTE_USE_C11_MEM_MODEL -lrte_ring)
passes dpdk_ring_spsc.c -- "${c11[@]}"
finds data-race dpdk_ring_spsc.c -- "${dpdk[@]}" -lrte_ring
passes dpdk_ring_mpmc.c --races=allow -- "${c11[@]}"
finds data-race dpdk_ring_mpmc.c -- "${c11[@]}"
finds assertion dpdk_ring_mpmc.c --races=allow -- "${c11[@]}" -DMISUSE
