/* Claims about the scan: what it names, where, and what it leaves in peace. */
#include "test_build_fixture.h"

#include "build/code.h"
#include "build/known.h"
#include "build/scan.h"

/* NULL: the own front end. */
static const char *const compilers[] = {"gcc", "clang", NULL};
enum { COMPILERS = sizeof compilers / sizeof *compilers };

/* The warnings of a build of the words, joined by newlines. */
static char *warnings_of(const char *cc, const char *words)
{
    struct pl_built built;
    struct pl_error error;
    struct pl_strbuf text;

    if (build((struct call){.cc = cc, .words = words}, &built, &error) != PL_OK)
        fail_msg("%s: %s\n%s", words, error.text, built.diagnostics);
    pl_strbuf_init(&text);
    for (size_t i = 0; i < built.warnings.count; i++)
        pl_strbuf_addf(&text, "%s\n", built.warnings.at[i]);
    pl_built_release(&built);
    return pl_strbuf_detach(&text);
}

static size_t lines_in(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static void expect_line(const char *text, const char *line)
{
    if (!strstr(text, line))
        fail_msg("'%s' is not in:\n%s", line, text);
}

static const char assembly[] =
    "int x; long y;\n"
    "void locked(void) { __asm__ volatile(\"lock incl %0\" : \"+m\"(x)); }\n"
    "void fence(void) { __asm__ volatile(\"mfence\" ::: \"memory\"); }\n"
    "void swap(void) { long v = 1; __asm__ volatile(\"xchg %0, %1\" : \"+r\"(v), \"+m\"(y)); }\n"
    "unsigned ticks(void) { unsigned a; __asm__ volatile(\"rdtsc\" : \"=a\"(a) : : \"rdx\"); "
    "return a; }\n"
    "void call(void) { __asm__ volatile(\"syscall\" : : \"a\"(39) : \"rcx\", \"r11\"); }\n"
    "int main(void) { return 0; }\n";

static void assembly_is_named_with_its_line(void **state)
{
    static const char *const calls[] = {"asm.c", "asm.c -- -O2", "asm.c -- -O0"};
    (void)state;
    put("asm.c", assembly);
    for (size_t i = 0; i < 3 * COMPILERS; i++) {
        char *text = warnings_of(compilers[i / 3], calls[i % 3]);
        expect_line(text, "asm.c:2: warning: assembly (lock inc) in locked is an atomic access");
        expect_line(text, "asm.c:3: warning: assembly (mfence) in fence is an atomic access");
        expect_line(text, "asm.c:4: warning: assembly (xchg) in swap is an atomic access");
        expect_line(text, "asm.c:5: warning: assembly (rdtsc) in ticks gives another value");
        expect_line(text, "asm.c:6: warning: assembly (syscall) in call calls the system");
        expect_line(text, "replace it by C11 atomics");
        assert_int_equal(lines_in(text), 5);
        free(text);
    }
}

static void barriers_pauses_and_ordinary_code_are_left_in_peace(void **state)
{
    static const char *const calls[] = {"quiet.c", "quiet.c -- -O2", "quiet.c -- -O0"};
    (void)state;
    put("quiet.c", "#include <immintrin.h>\n#include <stdatomic.h>\n#include <stdio.h>\n"
                   "_Atomic int a; long m[64]; static int t;\n"
                   "long swap2(long x, long y) { long z[2] = {y, x}; return z[x & 1]; }\n"
                   "int main(int n, char **v) { __asm__ volatile(\"\" ::: \"memory\");\n"
                   "  __asm__ volatile(\"pause\"); _mm_pause(); _mm_mfence(); a++; t += n;\n"
                   "  printf(\"%d%ld\", a, swap2(n, m[n]));\n"
                   "  switch (n) { case 1: return 0; case 2: puts(v[0]); return 1;\n"
                   "  case 3: return 5; case 4: return 9; case 5: return 11; }\n"
                   "  return 0; }\n");
    for (size_t i = 0; i < 3 * COMPILERS; i++) {
        char *text = warnings_of(compilers[i / 3], calls[i % 3]);
        assert_string_equal(text, "");
        free(text);
    }
}

static void the_librarys_own_switch_is_the_remedy(void **state)
{
    (void)state;
    assert_int_equal(mkdir("urcu", 0700), 0);
    put("ck_pr.h",
        "static inline void a(int *p) { __asm__ volatile(\"lock incl %0\" : \"+m\"(*p)); }\n");
    put("urcu/x86.h",
        "static inline void b(int *p) { __asm__ volatile(\"lock incl %0\" : \"+m\"(*p)); }\n");
    put("rte_x.h",
        "static inline void c(int *p) { __asm__ volatile(\"lock incl %0\" : \"+m\"(*p)); }\n");
    put("libs.c", "#include \"ck_pr.h\"\n#include \"urcu/x86.h\"\n#include \"rte_x.h\"\n"
                  "int x;\nint main(void) { a(&x); b(&x); c(&x); a(&x); return 0; }\n");
    char *text = warnings_of(NULL, "libs.c");
    expect_line(text, "ck_pr.h:1: warning: assembly (lock inc) in ");
    expect_line(text,
                "compile with -DCK_USE_CC_BUILTINS=1 -DCK_MD_RMO or -include plumb/compat/ck.h\n");
    expect_line(text, "urcu/x86.h:1: warning: ");
    expect_line(text, "compile with -D_LGPL_SOURCE -include plumb/compat/urcu.h");
    expect_line(text, "rte_x.h:1: warning: ");
    expect_line(text, "compile with -DRTE_USE_C11_MEM_MODEL\n");
    assert_int_equal(lines_in(text), 3); /* a place is named once */
    free(text);
}

static void calls_out_of_sight_are_named_once_with_the_first_line(void **state)
{
    (void)state;
    put("ext.c", "void helper_fill(int *p) { *p = 1; }\n");
    assert_int_equal(run_words("gcc", "-shared", "-fPIC", "ext.c", "-o", "libext.so", NULL), 0);
    put("calls.c", "#include <stdlib.h>\n#include <math.h>\nvoid helper_fill(int *);\n"
                   "void swab(const void *, void *, long);\n"
                   "char v[4], x[4];\n"
                   "int main(int n, char **w) { (void)w;\n"
                   "  helper_fill((int *)(void *)v);\n"
                   "  swab(v, x, 4);\n"
                   "  swab(v, x, 2);\n"
                   "  return getenv(\"A\") && sqrt(n) > 9; }\n");
    for (size_t i = 0; i < COMPILERS; i++) {
        char *text = warnings_of(compilers[i], "calls.c -- -L. -lext -lm");
        expect_line(text, "calls.c:7: warning: what helper_fill does to memory is not seen, its "
                          "library is not instrumented; compile the library with "
                          "-fsanitize=thread, see docs/frontends.md\n");
        expect_line(text, "calls.c:8: warning: what swab of the C library does to memory");
        assert_int_equal(lines_in(text), 2);
        free(text);
    }
}

static void an_instrumented_library_is_seen(void **state)
{
    (void)state;
    put("seen.c", "void helper_seen(int *p) { *p = 1; }\n");
    assert_int_equal(run_words("gcc", "-fsanitize=thread", "-shared", "-fPIC", "-nostdlib",
                               "seen.c", "-o", "libseen.so", NULL),
                     0);
    put("caller.c",
        "void helper_seen(int *);\nint v;\nint main(void) { helper_seen(&v); return 0; }\n");
    char *text = warnings_of(NULL, "caller.c libseen.so");
    assert_string_equal(text, "");
    free(text);
}

static void an_object_without_instrumentation_is_named_as_a_whole(void **state)
{
    (void)state;
    put("plain.c", "int x;\nvoid plain_f(void) { x = 1; }\n");
    put("plain2.c", "int y;\nvoid plain_g(void) { y = 1; }\n");
    put("uses.c", "void plain_f(void);\nint main(void) { plain_f(); return 0; }\n");
    assert_int_equal(run_words("gcc", "-c", "plain.c", "-o", "plain.o", NULL), 0);
    assert_int_equal(run_words("gcc", "-c", "plain2.c", "-o", "plain2.o", NULL), 0);
    assert_int_equal(run_words("ar", "rcs", "libplain.a", "plain.o", "plain2.o", NULL), 0);
    char *text = warnings_of(NULL, "uses.c plain.o");
    assert_string_equal(text, "plain.o: warning: not instrumented, nothing it does to memory is "
                              "seen; compile it with -fsanitize=thread\n");
    free(text);
    text = warnings_of("gcc", "uses.c libplain.a");
    assert_string_equal(text, "libplain.a: warning: not instrumented, nothing it does to memory is "
                              "seen; compile it with -fsanitize=thread\n");
    free(text);
}

static void lines_are_found_inside_archives(void **state)
{
    (void)state;
    put("arch.c",
        "int x;\n\nvoid arch_f(void) { __asm__ volatile(\"lock incl %0\" : \"+m\"(x)); }\n");
    put("user.c", "void arch_f(void);\nint main(void) { arch_f(); return 0; }\n");
    assert_int_equal(
        run_words("gcc", "-g", "-O1", "-fsanitize=thread", "-c", "arch.c", "-o", "arch.o", NULL),
        0);
    assert_int_equal(run_words("ar", "rcs", "libarch.a", "arch.o", NULL), 0);
    char *text = warnings_of("gcc", "user.c libarch.a");
    expect_line(text, "arch.c:3: warning: assembly (lock inc) in arch_f");
    free(text);
}

static void long_lists_are_cut_and_counted(void **state)
{
    struct pl_strbuf source;
    (void)state;

    pl_strbuf_init(&source);
    pl_strbuf_add(&source, "int x;\nint main(void) {\n");
    for (int i = 0; i < 14; i++)
        pl_strbuf_add(&source, "  __asm__ volatile(\"lock incl %0\" : \"+m\"(x));\n");
    pl_strbuf_add(&source, "  return 0; }\n");
    put("many.c", source.text);
    pl_strbuf_release(&source);
    char *text = warnings_of("gcc", "many.c");
    assert_int_equal(lines_in(text), 11);
    expect_line(text, "warning: and 4 more places that plumb cannot see\n");
    free(text);
}

/* No pointer, or one that only the library or the subject's own code follows. */
static void calls_with_nothing_to_see_are_left_in_peace(void **state)
{
    (void)state;
    put("none.c", "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
                  "#include <wctype.h>\n"
                  "static int less(const void *a, const void *b) { return *(const int *)a - "
                  "*(const int *)b; }\n"
                  "int v[4];\n"
                  "int main(void) { srand(1); srandom(1); srand48(1); ftruncate(9, rand());\n"
                  "  return bsearch(v, v, 4, sizeof *v, less) && random() + lrand48() == 1 &&\n"
                  "         drand48() < 0.5 && fileno(stdin) && towupper(L'a'); }\n");
    put("none.cc", "#include <iostream>\n#include <memory>\n#include <mutex>\n"
                   "std::once_flag once; std::allocator<char> plain;\n"
                   "int main(int n, char **) { std::allocator<char> a, b(a);\n"
                   "  std::call_once(once, [&] { std::cout << n << 'x'; }); return 0; }\n");
    for (size_t i = 0; i < 2 * COMPILERS; i++) {
        char *text = warnings_of(compilers[i / 2], i % 2 ? "none.cc -- -O0" : "none.c");
        assert_string_equal(text, "");
        free(text);
    }
}

static void containers_that_libstdcxx_links_are_named(void **state)
{
    (void)state;
    put("map.cc", "#include <map>\n#include <list>\nstd::map<int, int> m;\nstd::list<int> l;\n"
                  "int main() { m[1] = 2; l.push_back(3); return 0; }\n");
    char *text = warnings_of("gcc", "map.cc");
    expect_line(text, "the nodes of a std::map or std::set are linked inside libstdc++");
    expect_line(text, "the nodes of a std::list are linked inside libstdc++");
    assert_int_equal(lines_in(text), 2);
    free(text);
}

static void sizes_that_clang_leaves_out_are_named(void **state)
{
    (void)state;
    put("wide.c", "typedef int v8 __attribute__((vector_size(32)));\n"
                  "long double d; v8 x, y;\n"
                  "void ten(long double *p) { *p = 1; }\n"
                  "void global(void) { d = 1; }\n"
                  "__attribute__((target(\"avx\"))) void copy(v8 *p, v8 *q) { *p = *q; }\n"
                  "long double local(long double a) { volatile long double b = a; return b + 1; }\n"
                  "int main(void) { return 0; }\n");
    char *text = warnings_of("gcc", "wide.c");
    assert_string_equal(text, "");
    free(text);
    text = warnings_of(NULL, "wide.c");
    assert_string_equal(text, "");
    free(text);
    text = warnings_of("clang", "wide.c");
    expect_line(text, "wide.c:3: warning: an access (fstp) in ten is of a size that clang does not "
                      "instrument; compile with gcc\n");
    expect_line(text, "wide.c:4: warning: an access (fstp) in global");
    expect_line(text, "wide.c:5: warning: an access (vmov");
    assert_int_equal(lines_in(text), 3);
    free(text);
}

static void known_functions_are_told_apart(void **state)
{
    (void)state;
    assert_int_equal(pl_known_function("sqrt"), PL_KNOWN_HARMLESS);
    assert_int_equal(pl_known_function("frexp"), PL_KNOWN_HARMLESS);
    assert_int_equal(pl_known_function("printf"), PL_KNOWN_HARMLESS);
    assert_int_equal(pl_known_function("_ZSt9terminatev"), PL_KNOWN_HARMLESS);
    assert_int_equal(pl_known_function("_Znwm"), PL_KNOWN_HARMLESS);
    assert_int_equal(pl_known_function("_ZNSaIcEC1Ev"), PL_KNOWN_HARMLESS);
    assert_int_equal(pl_known_function("__once_proxy"), PL_KNOWN_HARMLESS);
    assert_int_equal(pl_known_function("rand"), PL_KNOWN_HARMLESS);
    assert_int_equal(pl_known_function("bsearch"), PL_KNOWN_HARMLESS);
    assert_int_equal(pl_known_function("recv"), PL_KNOWN_LIBC);
    assert_int_equal(pl_known_function("regexec"), PL_KNOWN_LIBC);
    assert_int_equal(pl_known_function("swab"), PL_KNOWN_LIBC);
    assert_int_equal(pl_known_function("SSL_read"), PL_KNOWN_FOREIGN);
}

static void expect_refusal(const char *file, const char *sentence)
{
    struct pl_scan_result result;
    struct pl_error error;
    struct pl_words files = {0};

    pl_words_add(&files, file);
    assert_int_equal(pl_scan(&result, &files, &error), PL_ERR_INPUT);
    assert_string_equal(error.text, sentence);
    pl_scan_release(&result);
    pl_words_release(&files);
}

static void what_is_no_object_for_this_machine_is_refused(void **state)
{
    (void)state;
    put("text.o", "text");
    expect_refusal("text.o", "text.o is not an object file");
    put("t.c", "int f(void) { return 1; }\n");
    assert_int_equal(run_words("gcc", "-m32", "-c", "t.c", "-o", "t32.o", NULL), 0);
    expect_refusal("t32.o", "t32.o is not compiled for x86-64");
    assert_int_equal(run_words("gcc", "-c", "t.c", "-o", "whole.o", NULL), 0);
    assert_int_equal(run_words("sh", "-c", "head -c -64 whole.o >cut.o", NULL), 0);
    expect_refusal("cut.o", "cut.o is cut short: compile it again");
    assert_int_equal(run_words("gcc", "-flto", "-c", "t.c", "-o", "lto.o", NULL), 0);
    expect_refusal("lto.o", "lto.o is compiled with -flto, so that its code is made unseen when it "
                            "is linked; compile it with -fno-lto");
    assert_int_equal(run_words("clang", "-flto", "-c", "t.c", "-o", "bitcode.o", NULL), 0);
    expect_refusal("bitcode.o", "bitcode.o is compiled with -flto, so that its code is made unseen "
                                "when it is linked; compile it with -fno-lto");
}

/* Whether a switch between threads has to set the thread pointer. */
static void programs_that_may_use_the_thread_pointer_are_told_apart(void **state)
{
    static const struct {
        const char *text;
        bool expected;
    } programs[] = {
        {"#include <stdlib.h>\n#include <assert.h>\n"
         "int main(void) { char *p = malloc(1); assert(p); *p = 0x64; free(p); return 0x64; }\n",
         false},
        {"#include <errno.h>\nint main(void) { return errno; }\n", true},
        {"#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n", true},
        {"_Thread_local int x;\nint main(void) { return x; }\n", true},
        {"int main(void) { void *p; __asm__(\"mov %%fs:0, %0\" : \"=r\"(p)); return !p; }\n", true},
        {"int main(void) { void *p = __builtin_thread_pointer(); return !p; }\n", true},
        {"int main(void) { long p; __asm__(\"rdfsbase %0\" : \"=r\"(p)); return !p; }\n", true},
    };
    (void)state;
    for (size_t i = 0; i < 2 * sizeof programs / sizeof *programs; i++) {
        struct pl_built built;
        struct pl_error error;
        struct pl_code code = {.most = 0};
        put("tp.c", programs[i / 2].text);
        assert_int_equal(
            build((struct call){.cc = i % 2 ? "clang" : "gcc", .words = "tp.c"}, &built, &error),
            PL_OK);
        assert_int_equal(pl_code_read(built.program, &code, &error), PL_OK);
        if (code.thread_pointer != programs[i / 2].expected)
            fail_msg("told wrongly: %s", programs[i / 2].text);
        pl_built_release(&built);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assembly_is_named_with_its_line),
        cmocka_unit_test(barriers_pauses_and_ordinary_code_are_left_in_peace),
        cmocka_unit_test(the_librarys_own_switch_is_the_remedy),
        cmocka_unit_test(calls_out_of_sight_are_named_once_with_the_first_line),
        cmocka_unit_test(an_instrumented_library_is_seen),
        cmocka_unit_test(an_object_without_instrumentation_is_named_as_a_whole),
        cmocka_unit_test(lines_are_found_inside_archives),
        cmocka_unit_test(long_lists_are_cut_and_counted),
        cmocka_unit_test(calls_with_nothing_to_see_are_left_in_peace),
        cmocka_unit_test(containers_that_libstdcxx_links_are_named),
        cmocka_unit_test(sizes_that_clang_leaves_out_are_named),
        cmocka_unit_test(known_functions_are_told_apart),
        cmocka_unit_test(what_is_no_object_for_this_machine_is_refused),
        cmocka_unit_test(programs_that_may_use_the_thread_pointer_are_told_apart),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
