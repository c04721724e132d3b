# --keep-going shows every finding once, each saved; without it the first one only.
. "$SRC/tests/cli/lib.sh"
cat >two.c <<'C'
#include <pthread.h>

static int first, second;

static void *work(void *unused)
{
    first++;
    second--;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
C
expect 1 run two.c --json one.json
[ "$(key one.json findings | grep -o "'violation'\|'message'" | wc -l)" = 1 ] || die "$(cat one.json)"
rm -f ./*.plumb
expect 1 run two.c --keep-going --executions 200 --json all.json
grep -q '^two.c:7: ' out || { cat out && die "nothing at line 7"; }
grep -q '^two.c:8: ' out || { cat out && die "nothing at line 8"; }
[ "$(grep -c '^DATA RACE$' out)" = "$(ls two-*.plumb | wc -l)" ] || die "not each finding is saved"
for saved in two-*.plumb; do
    expect 1 replay "$saved"
done
[ -z "$(grep '^two.c:' out | sort | uniq -d)" ] || die "a finding twice"
