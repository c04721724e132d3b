// warns: __sched_cpucount
/* Small calls that real programs make about threads. */
#define _GNU_SOURCE
#include "../help.h"
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static void *body(void *unused)
{
    char name[16] = "";
    assert(pthread_setname_np(pthread_self(), "worker") == 0);
    assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0);
    assert(strcmp(name, "worker") == 0);
    assert(pthread_setname_np(pthread_self(), "a name of more than 15") == ERANGE);
    int old = -1;
    assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0);
    assert(old == PTHREAD_CANCEL_ENABLE);
    assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0);
    assert(old == PTHREAD_CANCEL_DISABLE);
    pthread_testcancel();
    assert(sched_yield() == 0);
    sigset_t set, previous;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    assert(pthread_sigmask(SIG_BLOCK, &set, &previous) == 0);
    assert(pthread_sigmask(SIG_SETMASK, &previous, NULL) == 0);
    return unused;
}

int main(void)
{
    pthread_t a = start(body, NULL);
    body(NULL);
    finish(a);
    assert(gettid() == getpid()); /* of the first thread */
    cpu_set_t cpus;
    assert(pthread_getaffinity_np(pthread_self(), sizeof cpus, &cpus) == 0);
    assert(CPU_COUNT(&cpus) >= 1);
    assert(sysconf(_SC_NPROCESSORS_ONLN) >= 1);
    return 0;
}
