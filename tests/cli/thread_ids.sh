# The ids the kernel gives are any numbers, also such as are half of an address: the runtime has
# to find its way in libc's control blocks with every one of them.
. "$SRC/tests/cli/lib.sh"
cat >ids.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <signal.h>
static _Thread_local int mine;
static volatile sig_atomic_t raised;
static void count(int number)
{
    (void)number;
    raised++;
}
static void *work(void *address)
{
    *(int **)address = &mine;
    **(int **)address = 1;
    return (void *)pthread_self();
}
int main(void)
{
    pthread_t thread[5];
    int *where[5];
    signal(SIGUSR1, count);
    raise(SIGUSR1);
    assert(raised == 1);
    for (int i = 0; i < 5; i++)
        pthread_create(&thread[i], NULL, work, &where[i]);
    for (int i = 0; i < 5; i++) {
        void *self;
        pthread_join(thread[i], &self);
        assert(self == (void *)thread[i] && where[i] != &mine);
    }
    return 0;
}
C
expect 0 run ids.c --executions 10 # and is compiled now: later runs start few processes

# Where the ids can be chosen: 0x1007 is the upper half of the addresses of the thread-local
# blocks (src/result/layout.h). The tool and the compiler take some ids before the threads do.
last=/proc/sys/kernel/ns_last_pid
now=$(cat $last)
for before in $(seq 1 28); do
    { echo $((0x1007 - before)) >$last; } 2>/dev/null
    expect 0 run ids.c --executions 10
done
{ echo "$now" >$last; } 2>/dev/null || true
