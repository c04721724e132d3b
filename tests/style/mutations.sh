# The mutations of the long tier fit the code: every line that they change is there.
"$SRC/tools/mutate-models" --check
"$SRC/tools/mutate-runtime" --check
