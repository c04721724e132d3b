#!/bin/bash
# A loop that calls code which is not instrumented: what that does to memory is not seen, so none of
# its rounds is void.
set -eu
. "$SRC/tests/explore/lib.bash"

cat >counts.c <<'END'
int third_time(void)
{
    static int n;
    return ++n % 3 == 0;
}
END
cat >loop.c <<'END'
int third_time(void);
int main(void)
{
    while (!third_time())
        ;
    return 0;
}
END
for flags in "" -fsanitize=thread; do
    # shellcheck disable=SC2086 # words
    gcc -g -O1 $flags -c counts.c -o counts.o
    code=0
    "$PLUMB" explore loop.c counts.o --save=no >r.txt 2>&1 || code=$?
    ok "loop with counts.o compiled ${flags:-plainly}" "exit code 0" "exit code $code"
done
finish
