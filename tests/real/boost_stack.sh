# See boost_stack.cc.
. "$SRC/tests/real/lib.sh"
passes boost_stack.cc --races=allow
finds 'assertion|crash|use-after-free|double-free|invalid-free|livelock|hang' boost_stack.cc --races=allow -- -DMISUSE
