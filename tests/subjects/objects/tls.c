// executions: 1000
/* Thread-locals: every thread starts with the initial values, at its own addresses, in every
 * execution. */
#include "../help.h"
#include <sched.h>
#include <stdalign.h>
#include <stdint.h>
#include <string.h>

static _Thread_local int initial = 12345;
static _Thread_local int zero;
static _Thread_local char text[] = "initial text";
static _Thread_local alignas(64) char line[64];
static _Thread_local unsigned char large[20000];
static _Thread_local struct {
    int a, b;
    int *self;
} record = {1, 2, 0};
_Thread_local long exported = -1;

struct addresses {
    void *initial, *line, *large;
};

static void *check(void *out)
{
    assert(initial == 12345 && zero == 0 && exported == -1);
    assert(strcmp(text, "initial text") == 0);
    assert(record.a == 1 && record.b == 2 && !record.self);
    assert((uintptr_t)line % 64 == 0);
    for (size_t i = 0; i < sizeof large; i += 97)
        assert(large[i] == 0);
    initial = 0;
    zero = 99;
    exported = 5;
    record.self = &zero;
    memset(text, 'x', sizeof text - 1);
    memset(line, 1, sizeof line);
    memset(large, 0xee, sizeof large);
    *(struct addresses *)out = (struct addresses){&initial, line, large};
    assert(errno == 0);
    errno = EINVAL;
    for (int i = 0; i < 3; i++) {
        sched_yield();
        assert(zero == 99 && record.self == &zero && errno == EINVAL);
    }
    return NULL;
}

int main(void)
{
    struct addresses at[3];
    pthread_t a = start(check, &at[0]), b = start(check, &at[1]);
    check(&at[2]);
    finish(a);
    finish(b);
    assert(at[2].initial != at[0].initial && at[2].initial != at[1].initial);
    assert(at[2].line != at[0].line && at[2].large != at[1].large);
    assert(initial == 0 && zero == 99);
    struct addresses later;
    elsewhere(check, &later); /* a thread made after others ended starts clean too */
    return 0;
}
