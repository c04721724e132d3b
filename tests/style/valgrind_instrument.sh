# The instrumentation makes no memory error: what it asks of a value is what such a value has.
flags=(-std=gnu11 -g -fsanitize=thread -fPIE -emit-llvm -Xclang -disable-llvm-passes -Xclang -disable-O0-optnone)
for source in instrument/cases/loops instrument/cases/control explore/pairs/late_store explore/pairs/outer_round; do
    clang-19 "${flags[@]}" -O1 -I "$SRC/include" -c "$SRC/tests/$source.c" -o in.bc
    valgrind -q --error-exitcode=99 "$BUILD/lib/plumb/plumb-instrument" -O1 --volatile-values in.bc -o out.o ||
        { echo "FAILED: $source.c" && exit 1; }
done
