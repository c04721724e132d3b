# cppcheck has nothing to say.
"$SRC/tools/lint" cppcheck "$BUILD"
