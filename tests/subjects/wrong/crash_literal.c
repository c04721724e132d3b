// expect: crash
/* A string literal is written to. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>

static void upper(char *text)
{
    text[0] = 'T'; // HERE
}

int main(void)
{
    char array[] = "text";
    char *text = launder((void *)(size_t) "text");
    upper(text);
    return array[0] == 'x';
}
