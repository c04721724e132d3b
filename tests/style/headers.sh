# Every header compiles alone: it includes what it uses.
cd "$SRC"
failed=0
llvm=$(llvm-config-19 --includedir)
for header in src/*/*.h include/*.h; do
    [[ -e $header ]] || continue
    if ! gcc -std=gnu11 -D_GNU_SOURCE -Isrc -Iinclude -isystem "$llvm" -Wall -Wextra -Wno-unused-function \
        -Werror -fsyntax-only -x c "$header"; then
        failed=1
    fi
done
exit $failed
