# --keep-going shows every finding once, each saved; without it the first one only.
. "$SRC/tests/cli/lib.sh"
cat >two.c <<'C'
#include <pthread.h>

static int first, second;

static void *one(void *unused)
{
    first++;
    return unused;
}

static void *two(void *unused)
{
    second--;
    return unused;
}

int main(void)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, i % 2 ? one : two, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
C
expect 1 run two.c --json one.json
[ "$(key one.json findings | grep -o "'violation'\|'message'" | wc -l)" = 1 ] || die "$(cat one.json)"
rm -f ./*.plumb
expect 1 run two.c --keep-going --executions 200 --json all.json
grep -q '^two.c:7: ' out || { cat out && die "nothing at line 7"; }
grep -q '^two.c:13: ' out || { cat out && die "nothing at line 13"; }
[ "$(grep -c '^DATA RACE$' out)" = "$(ls two-*.plumb | wc -l)" ] || die "not each finding is saved"
for saved in two-*.plumb; do
    expect 1 replay "$saved"
done
[ -z "$(grep '^two.c:' out | sort | uniq -d)" ] || die "a finding twice"
