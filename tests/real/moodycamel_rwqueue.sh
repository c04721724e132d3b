# See moodycamel_rwqueue.cc.
. "$SRC/tests/real/lib.sh"
passes moodycamel_rwqueue.cc
finds 'data-race|assertion|use-after-free|double-free' moodycamel_rwqueue.cc -- -DMISUSE
