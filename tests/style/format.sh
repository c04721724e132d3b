# Every source file is laid out as .clang-format says (make format does it), and the
# check can tell.
"$SRC/tools/lint" format

mkdir -p tree/tools tree/src
cp "$SRC/tools/lint" tree/tools/
cp "$SRC/.clang-format" tree/
printf 'int  f(void) { return 0;}\n' >tree/src/crooked.c
if tree/tools/lint format 2>/dev/null; then
    echo "a crooked file passed"
    exit 1
fi
tree/tools/lint format-all
tree/tools/lint format
