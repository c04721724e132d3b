/*
 * What std::istream writes into the subject's variables: numbers and single characters. Strings
 * and buffers are filled by copies that are seen (libstdcxx.c). The operator is a call of the
 * library at -O0 and for int and short; else the header's, which calls _M_extract.
 */
#include "runtime/libc.h"

typedef void *extraction(void *stream, void *to);

#define OPERATOR(type) "_ZNSirsER" type
#define EXTRACT(type)  "_ZNSi10_M_extractI" type "EERSiRT_"
#define STREAM_TABLE(X)                                                                            \
    X(operator_bool, OPERATOR("b"), 1)                                                             \
    X(operator_short, OPERATOR("s"), 2)                                                            \
    X(operator_unsigned_short, OPERATOR("t"), 2)                                                   \
    X(operator_int, OPERATOR("i"), 4)                                                              \
    X(operator_unsigned, OPERATOR("j"), 4)                                                         \
    X(operator_long, OPERATOR("l"), 8)                                                             \
    X(operator_unsigned_long, OPERATOR("m"), 8)                                                    \
    X(operator_long_long, OPERATOR("x"), 8)                                                        \
    X(operator_unsigned_long_long, OPERATOR("y"), 8)                                               \
    X(operator_float, OPERATOR("f"), 4)                                                            \
    X(operator_double, OPERATOR("d"), 8)                                                           \
    X(operator_long_double, OPERATOR("e"), 16)                                                     \
    X(operator_pointer, OPERATOR("Pv"), 8)                                                         \
    X(extract_bool, EXTRACT("b"), 1)                                                               \
    X(extract_unsigned_short, EXTRACT("t"), 2)                                                     \
    X(extract_unsigned, EXTRACT("j"), 4)                                                           \
    X(extract_long, EXTRACT("l"), 8)                                                               \
    X(extract_unsigned_long, EXTRACT("m"), 8)                                                      \
    X(extract_long_long, EXTRACT("x"), 8)                                                          \
    X(extract_unsigned_long_long, EXTRACT("y"), 8)                                                 \
    X(extract_float, EXTRACT("f"), 4)                                                              \
    X(extract_double, EXTRACT("d"), 8)                                                             \
    X(extract_long_double, EXTRACT("e"), 16)                                                       \
    X(extract_pointer, EXTRACT("Pv"), 8)                                                           \
    X(get_char, "_ZNSi3getERc", 1)                                                                 \
    X(operator_char, "_ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_RS3_", 1)

#define DEFINE(name, symbol, bytes)                                                                \
    static extraction *real_##name;                                                                \
    PL_EXPORT void *pl_##name(void *stream, void *to) __asm__(symbol);                             \
    void *pl_##name(void *stream, void *to)                                                        \
    {                                                                                              \
        uint64_t pc = PL_CALLER;                                                                   \
        if (pl_from_subject(pc))                                                                   \
            pl_write_range(to, bytes, pc);                                                         \
        return real_##name(stream, to);                                                            \
    }
STREAM_TABLE(DEFINE)

#define FIND(name, symbol, bytes) real_##name = (extraction *)(uintptr_t)pl_real(symbol);

/* While the library is loaded: nothing is looked up in a step. */
__attribute__((constructor)) static void find(void)
{
    STREAM_TABLE(FIND)
}
