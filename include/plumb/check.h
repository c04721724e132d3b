/*
 * plumb/check.h: what stands between a subject and `plumb check`. The driver that `plumb check`
 * writes for --call includes it; a subject file uses the macros of plumb.h, which come here.
 *
 * Results are recorded by themselves, whatever their type: integers, pointers, bool,
 * enumerations, floating point, small structures, nothing. Of a structure with padding the members
 * are recorded, because nobody looks at what is between them.
 */
#ifndef PLUMB_CHECK_H
#define PLUMB_CHECK_H

#include <plumb/result.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PLUMB_DOMAIN = 16 };

/* A call, with what it is called with in its text; or an operation with domains of arguments. In
 * the order in which C++ wants them to be initialised. */
struct plumb_operation {
    const char *shown;                    /* its text, or the name of the function */
    void (*run)(void);                    /* a call; its results are recorded on the way */
    plumb_result (*function)(plumb_args); /* an operation */
    const char *text;                     /* of what follows, to count the domains */
    const char *name;                     /* NULL: as shown */
    long long ints[PLUMB_DOMAIN], ints2[PLUMB_DOMAIN], ints3[PLUMB_DOMAIN];
    const char *group;    /* only one thread calls those of a group */
    int limit;            /* most calls in a test; 0: any number */
    int blocking;         /* it may wait */
    int may_fail;         /* spuriously */
    int late;             /* it may take effect after it has returned */
    int data_independent; /* what is put does not matter to what happens */
};

/* PLUMB_SUBJECT. */
struct plumb_declared {
    const char *name;
    void (*setup)(void), (*teardown)(void); /* on main, before and after; NULL: none */
    void (*thread_setup)(void), (*thread_teardown)(void);
    int (*invariant)(void); /* after each execution, alone; 0: broken */
    const char *spec;       /* a built-in one; NULL: the subject's own serial runs */
};

/* A line about operations by name: PLUMB_GROUP and the like. */
struct plumb_mark {
    const char *kind, *names;
};

/* A step of a written spec: plumb/spec.h. */
struct plumb_step {
    const char *name;
    plumb_result (*step)(void *state, plumb_args arguments);
    size_t bytes; /* of the state */
};

struct plumb_subject {
    const struct plumb_operation *const *operation;
    size_t operations;
    const struct plumb_mark *const *mark;
    size_t marks;
    const struct plumb_step *const *step;
    size_t steps;
    void (*start)(void *state); /* of the written spec; NULL: zeros */
    struct plumb_declared is;
};

/* Runs the test that `plumb check` asks for; for main to return. */
int plumb_check_main(const struct plumb_subject *subject);

/* Records a value as part of the response of the operation under way. Returns whether it is
 * other than 0, false, NULL; 1 for nothing. */
int plumb_put(int kind, const void *value, size_t size);

#ifdef __cplusplus
}
#endif

/* What is one of several values, or of values of values, stands between marks: in pieces that are
 * not values (they are of no number to a spec). */
static inline void plumb_put_mark_(const char *mark)
{
    (void)plumb_put(PLUMB_EMPTY, mark, 1);
}

/* When the operation is over: a list that is all of the answer and has values only stands without
 * its marks, an empty one as PLUMB_EMPTY. Returns how many bytes the answer has. */
static inline unsigned plumb_without_marks_(unsigned char *bytes, unsigned length)
{
    unsigned at;
    if (length < 6 || bytes[0] != PLUMB_EMPTY || bytes[1] != 1 || bytes[2] != '[')
        return length;
    for (at = 3; at + 3 < length && bytes[at] != PLUMB_EMPTY; at += 2u + bytes[at + 1])
        continue;
    if (at + 3 != length || bytes[at] != PLUMB_EMPTY || bytes[at + 1] != 1)
        return length;
    if (at == 3) {
        bytes[1] = 0;
        return 2;
    }
    for (at = 0; at + 6 < length; at++)
        bytes[at] = bytes[at + 3];
    return length - 6;
}

/* Of a long double that is no double the bytes that count: behind them is padding. */
static inline int plumb_put_value_(int kind, const void *value, size_t size)
{
    long double all = 0;
    double some;
    if (kind != PLUMB_FLOAT || size <= sizeof some)
        return plumb_put(kind, value, size);
    __builtin_memcpy(&all, value, sizeof all);
    some = (double)all;
    if (!((long double)some < all) && !((long double)some > all))
        return plumb_put(PLUMB_FLOAT, &some, sizeof some);
    return plumb_put(PLUMB_BYTES, value, __LDBL_MANT_DIG__ == 64 ? 10 : size);
}

