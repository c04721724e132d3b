# timeout: 120
# Ctrl-C counts whenever it comes: also while the object is looked at, before the first round.
. "$SRC/tests/check/lib.bash"
cat >slow.c <<'C'
#include <fcntl.h>
#include <unistd.h>
static void begin(void)
{
    int fd = open("begun", O_CREAT | O_WRONLY, 0666);
    if (fd >= 0)
        close(fd);
    for (long i = 0; i < 1000000000; i++)
        __asm__ volatile("");
}
static int take(void) { return -1; } /* a queue that nothing is put into */
C
begun() {
    for _ in {1..600}; do
        [ ! -e begun ] || return 0
        sleep 0.05
    done
    die "it does not begin"
}
for delay in 0 0.05 1.5; do
    rm -f begun
    "$PLUMB" stress slow.c --spec fifo --call 'take()' --map deq=take --setup 'begin()' \
        --threads 2 --seconds 50 --json result.json >out 2>err </dev/null &
    plumb=$! start=$SECONDS code=0
    begun
    sleep $delay
    kill -INT $plumb
    wait $plumb || code=$?
    [ $code = 3 ] || die "after $delay s: exit code $code: $(cat out err)"
    [ $((SECONDS - start)) -lt 30 ] || die "after $delay s: it went on"
    [ "$(jq -r .verdict result.json)" = unknown ] || die "$(cat result.json)"
    grep -q '^unknown: interrupted' out || die "$(cat out)"
done
