/*
 * plumb/check.h: what stands between a subject and `plumb check`. The driver that `plumb check`
 * writes for --call includes it; a subject file uses the macros of plumb.h, which come here.
 *
 * Results are recorded by themselves, whatever their type: integers, pointers, bool,
 * enumerations, floating point, small structures without padding, nothing.
 */
#ifndef PLUMB_CHECK_H
#define PLUMB_CHECK_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { /* of a recorded value */
       PLUMB_VOID,
       PLUMB_SIGNED,
       PLUMB_UNSIGNED,
       PLUMB_BOOL,
       PLUMB_POINTER,
       PLUMB_FLOAT,
       PLUMB_BYTES
};

struct plumb_operation {
    const char *name;
    void (*run)(void); /* the call; its results are recorded on the way */
};

struct plumb_subject {
    const struct plumb_operation *operation;
    size_t operations;
    void (*setup)(void), (*teardown)(void); /* on main, before and after; NULL: none */
    void (*thread_setup)(void), (*thread_teardown)(void);
    int (*invariant)(void); /* after each execution, alone; 0: broken */
};

/* Runs the test that `plumb check` asks for; for main to return. */
int plumb_check_main(const struct plumb_subject *subject);

/* Records a value as part of the response of the operation under way. Returns whether it is
 * other than 0, false, NULL; 1 for nothing. */
int plumb_put(int kind, const void *value, size_t size);

#ifdef __cplusplus
}

struct plumb_nothing {
};
template <class T, bool is_enum> struct plumb_kind_of {
    enum { kind = is_enum ? PLUMB_SIGNED : PLUMB_BYTES };
};
template <class T, bool is_enum> struct plumb_kind_of<T *, is_enum> {
    enum { kind = PLUMB_POINTER };
};
#define PLUMB_KIND_OF(type, number)                                                                \
    template <bool is_enum> struct plumb_kind_of<type, is_enum> {                                  \
        enum { kind = number };                                                                    \
    };
PLUMB_KIND_OF(bool, PLUMB_BOOL)
PLUMB_KIND_OF(char, PLUMB_SIGNED)
PLUMB_KIND_OF(signed char, PLUMB_SIGNED)
PLUMB_KIND_OF(short, PLUMB_SIGNED)
PLUMB_KIND_OF(int, PLUMB_SIGNED)
PLUMB_KIND_OF(long, PLUMB_SIGNED)
PLUMB_KIND_OF(long long, PLUMB_SIGNED)
PLUMB_KIND_OF(unsigned char, PLUMB_UNSIGNED)
PLUMB_KIND_OF(unsigned short, PLUMB_UNSIGNED)
PLUMB_KIND_OF(unsigned, PLUMB_UNSIGNED)
PLUMB_KIND_OF(unsigned long, PLUMB_UNSIGNED)
PLUMB_KIND_OF(unsigned long long, PLUMB_UNSIGNED)
PLUMB_KIND_OF(float, PLUMB_FLOAT)
PLUMB_KIND_OF(double, PLUMB_FLOAT)

/* A call of type void leaves the comma to the language, any other comes to the function. */
struct plumb_recorded {
    int holds;
};
template <class T> plumb_recorded operator,(const T &value, plumb_nothing)
{
    return plumb_recorded{
        plumb_put(plumb_kind_of<T, __is_enum(T)>::kind, (const void *)&value, sizeof value)};
}
inline int plumb_holds(plumb_nothing)
{
    return plumb_put(PLUMB_VOID, nullptr, 0);
}
inline int plumb_holds(plumb_recorded recorded)
{
    return recorded.holds;
}
#define PLUMB_RECORD(...) plumb_holds(((__VA_ARGS__), plumb_nothing()))

#else

struct plumb_nothing {
    char none;
};
/* clang-format off */
#define PLUMB_KIND(x)                                                                              \
    _Generic((x), struct plumb_nothing: PLUMB_VOID, _Bool: PLUMB_BOOL, char: PLUMB_SIGNED,         \
             signed char: PLUMB_SIGNED, short: PLUMB_SIGNED, int: PLUMB_SIGNED,                    \
             long: PLUMB_SIGNED, long long: PLUMB_SIGNED, unsigned char: PLUMB_UNSIGNED,           \
             unsigned short: PLUMB_UNSIGNED, unsigned: PLUMB_UNSIGNED,                             \
             unsigned long: PLUMB_UNSIGNED, unsigned long long: PLUMB_UNSIGNED,                    \
             float: PLUMB_FLOAT, double: PLUMB_FLOAT,                                              \
             default: __builtin_classify_type(x) == 5 ? PLUMB_POINTER : PLUMB_BYTES)
/* clang-format on */
#define PLUMB_RECORD(...)                                                                          \
    __extension__({                                                                                \
        __auto_type plumb_value =                                                                  \
            __builtin_choose_expr(__builtin_types_compatible_p(__typeof__(__VA_ARGS__), void),     \
                                  ((__VA_ARGS__), (struct plumb_nothing){0}), (__VA_ARGS__));      \
        plumb_put(PLUMB_KIND(plumb_value), &plumb_value, sizeof plumb_value);                      \
    })

#endif

#endif