/* ---- structures ---- */

/* An answer that is a structure of which it is not known what is padding: it is refused. */
enum { PLUMB_OPAQUE_ = 255 };

#define PLUMB_NOT_CALLED_                                                                          \
    "a function is named and not called: its brackets are missing, as in deq(&q)"

#ifdef __clang__
/* The members, as __builtin_dump_struct of clang tells them: by the formats of printf. An answer
 * that has no room for all of them, each with its kind, is recorded as it is if it has no padding.
 */
struct plumb_members {
    unsigned count, bytes;
    unsigned unknown; /* a member is of a type that it does not tell, or there are too many */
    unsigned bits;    /* there are bit-fields: their bytes are not counted */
    struct {
        int kind;
        unsigned size;
        const void *at; /* NULL: in `value` */
        union {
            long long number;
            double real;
            unsigned char bytes[16];
        } value;
    } at[PLUMB_MOST_BYTES / 3];
};

#define PLUMB_UNSEEN_ __attribute__((unused, no_sanitize("thread")))

#define PLUMB_NO_MEMBERS_                                                                          \
    "clang tells what is padding in a structure from version 15 on: leave --cc out, or use gcc"

/* Whether the text begins with it; what of the text comes behind it. Not those of string.h: what
 * these read would be steps of the call. */
PLUMB_UNSEEN_ static const char *plumb_after_(const char *text, const char *beginning)
{
    for (; *beginning; text++, beginning++)
        if (*text != *beginning)
            return 0;
    return text;
}

PLUMB_UNSEEN_ static int plumb_is_(const char *text, const char *word)
{
    const char *rest = plumb_after_(text, word);
    return rest && !*rest;
}

PLUMB_UNSEEN_ static int plumb_is_bool_(const char *type)
{
    return plumb_is_(type, "bool") || plumb_is_(type, "_Bool");
}

/* The bytes of a type by its name, with "[2][3]" behind it; 0: not known. Only of a type that has
 * no padding. */
PLUMB_UNSEEN_ static size_t plumb_bytes_of_(const char *type)
{
    static const struct {
        const char *name;
        unsigned size;
    } known[] = {{"char", 1},
                 {"signed char", 1},
                 {"unsigned char", 1},
                 {"bool", 1},
                 {"_Bool", 1},
                 {"int8_t", 1},
                 {"uint8_t", 1},
                 {"short", 2},
                 {"unsigned short", 2},
                 {"int16_t", 2},
                 {"uint16_t", 2},
                 {"int", 4},
                 {"unsigned int", 4},
                 {"int32_t", 4},
                 {"uint32_t", 4},
                 {"float", 4},
                 {"wchar_t", 4},
                 {"long", 8},
                 {"unsigned long", 8},
                 {"long long", 8},
                 {"unsigned long long", 8},
                 {"int64_t", 8},
                 {"uint64_t", 8},
                 {"intptr_t", 8},
                 {"uintptr_t", 8},
                 {"size_t", 8},
                 {"ssize_t", 8},
                 {"ptrdiff_t", 8},
                 {"double", 8},
                 {"__int128", 16},
                 {"unsigned __int128", 16},
                 {"__int128_t", 16},
                 {"__uint128_t", 16}};
    size_t size = 0, count = 0;
    const char *behind = 0;
    for (const char *skipped = type; skipped; type = skipped ? skipped : type)
        (skipped = plumb_after_(type, "const ")) || (skipped = plumb_after_(type, "volatile ")) ||
            (skipped = plumb_after_(type, "std::"));
    for (unsigned i = 0; i < sizeof known / sizeof *known && !size; i++)
        if ((behind = plumb_after_(type, known[i].name)) && (!*behind || *behind == '['))
            size = known[i].size;
    for (behind = size ? behind : type; !size && *behind; behind++)
        if (behind[0] == '*' && behind[1] == '[') { /* of pointers */
            size = 8;
            break;
        }
    for (behind += *behind == '*'; size && *behind == '['; behind++) {
        for (count = 0, behind++; *behind >= '0' && *behind <= '9'; behind++)
            count = 10 * count + (size_t)(*behind - '0');
        size *= count;
        if (*behind != ']')
            return 0;
    }
    return size && !*behind ? size : 0;
}

