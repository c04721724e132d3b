/*
 * plumb/result.h: what operations of a subject take and answer (plumb.h includes it).
 *
 *     static plumb_result deq(plumb_args a)
 *     {
 *         int v;
 *         return queue_deq(&q, &v) ? plumb_int(v) : plumb_empty();
 *     }
 *
 * A result is one value or several, one after the other:
 *
 *     plumb_ok()                nothing but that it is done
 *     plumb_empty()             there was nothing to take: what `empty` is to a spec
 *     plumb_int(-1)             a number; plumb_bool(1) true or false; plumb_real(0.5)
 *     plumb_pointer(p)          an address: compared as such, NULL is empty to a spec
 *     plumb_bytes(p, n)         so many bytes; plumb_text("abc") likewise, shown as text
 *     plumb_and(a, b)           both: plumb_and(plumb_bool(found), plumb_int(v))
 *
 * All of them together have at most 126 bytes, two more for each value.
 */
#ifndef PLUMB_RESULT_H
#define PLUMB_RESULT_H

#include <stddef.h>

enum { /* of a value */
       PLUMB_VOID,
       PLUMB_SIGNED,
       PLUMB_UNSIGNED,
       PLUMB_BOOL,
       PLUMB_POINTER,
       PLUMB_FLOAT,
       PLUMB_BYTES,
       PLUMB_EMPTY, /* of one byte: a mark around the values of a list */
       PLUMB_TEXT,
       PLUMB_BLOCKS, /* of a written spec only */
       PLUMB_THROWS  /* an exception has left the call */
};

enum { PLUMB_MOST_BYTES = 128, PLUMB_ARGUMENTS = 3 };

typedef struct plumb_args {
    long long i[PLUMB_ARGUMENTS];
} plumb_args;

typedef struct plumb_result {
    unsigned used;                         /* more than there is room for: it did not fit */
    unsigned char bytes[PLUMB_MOST_BYTES]; /* of each value: kind, size, bytes */
} plumb_result;

static inline plumb_result plumb_one_(int kind, const void *value, size_t size)
{
    plumb_result r = {0, {0}};
    r.used = (unsigned)size + 2;
    if (r.used > PLUMB_MOST_BYTES)
        return r;
    r.bytes[0] = (unsigned char)kind;
    r.bytes[1] = (unsigned char)size;
    if (size)
        __builtin_memcpy(r.bytes + 2, value, size);
    return r;
}
static inline plumb_result plumb_ok(void)
{
    return plumb_one_(PLUMB_VOID, NULL, 0);
}
static inline plumb_result plumb_empty(void)
{
    return plumb_one_(PLUMB_EMPTY, NULL, 0);
}
static inline plumb_result plumb_int(long long value)
{
    return plumb_one_(PLUMB_SIGNED, &value, sizeof value);
}
static inline plumb_result plumb_bool(int value)
{
    unsigned char byte = value != 0;
    return plumb_one_(PLUMB_BOOL, &byte, sizeof byte);
}
static inline plumb_result plumb_real(double value)
{
    return plumb_one_(PLUMB_FLOAT, &value, sizeof value);
}
static inline plumb_result plumb_pointer(const void *value)
{
    return plumb_one_(PLUMB_POINTER, &value, sizeof value);
}
static inline plumb_result plumb_bytes(const void *bytes, size_t count)
{
    return plumb_one_(PLUMB_BYTES, bytes, count);
}
static inline plumb_result plumb_text(const char *text)
{
    return plumb_one_(PLUMB_TEXT, text, __builtin_strlen(text));
}
static inline plumb_result plumb_and(plumb_result first, plumb_result second)
{
    if (first.used <= PLUMB_MOST_BYTES && second.used <= PLUMB_MOST_BYTES &&
        first.used + second.used <= PLUMB_MOST_BYTES)
        __builtin_memcpy(first.bytes + first.used, second.bytes, second.used);
    first.used += second.used;
    return first;
}

#endif
