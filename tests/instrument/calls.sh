# What plumb-instrument puts into each function of cases/: see check.
"$SRC/tests/instrument/check" "$SRC"/tests/instrument/cases/*.c "$SRC"/tests/instrument/cases/*.cc