PLUMB_UNSEEN_ static int plumb_member_(struct plumb_members *m, const char *format, ...)
{
    __builtin_va_list list;
    const char *plain = plumb_after_(format, "%s%s %s = ");
    const char *bits = plumb_after_(format, "%s%s %s : %zu = ");
    const char *at = plain ? plain : bits, *type = "";
    unsigned longs = 0, shorts = 0, i = m->count;
    long double all;
    size_t size = 0;
    if (!at) /* a brace */
        return 0;
    if (i == sizeof m->at / sizeof *m->at) {
        m->unknown = 1;
        return 0;
    }
    __builtin_va_start(list, format);
    (void)__builtin_va_arg(list, const char *);
    type = __builtin_va_arg(list, const char *);
    (void)__builtin_va_arg(list, const char *);
    if (bits)
        (void)__builtin_va_arg(list, size_t);
    m->bits |= bits != 0;
    at += *at == '%';
    for (; *at == 'l' || *at == 'h'; at++) {
        longs += *at == 'l';
        shorts += *at == 'h';
    }
    m->at[i].size = 8;
    m->at[i].at = 0;
    if (*at == 'd' || *at == 'u') {
        m->at[i].kind = plumb_is_bool_(type) ? PLUMB_BOOL
                        : *at == 'd'         ? PLUMB_SIGNED
                                             : PLUMB_UNSIGNED;
        m->at[i].value.number = longs        ? __builtin_va_arg(list, long long)
                                : *at == 'd' ? (long long)__builtin_va_arg(list, int)
                                             : (long long)__builtin_va_arg(list, unsigned);
        m->bytes += longs ? 8 : shorts == 2 ? 1 : shorts ? 2 : plumb_is_bool_(type) ? 1 : 4;
    } else if (*at == 'f') {
        m->at[i].kind = PLUMB_FLOAT;
        m->at[i].value.real = __builtin_va_arg(list, double);
        m->bytes += plumb_is_(type, "float") ? 4 : 8;
    } else if (*at == 'L') {
        all = __builtin_va_arg(list, long double);
        m->at[i].kind = PLUMB_FLOAT;
        m->at[i].value.real = (double)all;
        m->bytes += 10;
        if ((long double)(double)all < all || (long double)(double)all > all) {
            m->at[i].kind = PLUMB_BYTES;
            m->at[i].size = __LDBL_MANT_DIG__ == 64 ? 10 : sizeof all;
            for (unsigned k = 0; k < m->at[i].size; k++)
                m->at[i].value.bytes[k] = ((const unsigned char *)&all)[k];
        }
    } else if (*at == 'p' || *at == '"') {
        m->at[i].kind = PLUMB_POINTER;
        m->at[i].value.number = (long long)(size_t) __builtin_va_arg(list, void *);
        m->bytes += 8;
    } else if (*at == '*' && (size = plumb_bytes_of_(type)) != 0) { /* where it is */
        m->at[i].kind = PLUMB_BYTES;
        m->at[i].size = (unsigned)size;
        m->at[i].at = __builtin_va_arg(list, const void *);
        m->bytes += (unsigned)size;
    } else {
        m->unknown = 1;
    }
    m->count++;
    __builtin_va_end(list);
    return 0;
}

PLUMB_UNSEEN_ static int plumb_put_members_(int kind, const void *value, size_t size,
                                            const struct plumb_members *m)
{
    int holds = 0;
    size_t all = 0;
    for (unsigned i = 0; i < m->count; i++)
        all += m->at[i].size + 2u;
    if (m->unknown)
        return plumb_put(PLUMB_OPAQUE_, 0, 0);
    if (!m->count || (m->bytes == size && !m->bits && all > PLUMB_MOST_BYTES))
        return plumb_put_value_(kind, value, size);
    for (unsigned i = 0; i < m->count; i++)
        holds |=
            plumb_put(m->at[i].kind, m->at[i].at ? m->at[i].at : &m->at[i].value, m->at[i].size);
    return holds;
}
#endif

#ifdef __cplusplus

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
PLUMB_KIND_OF(long double, PLUMB_FLOAT)

