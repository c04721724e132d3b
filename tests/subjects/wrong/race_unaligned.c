// expect: data-race
/* A packed field lies at an odd address; another thread writes the byte that is its last. */
#define _GNU_SOURCE
#include "../help.h"

struct __attribute__((packed)) {
    char tag;
    int value; /* bytes 1 to 4 */
    char last[3];
} record;

static void *set_value(void *unused)
{
    record.value = 0x01020304; // HERE
    return unused;
}

int main(void)
{
    pthread_t thread = start(set_value, NULL);
    ((char *)&record)[4] = 9; // HERE
    finish(thread);
    return 0;
}
