# Marks of loops as they arrive in a run: the program is linked with a runtime that checks them.
programs=$SRC/tests/instrument/programs
gcc -std=gnu11 -O1 -g -fno-builtin -c "$programs/marks_runtime.c" -o runtime.o
for level in -O0 -O1 -O2; do
    clang-19 -std=gnu11 $level -g -fsanitize=thread -fPIE -emit-llvm -Xclang -disable-llvm-passes \
        -Xclang -disable-O0-optnone -c "$programs/marks.c" -o marks.bc
    "$BUILD/lib/plumb/plumb-instrument" $level marks.bc -o marks.o
    gcc marks.o runtime.o -no-pie -o marks
    ./marks || { echo "FAILED at $level" && exit 1; }
done
