// expect: pass --leaks
/* What the library keeps for itself (buffers of stdio, of locales, of exceptions) is no leak. */
#define _GNU_SOURCE
#include "../help.h"
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *body(void *unused)
{
    printf("a line of output\n");
    fprintf(stderr, "a line of errors\n");
    assert(strerror(5) != NULL);
    return unused;
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    setenv("PLUMB_SUBJECT_LEAK", "kept by the library", 1);
    pthread_t thread = start(body, NULL);
    body(NULL);
    finish(thread);
    assert(fopen("/dev/null", "w") != NULL); /* open at the end: stdio holds it */
    return 0;
}
