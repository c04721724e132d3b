// warns: wcslen mbstowcs
/* Library functions write into heap blocks; what they wrote is initialised. */
#define _GNU_SOURCE
#include "../help.h"
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <wchar.h>

#define NEW(type) ((type *)malloc(sizeof(type)))

static int descending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? 1 : -(x > y);
}

static void *check(void *unused)
{
    char *text = malloc(64);
    assert(snprintf(text, 64, "%d %s %5.2f %c", 42, "word", 3.14159, 'c') == 15);
    assert(text[0] == '4' && strcmp(text, "42 word  3.14 c") == 0);
    sprintf(text, "%a %e %g", 0.5, 12345.678, 1e-10);
    assert(strcmp(text, "0x1p-1 1.234568e+04 1e-10") == 0);

    int *number = NEW(int), *other = NEW(int);
    assert(sscanf("17 35", "%d %d", number, other) == 2 && *number == 17 && *other == 35);
    char **end = NEW(char *);
    assert(strtol("123abc", end, 10) == 123 && **end == 'a');
    assert(strtod("2.5e3x", end) == 2500.0 && **end == 'x');
    assert(strtoul("0xff", end, 0) == 255 && **end == 0);
    errno = 0;
    assert(strtol("99999999999999999999", NULL, 10) == LONG_MAX && errno == ERANGE);
    double *whole = NEW(double);
    assert(modf(3.75, whole) == 0.75 && *whole == 3);
    assert(frexp(8.0, number) == 0.5 && *number == 4);

    int *numbers = malloc(100 * sizeof(int));
    for (int i = 0; i < 100; i++)
        numbers[i] = i * 37 % 100;
    qsort(numbers, 100, sizeof(int), descending);
    for (int i = 0; i < 100; i++)
        assert(numbers[i] == 99 - i);
    int wanted = 40;
    int *found = bsearch(&wanted, numbers, 100, sizeof(int), descending);
    assert(found && *found == 40 && found == numbers + 59);
    wanted = 400;
    assert(!bsearch(&wanted, numbers, 100, sizeof(int), descending));
    free(numbers);

    struct timespec *spec = NEW(struct timespec);
    assert(clock_gettime(CLOCK_REALTIME, spec) == 0 && spec->tv_nsec >= 0);
    struct timeval *value = NEW(struct timeval);
    assert(gettimeofday(value, NULL) == 0 && value->tv_usec < 1000000);
    time_t *seconds = NEW(time_t);
    assert(time(seconds) == *seconds);
    *seconds = 86400 * 365;
    struct tm *tm = NEW(struct tm);
    assert(gmtime_r(seconds, tm) == tm && tm->tm_year == 71 && tm->tm_mon == 0);
    assert(strftime(text, 64, "%Y-%m-%d %H:%M:%S", tm) == 19 && text[3] == '1');
    assert(timegm(tm) == *seconds);
    assert(localtime_r(seconds, tm) == tm && mktime(tm) == *seconds);
    assert(asctime_r(tm, text) == text && text[24] == '\n');

    struct stat *status = NEW(struct stat);
    assert(stat("/", status) == 0 && S_ISDIR(status->st_mode));
    struct utsname *name = NEW(struct utsname);
    assert(uname(name) == 0 && name->sysname[0] == 'L');
    struct rusage *usage = NEW(struct rusage);
    assert(getrusage(RUSAGE_SELF, usage) == 0 && usage->ru_utime.tv_usec >= 0);
    struct rlimit *limit = NEW(struct rlimit);
    assert(getrlimit(RLIMIT_NOFILE, limit) == 0 && limit->rlim_cur > 0);
    sigset_t *set = NEW(sigset_t);
    assert(sigemptyset(set) == 0 && sigaddset(set, SIGUSR1) == 0 && sigismember(set, SIGUSR1));
    int *ends = malloc(2 * sizeof(int));
    assert(pipe(ends) == 0 && write(ends[1], "through the pipe", 17) == 17);
    char *bytes = malloc(17), *more = malloc(17);
    struct iovec vector[2] = {{bytes, 8}, {more, 9}};
    assert(readv(ends[0], vector, 2) == 17 && bytes[7] == ' ' && more[8] == 0);
    assert(close(ends[0]) == 0 && close(ends[1]) == 0);
    char *where = getcwd(NULL, 0), *real = realpath("/usr/../", NULL);
    assert(where[0] == '/' && strcmp(real, "/") == 0);

    wchar_t *wide = malloc(16 * sizeof(wchar_t));
    assert(mbstowcs(wide, "abc", 16) == 3 && wide[2] == L'c' && wcslen(wide) == 3);
    sem_t *sem = NEW(sem_t);
    assert(sem_init(sem, 0, 3) == 0 && sem_getvalue(sem, number) == 0 && *number == 3);
    char *token, *rest = strcpy(text, "one,two,three"), **save = NEW(char *);
    token = strtok_r(rest, ",", save);
    assert(strcmp(token, "one") == 0 && strcmp(strtok_r(NULL, ",", save), "two") == 0);
    div_t parts = div(17, 5);
    assert(parts.quot == 3 && parts.rem == 2);
    void *all[] = {text,  number, other, end,  whole, spec, value, seconds, tm,   status, name,
                   usage, limit,  set,   ends, bytes, more, where, real,    wide, sem,    save};
    for (size_t i = 0; i < COUNT(all); i++)
        free(all[i]);
    return unused;
}

int main(void)
{
    pthread_t a = start(check, NULL);
    check(NULL);
    finish(a);
    return 0;
}