/* A call of type void leaves the comma to the language, any other comes to the function. */
struct plumb_recorded {
    int holds;
};
template <class T, bool has_members> struct plumb_put_of {
    static int put(const T &value)
    {
        if (__is_class(
                T)) /* gcc, and no plain data: there is no clearing what is between members */
            return plumb_put(PLUMB_OPAQUE_, 0, 0);
        return plumb_put_value_(plumb_kind_of<T, __is_enum(T)>::kind, (const void *)&value,
                                sizeof value);
    }
};
#if defined __clang__ && __clang_major__ < 15
template <class T> struct plumb_put_of<T, true> {
    static int put(const T &)
    {
        static_assert(sizeof(T) == 0, PLUMB_NO_MEMBERS_);
        return 0;
    }
};
#define PLUMB_HAS_MEMBERS_(T) __is_class(T)
#elif defined __clang__
template <class T> struct plumb_put_of<T, true> {
    static int put(const T &value)
    {
        struct plumb_members members;
        members.count = members.bytes = members.unknown = members.bits = 0;
        __builtin_dump_struct(&value, plumb_member_, &members);
        return plumb_put_members_(PLUMB_BYTES, (const void *)&value, sizeof value, &members);
    }
};
#define PLUMB_HAS_MEMBERS_(T) __is_class(T)
#else
template <class T> struct plumb_put_of<T, true> {
    static int put(const T &value)
    {
        T copy = value;
        __builtin_clear_padding(&copy);
        return plumb_put(PLUMB_BYTES, (const void *)&copy, sizeof copy);
    }
};
#define PLUMB_HAS_MEMBERS_(T) (__is_class(T) && __is_trivially_copyable(T))
#endif

#if __cplusplus >= 201103L
/*
 * Classes by what they say of themselves, as those of the standard library do: what is inside of
 * one, besides its value, is no answer (where a string has its characters, what an empty optional
 * holds). None of its headers is included here, before what a subject may define for them.
 */
namespace plumb_
{
template <unsigned n> struct rank : rank<n - 1> {
};
template <> struct rank<0> {
};
template <class T> int put(const T &value);
template <class T> T bare(const T &);
template <unsigned n> void get(rank<n>); /* so that get<0>(value) is a template, of any namespace */

template <class T> int put_by(const T &value, rank<0>)
{
    return plumb_put_of<T, PLUMB_HAS_MEMBERS_(T)>::put(value);
}

/* std::pair, std::tuple */
template <unsigned n, unsigned count> struct each {
    template <class T> static int put_from(const T &value)
    {
        int holds = put(get<n>(value));
        return each<n + 1, count>::put_from(value) | holds;
    }
};
template <unsigned count> struct each<count, count> {
    template <class T> static int put_from(const T &) { return 0; }
};
template <class First> First &some(const First &);
template <template <class...> class T, class First, class... Rest>
auto put_by(const T<First, Rest...> &value, rank<1>) -> decltype(some<First>(get<0>(value)), 0)
{
    return each<0, 1 + sizeof...(Rest)>::put_from(value);
}

/* std::string, std::vector, std::array */
template <class E> int put_from(const E *at, size_t count, rank<0>)
{
    int holds = 0;
    plumb_put_mark_("[");
    for (size_t i = 0; i < count; i++)
        holds |= put(at[i]);
    plumb_put_mark_("]");
    return holds;
}
inline int put_from(const char *at, size_t count, rank<1>)
{
    return plumb_put(PLUMB_TEXT, at, count);
}
template <class T> auto put_by(const T &value, rank<2>) -> decltype(value.data() + value.size(), 0)
{
    return put_from(value.data(), value.size(), rank<1>());
}

/* std::unique_ptr, std::shared_ptr */
template <class T>
auto put_by(const T &value, rank<3>) -> decltype(value.get() == value.operator->(), 0)
{
    return put(value.get());
}

/* std::optional, std::expected: of the one that holds nothing that it does. What is held may begin
 * with that, too, unless it is a number: so it has marks. */
template <class T> void put_held(const T &, rank<0>)
{
    (void)plumb_put(PLUMB_VOID, 0, 0);
}
template <class T> auto put_held(const T &value, rank<1>) -> decltype((void)put(*value))
{
    bool marked = __is_class(__typeof__(bare(*value)));
    if (marked)
        plumb_put_mark_("[");
    (void)put(*value);
    if (marked)
        plumb_put_mark_("]");
}
template <class T> int put_none(const T &, rank<0>)
{
    return plumb_put(PLUMB_EMPTY, 0, 0);
}
template <class T> auto put_none(const T &value, rank<1>) -> decltype((void)value.error(), 0)
{
    (void)plumb_put(PLUMB_EMPTY, 0, 0);
    (void)put(value.error());
    return 0;
}
template <class T>
auto put_by(const T &value, rank<4>) -> decltype(value.has_value() ? (void)*value : (void)0, 0)
{
    if (!value.has_value())
        return put_none(value, rank<1>());
    put_held(value, rank<1>());
    return 1;
}

/* std::variant: which, and what. */
template <unsigned n, unsigned count> struct chosen {
    template <class T> static int put_from(const T &value)
    {
        return value.index() == n ? put(get<n>(value)) : chosen<n + 1, count>::put_from(value);
    }
};
template <unsigned count> struct chosen<count, count> {
    template <class T> static int put_from(const T &) { return 0; }
};
template <template <class...> class T, class... All>
auto put_by(const T<All...> &value, rank<5>) -> decltype(value.valueless_by_exception(), 0)
{
    size_t index = value.index();
    (void)plumb_put(PLUMB_UNSIGNED, &index, sizeof index);
    return chosen<0, sizeof...(All)>::put_from(value);
}

template <class T> int put(const T &value)
{
    return put_by(value, rank<5>());
}
} // namespace plumb_
#define PLUMB_PUT_(value) plumb_::put(value)
#else
#define PLUMB_PUT_(value) plumb_put_of<T, PLUMB_HAS_MEMBERS_(T)>::put(value)
#endif
template <class T> plumb_recorded operator,(const T &value, plumb_nothing)
{
    plumb_recorded recorded;
    recorded.holds = PLUMB_PUT_(value);
    return recorded;
}
template <class R, class... A> plumb_recorded operator,(R (&)(A...), plumb_nothing)
{
    static_assert(sizeof(R *) == 0, PLUMB_NOT_CALLED_);
    return plumb_recorded();
}
inline int plumb_holds(plumb_nothing)
{
    return plumb_put(PLUMB_VOID, 0, 0);
}
inline int plumb_holds(plumb_recorded recorded)
{
    return recorded.holds;
}
#define PLUMB_RECORD(...) plumb_holds(((__VA_ARGS__), plumb_nothing()))
#ifdef __cpp_exceptions
/* An exception that leaves a call is its answer, by the mangled name of its type. That stands
 * behind the first pointer of a std::type_info; a star before it says that equal names may be
 * different types. There is no type at the end of a thread, which comes this way, too. */
