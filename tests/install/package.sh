# What `make install` gives: a command that works from where it was put, a header that
# compiles alone, a pkg-config file and a CMake package.

cmake --install "$BUILD" --prefix "$PWD/first" >/dev/null
mv first "a prefix" # nothing remembers where it was installed
prefix="$PWD/a prefix"

echo "== files"
for file in bin/plumb lib/plumb/libplumb_rt.so lib/plumb/plumb-instrument include/plumb.h share/man/man1/plumb.1 \
    lib/pkgconfig/plumb.pc lib/cmake/Plumb/PlumbConfig.cmake lib/cmake/Plumb/PlumbConfigVersion.cmake; do
    [[ -f $prefix/$file ]] || { echo "not installed: $file"; exit 1; }
done
if grep -rIl -e "$SRC" "$prefix"/lib "$prefix"/include; then
    echo "these name the source tree"
    exit 1
fi

echo "== the public headers, each alone"
for header in "$prefix"/include/*.h; do
    name=$(basename "$header")
    printf '#include <%s>\nextern int alone;\n' "$name" >alone.c
    cp alone.c alone.cpp
    for std in c99 c11 gnu17; do
        for cc in gcc clang; do
            $cc -std=$std -I"$prefix/include" -Wall -Wextra -Wpedantic -Wundef \
                -Wstrict-prototypes -Wno-system-headers -Werror -fsyntax-only alone.c
        done
    done
    for std in c++11 c++17 c++20; do
        for cxx in g++ clang++; do
            $cxx -std=$std -I"$prefix/include" -Wall -Wextra -Wpedantic -Wundef -Werror \
                -fsyntax-only alone.cpp
        done
    done
done

echo "== pkg-config"
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
pkg-config --exists --print-errors plumb
version=$(pkg-config --modversion plumb)
grep -q "project(Plumb VERSION $version " "$SRC/CMakeLists.txt"
# Its answers are quoted for a shell.
eval "command=$(pkg-config --variable=plumb plumb) runtime=$(pkg-config --variable=runtime plumb)"
[[ $command -ef $prefix/bin/plumb ]]
[[ $runtime -ef $prefix/lib/plumb/libplumb_rt.so ]]
eval "gcc $(pkg-config --cflags plumb) -fsyntax-only alone.c"

echo "== the command runs from its new place"
"$command" --help >/dev/null

echo "== find_package(Plumb) and plumb_add_check"
cp -r "$SRC/tests/install/project" project
configure() { cmake -G Ninja -S project -B build "-DPlumb_DIR=$prefix/lib/cmake/Plumb" "$@" >log 2>&1; }
configure || { cat log; exit 1; }
cmake --build build >log 2>&1 || { cat log; exit 1; }
# Four checks: two whose verdict is the expected one pass, two whose is not fail.
ctest --test-dir build --output-on-failure -L plumb -R '^right' || exit 1
if ctest --test-dir build -L plumb -R '^wrong\.expected_a_violation' >log; then
    cat log
    echo "a passing program where a violation is expected must fail the test"
    exit 1
fi
if ctest --test-dir build -L plumb -R '^wrong\.expected_a_pass' >log; then
    cat log
    echo "a violation where a pass is expected must fail the test"
    exit 1
fi
if ctest --test-dir build -L plumb -R '^wrong\.does_not_compile' >log; then
    cat log
    echo "an error is not a violation"
    exit 1
fi
ctest --test-dir build -N -L plumb | grep -q 'Total Tests: 7'

echo "== plumb_add_check refuses what it does not know"
for bad in 'NAME x' 'SOURCES a.c' 'NAME x SOURCES a.c EXPECT maybe' 'stray NAME x SOURCES a.c'; do
    if configure "-DBAD_CHECK=${bad// /;}"; then
        echo "accepted: plumb_add_check($bad)"
        exit 1
    fi
    grep -q 'plumb_add_check: ' log
done
