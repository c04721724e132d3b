# cppcheck has nothing to say.
# timeout: 300
"$SRC/tools/lint" cppcheck "$BUILD"
