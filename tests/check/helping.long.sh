# Helping on many random programs.
# timeout: 3000
python3 "$SRC/tests/check/random_helping.py" "$PLUMB" 1 600
