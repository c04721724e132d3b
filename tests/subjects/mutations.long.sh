# Each check of the runtime switched off makes a test fail.
"$SRC/tools/mutate-runtime" "$BUILD"
