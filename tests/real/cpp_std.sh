# See cpp_std.cc.
. "$SRC/tests/real/lib.sh"
passes cpp_std.cc
finds deadlock cpp_std.cc -- -DMISUSE
