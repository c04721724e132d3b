# See boost_queue.cc.
. "$SRC/tests/real/lib.sh"
passes boost_queue.cc --races=allow
finds 'assertion|crash|use-after-free|double-free|invalid-free|livelock|hang' boost_queue.cc --races=allow -- -DMISUSE
