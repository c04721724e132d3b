# See moodycamel_queue.cc.
. "$SRC/tests/real/lib.sh"
passes moodycamel_queue.cc
finds 'data-race|assertion|use-after-free|double-free' moodycamel_queue.cc -- -DMISUSE
