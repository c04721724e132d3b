/*
 * The text of the header that goes before every subject file. It lives here as
 * lines, so that `plumb` needs no data file of its own at run time.
 *
 * Rules for its text: it is read by C89 and by C++20, by gcc and by clang; it
 * includes nothing of libc (a subject may define _GNU_SOURCE and the like in its
 * first line); every name is reserved.
 */
#include "build/prelude.h"

#include <stdio.h>

static const char *const opening[] = {
    "/* Written by plumb; included before every subject file. */",
    "#pragma GCC system_header",
    "#ifndef __PLUMB_PRELUDE",
    "#define __PLUMB_PRELUDE",
    "",
    "/* Code that tests for a sanitizer changes itself, some strengthens its memory",
    "   orders: it must not learn of ours. */",
    "#undef __SANITIZE_THREAD__",
};

/*
 * clang's answers to __has_feature, asked before the macro is covered: all stay
 * as they are, but for thread_sanitizer, which is absent here and so is 0.
 */
static const char *const features[] = {"address_sanitizer",
                                       "alignment_sanitizer",
                                       "arc_cf_code_audited",
                                       "array_bounds_sanitizer",
                                       "assume_nonnull",
                                       "attribute_analyzer_noreturn",
                                       "attribute_availability",
                                       "attribute_availability_with_message",
                                       "attribute_availability_with_version_underscores",
                                       "attribute_deprecated_with_message",
                                       "attribute_deprecated_with_replacement",
                                       "attribute_ext_vector_type",
                                       "attribute_overloadable",
                                       "attribute_unavailable_with_message",
                                       "attribute_unused_on_fields",
                                       "blocks",
                                       "c_alignas",
                                       "c_alignof",
                                       "c_atomic",
                                       "c_countof",
                                       "c_fixed_enum",
                                       "c_generic_selections",
                                       "c_static_assert",
                                       "c_thread_local",
                                       "c_thread_safety_attributes",
                                       "cfi_sanitizer",
                                       "coverage_sanitizer",
                                       "cxx_abi_relative_vtable",
                                       "cxx_access_control_sfinae",
                                       "cxx_aggregate_nsdmi",
                                       "cxx_alias_templates",
                                       "cxx_alignas",
                                       "cxx_alignof",
                                       "cxx_atomic",
                                       "cxx_attributes",
                                       "cxx_auto_type",
                                       "cxx_binary_literals",
                                       "cxx_constexpr",
                                       "cxx_constexpr_string_builtins",
                                       "cxx_contextual_conversions",
                                       "cxx_decltype",
                                       "cxx_decltype_auto",
                                       "cxx_decltype_incomplete_return_types",
                                       "cxx_default_function_template_args",
                                       "cxx_defaulted_functions",
                                       "cxx_delegating_constructors",
                                       "cxx_deleted_functions",
                                       "cxx_exceptions",
                                       "cxx_explicit_conversions",
                                       "cxx_generalized_initializers",
                                       "cxx_generic_lambdas",
                                       "cxx_implicit_moves",
                                       "cxx_inheriting_constructors",
                                       "cxx_init_captures",
                                       "cxx_inline_namespaces",
                                       "cxx_lambdas",
                                       "cxx_local_type_template_args",
                                       "cxx_noexcept",
                                       "cxx_nonstatic_member_init",
                                       "cxx_nullptr",
                                       "cxx_override_control",
                                       "cxx_range_for",
                                       "cxx_raw_string_literals",
                                       "cxx_reference_qualified_functions",
                                       "cxx_relaxed_constexpr",
                                       "cxx_return_type_deduction",
                                       "cxx_rtti",
                                       "cxx_rvalue_references",
                                       "cxx_static_assert",
                                       "cxx_strong_enums",
                                       "cxx_thread_local",
                                       "cxx_trailing_return",
                                       "cxx_unicode_literals",
                                       "cxx_unrestricted_unions",
                                       "cxx_user_literals",
                                       "cxx_variable_templates",
                                       "cxx_variadic_templates",
                                       "dataflow_sanitizer",
                                       "enumerator_attributes",
                                       "experimental_library",
                                       "ext_vector_type_boolean",
                                       "has_nothrow_assign",
                                       "has_nothrow_constructor",
                                       "has_nothrow_copy",
                                       "has_trivial_assign",
                                       "has_trivial_constructor",
                                       "has_trivial_copy",
                                       "has_trivial_destructor",
                                       "has_virtual_destructor",
                                       "hwaddress_sanitizer",
                                       "is_abstract",
                                       "is_base_of",
                                       "is_class",
                                       "is_constructible",
                                       "is_convertible_to",
                                       "is_empty",
                                       "is_enum",
                                       "is_final",
                                       "is_literal",
                                       "is_pod",
                                       "is_polymorphic",
                                       "is_standard_layout",
                                       "is_trivial",
                                       "is_trivially_assignable",
                                       "is_trivially_constructible",
                                       "is_trivially_copyable",
                                       "is_union",
                                       "leak_sanitizer",
                                       "memory_sanitizer",
                                       "modules",
                                       "nullability",
                                       "nullability_on_arrays",
                                       "nullability_nullable_result",
                                       "null_sanitizer",
                                       "ownership_holds",
                                       "ownership_returns",
                                       "ownership_takes",
                                       "pragma_stdc_cx_limited_range",
                                       "realtime_sanitizer",
                                       "safe_stack",
                                       "shadow_call_stack",
                                       "tls",
                                       "type_sanitizer",
                                       "undefined_behavior_sanitizer",
                                       "underlying_type",
                                       "xray_instrument"};

