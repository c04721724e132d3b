# An access far from any block says so, and names the nearest; so does its line of the trace.
. "$SRC/tests/cli/lib.sh"

# far OFFSET SENTENCE
far() {
    cat >far.c <<EOF
#include <stdlib.h>
char *p;
int main(void)
{
    p = malloc(16);
    p[$1] = 1;
    return 0;
}
EOF
    expect 1 run far.c
    grep -q "^far.c:6: main writes 1 byte outside any block; the nearest is block#1, which $2\$" out &&
        grep -q 'far.c:6  write no block$' out || { cat out && die "offset $1"; }
}
far 5000 'ends 4984 bytes before'
far -400 'starts 400 bytes after'
