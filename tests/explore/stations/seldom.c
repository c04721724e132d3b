// What a program seldom changes is not kept at a station: once it has changed, none may be made, or
// executions that begin there would find it as it was at the start. Each way to change it on its
// own.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <plumb.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static atomic_int x, y;
static pthread_key_t key;
static int input, handled;

/* Another execution begins at each of the reads. */
static int here(void)
{
    atomic_store_explicit(&y, 2, memory_order_relaxed);
    return atomic_load_explicit(&x, memory_order_relaxed);
}

static void *other(void *argument)
{
    (void)argument;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    (void)atomic_load_explicit(&y, memory_order_relaxed);
    return NULL;
}

static void handle(int signal)
{
    handled += signal;
}

__attribute__((constructor)) static void begin(void)
{
    pthread_key_create(&key, NULL);
    pthread_setspecific(key, &x);
    sigaction(SIGWINCH, &(struct sigaction){.sa_handler = handle, .sa_flags = (int)SA_RESETHAND},
              NULL);
    input = memfd_create("input", 0);
    assert(write(input, "abc", 3) == 3 && lseek(input, 0, SEEK_SET) == 0);
}

static void key_is_made(void)
{
    pthread_key_t one, two;
    pthread_key_create(&one, NULL);
    here();
    pthread_key_create(&two, NULL);
    assert(one != two);
    here();
    assert(pthread_setspecific(one, &x) == 0);
}

static void key_is_deleted(void)
{
    pthread_key_delete(key);
    here();
    assert(!pthread_getspecific(key));
}

static void value_is_set(void)
{
    assert(pthread_getspecific(key) == &x);
    pthread_setspecific(key, &y);
    here();
    assert(pthread_getspecific(key) == &y);
}

static void signal_is_handled(void)
{
    signal(SIGUSR1, handle);
    here();
    raise(SIGUSR1);
    assert(handled == SIGUSR1);
}

static void action_is_set(void)
{
    struct sigaction action = {.sa_handler = handle};
    sigaction(SIGUSR1, &action, NULL);
    here();
    sigaction(SIGUSR1, NULL, &action);
    assert(action.sa_handler == handle);
}

static void action_is_over(void)
{
    struct sigaction action;
    raise(SIGWINCH);
    here();
    sigaction(SIGWINCH, NULL, &action);
    assert(action.sa_handler == SIG_DFL);
}

static void signal_is_blocked(void)
{
    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    here();
    pthread_sigmask(SIG_BLOCK, NULL, &old);
    assert(sigismember(&old, SIGUSR2));
    raise(SIGUSR2);
    here();
    sigpending(&old);
    assert(sigismember(&old, SIGUSR2));
}

static void limit_is_set(void)
{
    struct rlimit limit = {100, 100};
    setrlimit(RLIMIT_NOFILE, &limit);
    here();
    getrlimit(RLIMIT_NOFILE, &limit);
    assert(limit.rlim_cur == 100);
}

static void pipe_is_written(void)
{
    int fd[2];
    char got = 0;
    assert(pipe(fd) == 0);
    here();
    assert(write(fd[1], "ab", 2) == 2);
    here();
    assert(read(fd[0], &got, 1) == 1 && got == 'a');
    here();
    assert(read(fd[0], &got, 1) == 1 && got == 'b');
}

static void input_is_closed(void)
{
    close(0);
    here();
    assert(open("/dev/null", O_RDONLY) == 0);
    here();
    assert(open("/dev/null", O_RDONLY) != 0);
}

static void file_is_made(void)
{
    char name[64], got[4] = "";
    snprintf(name, sizeof name, "stations-%d", (int)getpid());
    close(open(name, O_RDWR | O_CREAT | O_EXCL, 0600));
    here();
    assert(access(name, F_OK) == 0);
    int fd = open(name, O_RDWR);
    assert(write(fd, "abc", 3) == 3);
    here();
    assert(lseek(fd, 0, SEEK_SET) == 0 && read(fd, got, 4) == 3);
    unlink(name);
}

static void *map(void)
{
    return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void memory_is_mapped(void)
{
    char *one = map();
    one[0] = 3;
    here();
    char *two = map();
    assert(one != two && two[0] == 0);
    two[0] = 4;
    here();
    assert(one[0] == 3 && two[0] == 4);
}

static void memory_is_protected(void)
{
    char *block = aligned_alloc(4096, 4096);
    block[0] = 1;
    mprotect(block, 4096, PROT_READ);
    if (here() == 1)
        block[0] = 2; /* a crash */
    mprotect(block, 4096, PROT_READ | PROT_WRITE);
    here();
    block[0] = 3;
}

static void thread_is_named(void)
{
    char name[16];
    pthread_setname_np(pthread_self(), "me");
    here();
    pthread_getname_np(pthread_self(), name, sizeof name);
    assert(strcmp(name, "me") == 0);
}

static void cancelling_is_off(void)
{
    int old;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    here();
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
    assert(old == PTHREAD_CANCEL_DISABLE);
}

static void cancelling_is_asynchronous(void)
{
    int old;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    here();
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old);
    assert(old == PTHREAD_CANCEL_ASYNCHRONOUS);
}

static void numbers_are_drawn(void)
{
    uint64_t one = 0, two = 0;
    (void)getrandom(&one, sizeof one, 0);
    here();
    (void)getrandom(&two, sizeof two, 0);
    assert(one != two);
}

static void clock_is_read(void)
{
    struct timespec time;
    for (int i = 0; i < 3; i++)
        clock_gettime(CLOCK_MONOTONIC, &time);
    here();
    clock_gettime(CLOCK_MONOTONIC, &time);
    assert(time.tv_nsec % 1000000 == 4000); /* a microsecond a look, a millisecond an event */
}

static void words_are_taken(void)
{
    char text[] = "a b";
    assert(strcmp(strtok(text, " "), "a") == 0);
    here();
    assert(strcmp(strtok(NULL, " "), "b") == 0);
}

static void semaphore_has_a_name(void)
{
    sem_t *one = sem_open("/stations", O_CREAT, 0600, 1);
    sem_wait(one);
    here();
    assert(sem_open("/stations", 0) == one);
    sem_unlink("/stations");
    here();
    assert(sem_open("/stations", 0) == SEM_FAILED);
}

static void input_is_moved(void)
{
    assert(lseek(input, 1, SEEK_SET) == 1);
    here();
    assert(lseek(input, 0, SEEK_CUR) == 1);
}

static void at_end(void)
{
    assert(!"the end is handled"); /* found each time, if it is */
}

static void end_is_handled(void)
{
    atexit(at_end);
    here();
}

int main(void)
{
    static void (*const change[])(void) = {
        key_is_made,
        key_is_deleted,
        value_is_set,
        signal_is_handled,
        action_is_set,
        action_is_over,
        signal_is_blocked,
        limit_is_set,
        pipe_is_written,
        input_is_moved,
        input_is_closed,
        file_is_made,
        memory_is_mapped,
        memory_is_protected,
        thread_is_named,
        cancelling_is_off,
        cancelling_is_asynchronous,
        numbers_are_drawn,
        clock_is_read,
        words_are_taken,
        semaphore_has_a_name,
        end_is_handled,
    };
    pthread_t thread;
    int which = plumb_choose(sizeof change / sizeof *change);
    pthread_create(&thread, NULL, other, NULL);
    here();
    change[which]();
    here();
    pthread_join(thread, NULL);
    return 0;
}
