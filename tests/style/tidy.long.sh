# clang-tidy has nothing to say (.clang-tidy says what it is asked).
"$SRC/tools/lint" tidy "$BUILD"
