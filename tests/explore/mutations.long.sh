# Each axiom switched off makes the comparison with the oracle fail.
"$SRC/tools/mutate-models"
