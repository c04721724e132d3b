// expect: pass
/* An array is. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>

static void upper(char *text)
{
    text[0] = 'T';
}

int main(void)
{
    char array[] = "text";
    char *text = launder(array);
    upper(text);
    return array[0] == 'x';
}
