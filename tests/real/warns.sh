# Atomics in inline assembly are out of sight, and plumb says so, with the remedy; a bare compiler
# barrier is nothing to warn of.
. "$SRC/tests/real/lib.sh"
executions=10

# warns REMEDY FILE FLAGS: the warning says what to do (an extended regular expression). The
# verdict is worth nothing here.
warns() {
    local remedy=$1 file=$2 cc
    shift 2
    for cc in own gcc clang; do
        run_plumb "$cc" "$file" --races=off -- "$@"
        [ "$code" != 2 ] || { show && die "$file, $cc: an error"; }
        grep -E "warning: assembly.*$remedy" err || { show && die "$file, $cc: no such warning"; }
    done
}

warns -DCK_USE_CC_BUILTINS=1 ck_ring_mpmc.c
warns -DCK_USE_CC_BUILTINS=1 ck_stack.c
warns 'plumb/compat/urcu\.h|-D_URCU_ARCH_UATOMIC_X86_H' urcu_wfcqueue.c -D_LGPL_SOURCE
warns 'plumb/compat/urcu\.h|-D_URCU_ARCH_UATOMIC_X86_H' urcu_lfstack.c -D_LGPL_SOURCE
warns -DRTE_USE_C11_MEM_MODEL dpdk_ring_mpmc.c "${dpdk[@]}" -lrte_ring

for cc in own gcc clang; do
    run_plumb "$cc" compiler_barrier.c
    [ "$code" = 0 ] || { show && die "compiler_barrier.c, $cc: exit code $code"; }
    ! grep -i warning err || die "compiler_barrier.c, $cc: warned of a compiler barrier"
done
