# See boost_spsc.cc.
. "$SRC/tests/real/lib.sh"
passes boost_spsc.cc
finds 'data-race|assertion|use-after-free|double-free' boost_spsc.cc -- -DMISUSE