extern "C" const void *plumb_exception_type_(void) __asm__("__cxa_current_exception_type");
inline __attribute__((no_sanitize("thread"))) int plumb_threw(void)
{
    enum { most = 96 };
    const void *type = plumb_exception_type_();
    if (!type)
        return 0;
    const char *name = static_cast<const char *const *>(type)[1];
    name += *name == '*';
    size_t length = 0;
    while (length < most && name[length])
        length++;
    plumb_put(PLUMB_THROWS, name, length);
    return 1;
}
#define PLUMB_TRY_ try {
#define PLUMB_CAUGHT_                                                                              \
    }                                                                                              \
    catch (...)                                                                                    \
    {                                                                                              \
        if (!plumb_threw())                                                                        \
            throw;                                                                                 \
    }
#endif

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
             float: PLUMB_FLOAT, double: PLUMB_FLOAT, long double: PLUMB_FLOAT,                    \
             default: __builtin_classify_type(x) == 5 ? PLUMB_POINTER : PLUMB_BYTES)
/* clang-format on */
#ifdef __clang__
#define PLUMB_IS_RECORD_(value)                                                                    \
    (PLUMB_KIND(value) == PLUMB_BYTES && __builtin_classify_type(value) == 12)
#endif
#if defined __clang__ && __clang_major__ < 15
#define PLUMB_PUT_(value)                                                                          \
    _Static_assert(!PLUMB_IS_RECORD_(value), PLUMB_NO_MEMBERS_);                                   \
    plumb_put_value_(PLUMB_KIND(value), &value, sizeof value)
