// expect: pass
/* The other thread writes the byte after it. */
#define _GNU_SOURCE
#include "../help.h"

struct __attribute__((packed)) {
    char tag;
    int value; /* bytes 1 to 4 */
    char last[3];
} record;

static void *set_value(void *unused)
{
    record.value = 0x01020304;
    return unused;
}

int main(void)
{
    pthread_t thread = start(set_value, NULL);
    ((char *)&record)[5] = 9;
    finish(thread);
    return 0;
}