static const char *const rest[] = {
    "",
    "#ifdef __cplusplus",
    "extern \"C\" {",
    "#endif",
    "/* A busy wait is a yield: the runtime must hear of it. */",
    "void __plumb_pause(void) __attribute__((__nothrow__));",
    "/* The real functions under names that are no builtins: a builtin of small",
    "   constant size is expanded in place, without a call and without a trace. */",
    "void *__plumb_memcpy(void *, const void *, __SIZE_TYPE__) __asm__(\"memcpy\")",
    "    __attribute__((__nothrow__));",
    "void *__plumb_memmove(void *, const void *, __SIZE_TYPE__) __asm__(\"memmove\")",
    "    __attribute__((__nothrow__));",
    "void *__plumb_memset(void *, int, __SIZE_TYPE__) __asm__(\"memset\")",
    "    __attribute__((__nothrow__));",
    "int __plumb_memcmp(const void *, const void *, __SIZE_TYPE__) __asm__(\"memcmp\")",
    "    __attribute__((__nothrow__));",
    "int __plumb_clock(int, long *) __asm__(\"clock_gettime\") __attribute__((__nothrow__));",
    "/* The time stamp counter is read from the runtime's clock, which is the same in",
    "   every run; for a caller one tick is one nanosecond. */",
    "static __inline__ __attribute__((__unused__)) unsigned long long __plumb_tsc(void)",
    "{",
    "    long __t[2];",
    "    __plumb_clock(1, __t);",
    "    return (unsigned long long)__t[0] * 1000000000u + (unsigned long long)__t[1];",
    "}",
    "#ifdef __clang__",
    "static __inline__ __attribute__((__unused__)) void __plumb_mfence(void)",
    "{",
    "    __atomic_thread_fence(__ATOMIC_SEQ_CST);",
    "}",
    "static __inline__ __attribute__((__unused__)) void __plumb_sfence(void)",
    "{",
    "    __atomic_thread_fence(__ATOMIC_RELEASE);",
    "}",
    "static __inline__ __attribute__((__unused__)) void __plumb_lfence(void)",
    "{",
    "    __atomic_thread_fence(__ATOMIC_ACQUIRE);",
    "}",
    "#endif",
    "#ifdef __cplusplus",
    "}",
    "#endif",
    "",
    "/* gcc's own headers define _mm_pause by __builtin_ia32_pause, and so on; in clang",
    "   _mm_pause is itself the builtin, and its headers declare it once more. */",
    "#ifdef __clang__",
    "#define _mm_pause __plumb_pause",
    "#define _mm_mfence __plumb_mfence",
    "#define _mm_sfence __plumb_sfence",
    "#define _mm_lfence __plumb_lfence",
    "#define __rdtsc __plumb_tsc",
    "#else",
    "#define __builtin_ia32_mfence() __atomic_thread_fence(__ATOMIC_SEQ_CST)",
    "#define __builtin_ia32_sfence() __atomic_thread_fence(__ATOMIC_RELEASE)",
    "#define __builtin_ia32_lfence() __atomic_thread_fence(__ATOMIC_ACQUIRE)",
    "#define __builtin_memcpy __plumb_memcpy",
    "#define __builtin_memmove __plumb_memmove",
    "#define __builtin_memset __plumb_memset",
    "#define __builtin_memcmp __plumb_memcmp",
    "#endif",
    "#define __builtin_ia32_pause __plumb_pause",
    "#define __builtin_ia32_rdtsc __plumb_tsc",
    "",
    "/* Before C++20 the members of std::string are compiled into libstdc++, out of",
    "   sight; -1 (libstdc++ documents it) has them compiled with the subject. */",
    "#if defined(__cplusplus) && defined(__has_include)",
    "#if __has_include(<bits/c++config.h>)",
    "#include <bits/c++config.h>",
    "#if defined(__GLIBCXX__) && _GLIBCXX_EXTERN_TEMPLATE > 0",
    "#undef _GLIBCXX_EXTERN_TEMPLATE",
    "#define _GLIBCXX_EXTERN_TEMPLATE -1",
    "#endif",
    "/* The only thing it is asked for: who lets go of a shared_ptr looks at both of its counts by "
    "one",
    "   load that is twice as wide as they are. Such a mix has no meaning in C++ and is not "
    "explored. */",
    "#if defined(__GLIBCXX__) && !defined(_GLIBCXX_TSAN)",
    "#define _GLIBCXX_TSAN 1",
    "#endif",
    "#endif",
    "#endif",
    "",
    "#endif",
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void write_features(FILE *f)
{
    fputs("#ifdef __has_feature\n", f);
    for (size_t i = 0; i < COUNT(features); i++)
        fprintf(f, "#if __has_feature(%s)\n#define __plumb_has_%s 1\n#endif\n", features[i],
                features[i]);
    /* What is not defined is 0 in an #if. */
    fputs("#undef __has_feature\n#define __has_feature(x) __plumb_has_##x\n#endif\n", f);
}

enum pl_status pl_prelude_write(const char *path, struct pl_error *error)
{
    FILE *f = fopen(path, "we");

    if (!f)
        return pl_fail_errno(error, "cannot write %s", path);
    for (size_t i = 0; i < COUNT(opening); i++)
        fprintf(f, "%s\n", opening[i]);
    write_features(f);
    for (size_t i = 0; i < COUNT(rest); i++)
        fprintf(f, "%s\n", rest[i]);
    int broken = ferror(f);
    if (fclose(f) != 0 || broken)
        return pl_fail_errno(error, "cannot write %s", path);
    return PL_OK;
}