#elif defined __clang__
/* Of everything else but structures nothing of this is left. */
#define PLUMB_PUT_(value)                                                                          \
    struct plumb_members plumb_members;                                                            \
    if (PLUMB_IS_RECORD_(value)) {                                                                 \
        plumb_members.count = plumb_members.bytes = 0;                                             \
        plumb_members.unknown = plumb_members.bits = 0;                                            \
        __builtin_dump_struct(__builtin_choose_expr(__builtin_classify_type(value) == 12, &value,  \
                                                    &(struct plumb_nothing){0}),                   \
                              plumb_member_, &plumb_members);                                      \
    }                                                                                              \
    PLUMB_IS_RECORD_(value)                                                                        \
    ? plumb_put_members_(PLUMB_KIND(value), &value, sizeof value, &plumb_members)                  \
    : plumb_put_value_(PLUMB_KIND(value), &value, sizeof value)
#else
#define PLUMB_PUT_(value)                                                                          \
    __builtin_clear_padding(&value);                                                               \
    plumb_put_value_(PLUMB_KIND(value), &value, sizeof value)
#endif
/* An array, which becomes a pointer where its value is taken: its bytes. */
#define PLUMB_IS_ARRAY_(value, ...)                                                                \
    (__builtin_classify_type(value) == 5 &&                                                        \
     !__builtin_types_compatible_p(__typeof__(__VA_ARGS__), __typeof__(value)) &&                  \
     !__builtin_types_compatible_p(__typeof__(__VA_ARGS__), _Atomic __typeof__(value)))
/* Of one whose elements are arrays, atomic or structures it is not known what counts. It is copied
 * here, so that to read it is a step of the call. */
#define PLUMB_POINTS_TO_(pointer, type)                                                            \
    (__builtin_types_compatible_p(__typeof__(pointer), type *) ||                                  \
     __builtin_types_compatible_p(__typeof__(pointer), const type *))
#define PLUMB_IS_OPAQUE_(element)                                                                  \
    (__builtin_classify_type(element) == 12 || __builtin_classify_type(element) == 13 ||           \
     !PLUMB_POINTS_TO_(&(element), __typeof__(((void)0, (element)))))
#define PLUMB_PUT_ARRAY_(array, size)                                                              \
    __extension__({                                                                                \
        unsigned char plumb_copy[size];                                                            \
        enum { plumb_is_opaque = PLUMB_IS_OPAQUE_(*(array)) };                                     \
        if (!plumb_is_opaque)                                                                      \
            __builtin_memcpy(plumb_copy, (const void *)(array), sizeof plumb_copy);                \
        plumb_put(plumb_is_opaque ? PLUMB_OPAQUE_ : PLUMB_BYTES, plumb_copy,                       \
                  plumb_is_opaque ? 0 : sizeof plumb_copy);                                        \
    })
/* Only a function is not of the type that it has as a value, but what points to it is. */
#define PLUMB_RECORD(...)                                                                          \
    __extension__({                                                                                \
        _Static_assert(                                                                            \
            !__builtin_types_compatible_p(__typeof__(__VA_ARGS__) *,                               \
                                          __typeof__(1 ? (__VA_ARGS__) : (__VA_ARGS__))),          \
            PLUMB_NOT_CALLED_);                                                                    \
        __auto_type plumb_value =                                                                  \
            __builtin_choose_expr(__builtin_types_compatible_p(__typeof__(__VA_ARGS__), void),     \
                                  ((__VA_ARGS__), (struct plumb_nothing){0}), (__VA_ARGS__));      \
        enum { plumb_is_array = PLUMB_IS_ARRAY_(plumb_value, __VA_ARGS__) };                       \
        int plumb_holds;                                                                           \
        if (plumb_is_array)                                                                        \
            plumb_holds =                                                                          \
                PLUMB_PUT_ARRAY_(__builtin_choose_expr(plumb_is_array, plumb_value, (char *)0),    \
                                 sizeof(__typeof__(__VA_ARGS__)));                                 \
        else                                                                                       \
            plumb_holds = __extension__({ PLUMB_PUT_(plumb_value); });                             \
        plumb_holds;                                                                               \
    })

#endif

/* ---- the table of a subject file: each line is one of these ---- */

#define PLUMB_JOIN_(a, b) a##b
#define PLUMB_JOIN(a, b)  PLUMB_JOIN_(a, b)
#ifdef __cplusplus
#define PLUMB_SHARED_ extern "C"
#pragma GCC diagnostic ignored "-Wunknown-warning-option"
#pragma GCC diagnostic ignored "-Wc++20-designator"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#else
#define PLUMB_SHARED_ extern
#endif
#define PLUMB_PLACE_(section_, type, number)                                                       \
    static const struct type *const PLUMB_JOIN(plumb_place_, number)                               \
        __attribute__((used, section(section_))) = &PLUMB_JOIN(plumb_entry_, number)
