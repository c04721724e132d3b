# What the scripts of this directory share. Sourced; not a test.

executions=10000
ck=(-DCK_USE_CC_BUILTINS=1 -DCK_MD_RMO)
urcu=(-D_LGPL_SOURCE -D_URCU_ARCH_X86_H -D_URCU_ARCH_UATOMIC_X86_H -DUATOMIC_HAS_ATOMIC_BYTE
    -DUATOMIC_HAS_ATOMIC_SHORT -include urcu/arch/generic.h -include urcu/uatomic/generic.h)
dpdk=($(pkg-config --cflags libdpdk))

die() {
    echo "FAILED: $*"
    exit 1
}

# Runs plumb on a program of this directory; its output is in out and err, its exit code in $code.
#   run_plumb COMPILER FILE [OPTIONS] [-- FLAGS]         (own: the own front end)
run_plumb() {
    local cc="--cc $1" file=$2
    shift 2
    code=0
    # shellcheck disable=SC2086 # words
    "$PLUMB" run "$SRC/tests/real/$file" ${cc#--cc own} --executions "$executions" --json result.json \
        "$@" >out 2>err || code=$?
    json=$(tr -d ' \n' <result.json)
}

show() {
    head -n 80 out
    cat err
}

# No lock prefix, exchange with memory or fence is left in the object: the library's atomics
# became calls.
#   visible COMPILER FILE FLAGS
visible() {
    local compiler=$1 file=$2 hide=(-U__SANITIZE_THREAD__ -Wno-tsan) out=seen.o left
    shift 2
    rm -f seen.o
    [ "$compiler" = gcc ] || hide=(-Wno-unused-command-line-argument -Wno-builtin-macro-redefined
        '-D__has_feature(x)=(__has_extension(x)&&!HIDDEN_##x)' -DHIDDEN_thread_sanitizer=1)
    case $compiler-$file in
    gcc-*.cc) compiler=g++ ;;
    clang-*.cc) compiler=clang++ ;;
    own-*) compiler=clang-19 out=seen.bc hide+=(-emit-llvm -Xclang -disable-llvm-passes) ;;
    esac
    "$compiler" -O1 -g -fsanitize=thread -I"$SRC/include" "${hide[@]}" "$@" \
        -c "$SRC/tests/real/$file" -o "$out"
    [ "$out" = seen.o ] || "$BUILD/lib/plumb/plumb-instrument" -O1 "$out" -o seen.o
    left=$(objdump -d --no-show-raw-insn seen.o |
        grep -E '[[:space:]](lock|[mls]fence|xchg .*\()' || true)
    [ -z "$left" ] || die "$file, $compiler: atomics out of sight:" "$left"
    nm -u seen.o | grep -q __tsan_ || die "$file, $compiler: nothing to see"
}

# passes FILE [OPTIONS] [-- FLAGS]: with each compiler, every execution, without a warning.
passes() {
    local file=$1 cc flags=() args=("${@:2}")
    while [ $# -gt 0 ]; do
        shift
        [ "${1-}" != -- ] || { shift && flags=("$@") && break; }
    done
    for cc in own gcc clang; do
        visible "$cc" "$file" "${flags[@]}"
        run_plumb "$cc" "$file" "${args[@]}"
        [ "$code" = 0 ] || { show && die "$file, $cc: exit code $code"; }
        [[ $json == *'"verdict":"pass"'* ]] || { show && die "$file, $cc: not a pass"; }
        [[ $json == *"\"executions\":$executions,"* ]] || { show && die "$file, $cc: executions"; }
        ! grep 'warning: assembly' err || die "$file, $cc: a warning"
        echo "$file, $cc: $executions executions pass"
    done
}

# finds KINDS FILE [OPTIONS] [-- FLAGS]: the program is wrong, and plumb says so. KINDS is an
# extended regular expression for the kind of the finding.
finds() {
    local kinds=$1 file=$2
    shift 2
    run_plumb own "$file" "$@"
    [ "$code" = 1 ] || { show && die "$file: exit code $code, expected a finding"; }
    [[ $json =~ \"kind\":\"($kinds)\" ]] || { show && die "$file: not the expected kind ($kinds)"; }
    echo "$file: ${BASH_REMATCH[1]} found"
}
