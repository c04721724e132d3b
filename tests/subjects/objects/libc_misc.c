/* Environment, jumps, locale, signals sent to oneself, variable arguments. */
#define _GNU_SOURCE
#include "../help.h"
#include <locale.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf point;

#pragma GCC diagnostic ignored "-Winfinite-recursion" /* it ends by longjmp */
static void deeper(int n)
{
    if (n == 0)
        longjmp(point, 7);
    deeper(n - 1);
}

static void jumps(void)
{
    volatile int rounds = 0;
    int value = setjmp(point);
    if (value == 0)
        deeper(10);
    assert(value == 7);
    if (++rounds < 3)
        deeper(rounds);
    assert(rounds == 3);
}

static void *thread_jumps(void *unused)
{
    sigjmp_buf mine;
    volatile int seen = 0;
    if (sigsetjmp(mine, 1) == 0) {
        seen = 1;
        siglongjmp(mine, 1);
    }
    assert(seen == 1);
    return unused;
}

static volatile sig_atomic_t signals;
static void on_signal(int number)
{
    signals += number == SIGUSR1;
}

static int sum(int n, ...)
{
    va_list list;
    int total = 0;
    va_start(list, n);
    while (n-- > 0)
        total += va_arg(list, int);
    va_end(list);
    return total;
}

int main(int argc, char **argv)
{
    assert(argc == 1 && argv[0] && !argv[1]);
    assert(getenv("PLUMB_SUBJECT_VARIABLE") == NULL); /* also after an execution that set it */
    assert(setenv("PLUMB_SUBJECT_VARIABLE", "value", 1) == 0);
    assert(strcmp(getenv("PLUMB_SUBJECT_VARIABLE"), "value") == 0);
    assert(setenv("PLUMB_SUBJECT_VARIABLE", "other", 0) == 0);
    assert(strcmp(getenv("PLUMB_SUBJECT_VARIABLE"), "value") == 0);
    static char put[] = "PLUMB_SUBJECT_PUT=1";
    assert(getenv("PLUMB_SUBJECT_PUT") == NULL);
    assert(putenv(put) == 0 && strcmp(getenv("PLUMB_SUBJECT_PUT"), "1") == 0);
    assert(getenv("PATH") != NULL);
    jumps();
    pthread_t a = start(thread_jumps, NULL);
    thread_jumps(NULL);
    finish(a);
    assert(strcmp(setlocale(LC_ALL, NULL), "C") == 0);
    assert(setlocale(LC_ALL, "C.UTF-8") || setlocale(LC_ALL, "C"));
    char number[32];
    snprintf(number, sizeof number, "%.17g", 0.1);
    assert(strcmp(number, "0.10000000000000001") == 0 && strtod(number, NULL) == 0.1);
    assert(signal(SIGUSR1, on_signal) == SIG_DFL);
    assert(raise(SIGUSR1) == 0 && signals == 1);
    assert(sum(4, 1, 2, 3, 4) == 10);
    assert(abs(-5) == 5 && atoi("77") == 77);
    return 0;
}