#ifndef PLUMB_TRY_
#define PLUMB_TRY_
#define PLUMB_CAUGHT_
#endif
#define PLUMB_CALL_(text_, number, ...)                                                            \
    static void PLUMB_JOIN(plumb_operation_, number)(void)                                         \
    {                                                                                              \
        PLUMB_TRY_ __VA_ARGS__ PLUMB_CAUGHT_                                                       \
    }                                                                                              \
    static const struct plumb_operation PLUMB_JOIN(plumb_entry_, number) = {                       \
        text_, PLUMB_JOIN(plumb_operation_, number)};                                              \
    PLUMB_PLACE_("plumb_operations", plumb_operation, number);
#define PLUMB_OP_(number, function_, ...)                                                          \
    static const struct plumb_operation PLUMB_JOIN(plumb_entry_, number) = {                       \
        .shown = #function_, .function = function_, .text = "" #__VA_ARGS__, __VA_ARGS__};         \
    PLUMB_PLACE_("plumb_operations", plumb_operation, number)
#define PLUMB_MARK_(number, kind_, names_)                                                         \
    static const struct plumb_mark PLUMB_JOIN(plumb_entry_, number) = {kind_, names_};             \
    PLUMB_PLACE_("plumb_marks", plumb_mark, number);
#define PLUMB_HOOK_(type, name, ...)                                                               \
    PLUMB_SHARED_ type plumb_subject_##name(void);                                                 \
    PLUMB_SHARED_ type plumb_subject_##name(void)                                                  \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }

#define PLUMB_CALL(...) PLUMB_CALL_(#__VA_ARGS__, __COUNTER__, (void)PLUMB_RECORD(__VA_ARGS__);)
#define PLUMB_CALL_OUT(declaration, call, out)                                                     \
    PLUMB_CALL_(#declaration "; " #call " -> " #out, __COUNTER__, declaration;                     \
                if (PLUMB_RECORD(call))(void) PLUMB_RECORD(out);)
#define PLUMB_SETUP(...)           PLUMB_HOOK_(void, setup, __VA_ARGS__)
#define PLUMB_TEARDOWN(...)        PLUMB_HOOK_(void, teardown, __VA_ARGS__)
#define PLUMB_THREAD_SETUP(...)    PLUMB_HOOK_(void, thread_setup, __VA_ARGS__)
#define PLUMB_THREAD_TEARDOWN(...) PLUMB_HOOK_(void, thread_teardown, __VA_ARGS__)
#define PLUMB_INVARIANT(...)       PLUMB_HOOK_(int, invariant, return __VA_ARGS__)
#define PLUMB_SPEC(...)            PLUMB_HOOK_(const char *, spec, return #__VA_ARGS__)

#define PLUMB_OP(...) PLUMB_OP_(__COUNTER__, __VA_ARGS__, )
#define PLUMB_SUBJECT(...)                                                                         \
    PLUMB_SHARED_ const struct plumb_declared plumb_subject_declared;                              \
    const struct plumb_declared plumb_subject_declared = {.name = __VA_ARGS__}

#define PLUMB_GROUP(...)            PLUMB_MARK_(__COUNTER__, "group", #__VA_ARGS__)
#define PLUMB_LIMIT(name, most)     PLUMB_MARK_(__COUNTER__, "limit", #name "=" #most)
#define PLUMB_BLOCKING(...)         PLUMB_MARK_(__COUNTER__, "blocking", #__VA_ARGS__)
#define PLUMB_MAY_FAIL(...)         PLUMB_MARK_(__COUNTER__, "may-fail", #__VA_ARGS__)
#define PLUMB_LATE(...)             PLUMB_MARK_(__COUNTER__, "late", #__VA_ARGS__)
#define PLUMB_TEXT_(...)            #__VA_ARGS__
#define PLUMB_TEXT(...)             PLUMB_TEXT_(__VA_ARGS__)
#define PLUMB_FACTOR(...)           PLUMB_MARK_(__COUNTER__, "factor", PLUMB_TEXT(__LINE__) ":" #__VA_ARGS__)
#define PLUMB_DATA_INDEPENDENT(...) PLUMB_MARK_(__COUNTER__, "data-independent", #__VA_ARGS__)

#endif
