# A crash at an address that is nothing of the program's names the address.
. "$SRC/tests/cli/lib.sh"
echo 'int main(void) { int *volatile p = (int *)0x123456789000; return *p; }' >wild.c
expect 1 run wild.c
grep -q '^wild.c:1: main gets SIGSEGV (invalid memory access) at address 0x123456789000$' out || { cat out && die "no address"; }

# Asking which processor this is is no call into a library that plumb cannot see.
echo 'int main(void) { __builtin_cpu_init(); return !__builtin_cpu_supports("sse2"); }' >cpu.c
expect 0 run cpu.c --executions 10
[ ! -s err ] || { cat err && die "a warning"; }
