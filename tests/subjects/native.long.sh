#!/bin/bash
# timeout: 3600
# The programs that stand for "right" hold with the C library's own threads: they test what the
# definitions say, not what this project does. (PLUMB is not used.)
set -eu
. "$SRC/tests/subjects/lib.bash"

check_native() {
    local file=$1 cc=$2 level=$3 out=$4 flags try code=0
    flags=$(header "$file" flags)
    cc=${cc/own/clang-19}
    case $file in
    *.cpp) cc=${cc/gcc/g++} cc=${cc/clang/clang++} ;;
    *) flags="-std=gnu11 $flags" ;;
    esac
    # shellcheck disable=SC2086
    "$cc" -I"$SRC/include" "$file" $flags -g "$level" -DNATIVE -pthread -o "$out" || return
    for try in 1 2 3; do
        mkdir "$out.$try"
        (cd "$out.$try" && timeout 60 ../result >output 2>&1) || code=$?
        if [ "$code" != 0 ]; then
            echo "run $try: exit code $code"
            cat "$out.$try/output"
            return
        fi
    done
}

each check_native "$subjects"/right/*.c "$subjects"/right/*.cpp "$subjects"/objects/*.c \
    "$subjects"/objects/*.cpp
