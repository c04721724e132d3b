// expect: pass
/* The string is freed afterwards. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

static size_t length(const char *text)
{
    return strlen(text);
}

int main(void)
{
    char *text = launder(strdup("some text of a certain length"));
    size_t seen = length(launder(text));
    free(text);
    return seen == 12345;
}
