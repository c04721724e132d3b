/* Claims about src/build as a whole: what compilers make of a subject, and what is said when
 * something is wrong with it. */
#include "test_build_fixture.h"

/* NULL: the own front end. */
static const char *const compilers[] = {"gcc", "clang", NULL};
enum { COMPILERS = sizeof compilers / sizeof *compilers };
static const char *const levels[] = {"-O0", "-O1", "-O2"};

/* Which undefined symbols does the code of `function` refer to? As " a b c ". */
static void calls_of(const char *object, const char *function, struct pl_strbuf *out)
{
    GElf_Sym where = {0}, s;
    GElf_Shdr header;
    Elf_Data *symbols = NULL;
    Elf_Scn *scn = NULL;
    size_t strings = 0, count = 0;
    GElf_Rela r;

    elf_version(EV_CURRENT);
    int fd = open(object, O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    while ((scn = elf_nextscn(elf, scn)) != NULL)
        if (gelf_getshdr(scn, &header) && header.sh_type == SHT_SYMTAB) {
            symbols = elf_getdata(scn, NULL);
            strings = header.sh_link;
            count = header.sh_size / header.sh_entsize;
        }
    assert_non_null(symbols);
    for (size_t i = 0; i < count; i++)
        if (gelf_getsym(symbols, (int)i, &s) &&
            strcmp(elf_strptr(elf, strings, s.st_name), function) == 0)
            where = s;
    assert_int_not_equal(where.st_size, 0);
    pl_strbuf_clear(out);
    pl_strbuf_add(out, " ");
    while ((scn = elf_nextscn(elf, scn)) != NULL) {
        if (!gelf_getshdr(scn, &header) || header.sh_type != SHT_RELA ||
            header.sh_info != where.st_shndx)
            continue;
        Elf_Data *data = elf_getdata(scn, NULL);
        for (int i = 0; gelf_getrela(data, i, &r); i++)
            if (r.r_offset >= where.st_value && r.r_offset < where.st_value + where.st_size &&
                gelf_getsym(symbols, (int)GELF_R_SYM(r.r_info), &s))
                pl_strbuf_addf(out, "%s ", elf_strptr(elf, strings, s.st_name));
    }
    elf_end(elf);
    close(fd);
}

static void expect_call(const char *object, const char *function, const char *one,
                        const char *other)
{
    struct pl_strbuf calls;

    pl_strbuf_init(&calls);
    calls_of(object, function, &calls);
    if (!strstr(calls.text, one) && !strstr(calls.text, other))
        fail_msg("%s calls%s: neither %s nor %s", function, calls.text, one, other);
    pl_strbuf_release(&calls);
}

static void expect_no_call(const char *object, const char *function, const char *name)
{
    struct pl_strbuf calls;

    pl_strbuf_init(&calls);
    calls_of(object, function, &calls);
    if (strstr(calls.text, name))
        fail_msg("%s calls%s: %s should not be there", function, calls.text, name);
    pl_strbuf_release(&calls);
}

/* Builds, and shows why if it cannot. */
static void build_well(struct call call)
{
    struct pl_built built;
    struct pl_error error;

    if (build(call, &built, &error) != PL_OK)
        fail_msg("%s %s: %s\n%s", call.cc ? call.cc : "", call.words, error.text,
                 built.diagnostics);
    for (size_t i = 0; i < built.warnings.count; i++)
        fail_msg("%s %s: %s", call.cc ? call.cc : "", call.words, built.warnings.at[i]);
    pl_built_release(&built);
}

static void build_at_level(const char *cc, const char *file, const char *level)
{
    struct pl_strbuf words;

    pl_strbuf_init(&words);
    pl_strbuf_addf(&words, "%s -- %s", file, level);
    build_well((struct call){.cc = cc, .words = words.text});
    pl_strbuf_release(&words);
}

/* After a failed build: the sentence, and what it must hold. */
static void expect_error(struct call call, const char *sentence)
{
    struct pl_built built;
    struct pl_error error;

    assert_int_equal(build(call, &built, &error), PL_ERR_INPUT);
    assert_string_equal(error.text, sentence);
    pl_built_release(&built);
}

static const char accesses[] =
    "#include <string.h>\n"
    "struct big { long a[5]; };\n"
    "extern volatile int v; volatile int v;\n"
    "void set(char *p) { memset(p, 0, 8); }\n"
    "void copy(char *p, const char *q) { memcpy(p, q, 8); }\n"
    "void builtin_set(char *p) { __builtin_memset(p, 0, 8); }\n"
    "void builtin_copy(char *p, const char *q) { __builtin_memcpy(p, q, 4); }\n"
    "int compare(const char *p, const char *q) { return memcmp(p, q, 4) == 0; }\n"
    "int builtin_compare(const char *p, const char *q) { return __builtin_memcmp(p, q, 4) == 0; }\n"
    "void assign(struct big *p, struct big *q) { *p = *q; }\n"
    "void zero(struct big *p) { *p = (struct big){{0}}; }\n"
    "void touch(void) { v++; }\n"
    "void loop(char *p) { for (int i = 0; i < 8; i++) p[i] = 0; }\n"
    "int load(_Atomic int *p) { return *p; }\n"
    "int main(void) { return 0; }\n";

static void every_access_is_a_call_with_each_compiler_at_each_level(void **state)
{
    (void)state;
    put("accesses.c", accesses);
    for (size_t c = 0; c < COMPILERS; c++)
        for (size_t l = 0; l < 3; l++) {
            const char *o = "w/0-accesses.c.o";
            build_at_level(compilers[c], "accesses.c", levels[l]);
            expect_call(o, "set", "memset ", "__tsan_unaligned_write8");
            expect_call(o, "copy", "memcpy ", "__tsan_unaligned_write8");
            expect_call(o, "builtin_set", "memset ", "__tsan_unaligned_write8");
            expect_call(o, "builtin_copy", "memcpy ", "__tsan_unaligned_write4");
            expect_call(o, "compare", " memcmp ", " bcmp ");
            expect_call(o, "builtin_compare", " memcmp ", " bcmp ");
            expect_call(o, "assign", "memcpy ", "__tsan_write_range");
            expect_call(o, "zero", "memset ", "__tsan_");
            expect_call(o, "touch", "__tsan_volatile_read4", "__plumb_volatile_load");
            expect_call(o, "touch", "__tsan_volatile_write4", "__plumb_volatile_store");
            expect_call(o, "loop", "__tsan_", "memset ");
            expect_call(o, "load", "__tsan_atomic32_load", "__tsan_atomic32_load");
            expect_no_call(o, "load", "__tsan_func_entry");
        }
}

static const char pauses[] = "#include <immintrin.h>\n"
                             "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
                             "void hint(void) { _mm_pause(); }\n"
                             "void builtin(void) { __builtin_ia32_pause(); }\n"
                             "void fence(void) { _mm_mfence(); }\n"
                             "unsigned long long ticks(void) { return __rdtsc(); }\n"
                             "#ifdef __cplusplus\n}\n#endif\n"
                             "int main(void) { return 0; }\n";

static void pauses_fences_and_ticks_become_calls(void **state)
{
    (void)state;
    put("pauses.c", pauses);
    put("pauses.cc", pauses);
    for (size_t c = 0; c < COMPILERS; c++)
        for (size_t l = 0; l < 3; l++)
            for (size_t cxx = 0; cxx < 2; cxx++) {
                const char *o = cxx ? "w/0-pauses.cc.o" : "w/0-pauses.c.o";
                build_at_level(compilers[c], cxx ? "pauses.cc" : "pauses.c", levels[l]);
                expect_call(o, "hint", " __plumb_pause ", " __plumb_pause ");
                expect_call(o, "builtin", " __plumb_pause ", " __plumb_pause ");
                if (l > 0) /* at -O0 they are in functions of their own */
                    expect_call(o, "fence", "__tsan_atomic_thread_fence", "-");
                if (l > 0)
                    expect_call(o, "ticks", " clock_gettime ", "-");
            }
}

static const char hidden[] = "#if defined(__SANITIZE_THREAD__) || !defined(PLUMB)\n"
                             "#error seen\n"
                             "#endif\n"
                             "#ifdef __has_feature\n"
                             "#if __has_feature(thread_sanitizer)\n"
                             "#error seen\n"
                             "#endif\n"
                             "#if defined(__cplusplus) && !__has_feature(cxx_rtti)\n"
                             "#error lost\n"
                             "#endif\n"
                             "#if __has_feature(no_such_feature)\n"
                             "#error made up\n"
                             "#endif\n"
                             "#endif\n"
                             "int main() { return 0; }\n";

static void the_sanitizer_is_hidden_and_other_features_are_not(void **state)
{
    (void)state;
    put("hidden.c", hidden);
    put("hidden.cc", hidden);
    for (size_t c = 0; c < COMPILERS; c++) {
        build_at_level(compilers[c], "hidden.c", "-std=c99 -Wall -Wextra");
        build_at_level(compilers[c], "hidden.cc", "-std=c++20 -Wall -Wextra");
    }
}

static const char library[] = "#include <algorithm>\n"
                              "#include <string>\n"
                              "#include <vector>\n"
                              "#include <thread>\n"
                              "#if __cplusplus >= 201703L\n"
                              "#include <string_view>\n"
                              "constexpr std::string_view s = \"abc\";\n"
                              "static_assert(s == \"abc\" && s.find(\"bc\") == 1, \"constexpr\");\n"
                              "#endif\n"
                              "std::string shared;\n"
                              "extern \"C\" void grow(const char *p) { shared.append(p, 3); }\n"
                              "extern \"C\" void copy(int *a, int *b) { std::copy(a, a + 2, b); }\n"
                              "int main() { std::thread t([] {}); t.join(); }\n";

static void the_cxx_library_compiles_and_its_strings_are_instrumented(void **state)
{
    static const char *const standards[] = {"-std=c++11", "-std=c++14", "-std=c++17 -O2",
                                            "-std=c++20"};
    (void)state;
    put("library.cc", library);
    for (size_t c = 0; c < COMPILERS; c++)
        for (size_t i = 0; i < 4; i++) {
            struct pl_built built;
            struct pl_error error;
            struct pl_strbuf words;

            pl_strbuf_init(&words);
            pl_strbuf_addf(&words, "library.cc -- %s", standards[i]);
            if (build((struct call){.cc = compilers[c], .words = words.text}, &built, &error))
                fail_msg("%s\n%s", error.text, built.diagnostics);
            pl_strbuf_release(&words);
            pl_built_release(&built);
            assert_int_equal(run_words("nm", "-u", "w/0-library.cc.o", NULL), 0);
            struct pl_strbuf names;
            pl_strbuf_init(&names);
            pl_spawn_read(&names, "out.txt");
            assert_null(strstr(names.text, "basic_string")); /* none left to libstdc++ */
            pl_strbuf_release(&names);
            expect_call("w/0-library.cc.o", "copy", "memmove ", "__tsan_");
        }
}

static void races_allowed_shows_the_read_before_a_write(void **state)
{
    (void)state;
    put("count.c", "void count(int *p) { (*p)++; }\nint main(void) { return 0; }\n");
    build_well((struct call){.cc = "clang", .words = "count.c"});
    expect_no_call("w/0-count.c.o", "count", "__tsan_read4");
    build_well((struct call){.cc = "clang", .words = "count.c", .allow_races = true});
    expect_call("w/0-count.c.o", "count", "__tsan_read4", "__tsan_read4");
    build_well((struct call){.words = "count.c"});
    expect_call("w/0-count.c.o", "count", "__tsan_read4", "-");
    build_well((struct call){.words = "count.c", .allow_races = true});
    expect_call("w/0-count.c.o", "count", "__plumb_load", "-");
    expect_call("w/0-count.c.o", "count", "__plumb_store", "-");
}

static void a_program_links_with_the_runtime_first_and_runs(void **state)
{
    (void)state;
    put("main.c", "#include <math.h>\nint f(double);\n"
                  "int main(int n, char **v) { (void)v; return f(n) == 1 ? 7 : 8; }\n");
    put("part.cc",
        "#include <vector>\n#include <cmath>\nextern \"C\" int f(double x)\n"
        "{ std::vector<int> v; v.push_back(TEN + (int)std::cbrt(x)); return v[0] - 10; }\n");
    for (size_t c = 0; c < COMPILERS; c++) {
        build_well((struct call){.cc = compilers[c],
                                 .words = "main.c part.cc -- -DTEN=10 -std=c++17 -lm -pthread"});
        assert_int_equal(run_words("w/program", NULL), 7);
        assert_int_equal(run_words("readelf", "-d", "w/program", NULL), 0);
        struct pl_strbuf text;
        pl_strbuf_init(&text);
        pl_spawn_read(&text, "out.txt");
        const char *first = strstr(text.text, "(NEEDED)");
        assert_non_null(first);
        assert_ptr_equal(strstr(first, "[libplumb_rt.so]"), strchr(first, '['));
        assert_null(strstr(text.text, "tsan"));
        pl_strbuf_release(&text);
    }
}

static void objects_and_archives_are_taken_as_they_are(void **state)
{
    (void)state;
    put("one.c", "int two(void);\nint main(void) { return two(); }\n");
    put("two.c", "int x = 2;\nint two(void) { return x; }\n");
    assert_int_equal(run_words("gcc", "-fsanitize=thread", "-c", "two.c", "-o", "two.o", NULL), 0);
    assert_int_equal(run_words("ar", "rcs", "libtwo.a", "two.o", NULL), 0);
    build_well((struct call){.words = "one.c two.o"});
    assert_int_equal(run_words("w/program", NULL), 2);
    build_well((struct call){.words = "one.c libtwo.a"});
    build_well((struct call){.words = "one.c -- two.o"});
    build_well((struct call){.words = "one.c -- -L. -ltwo"});
    assert_int_equal(run_words("w/program", NULL), 2);
}

static void bad_input_gets_one_clear_sentence(void **state)
{
    (void)state;
    put("good.c", "int main(void) { return 0; }\n");
    put("nomain.c", "int f(void) { return 0; }\n");
    put("notes.txt", "int main(void) { return 0; }\n");
    put("fake.o", "not an object\n");
    assert_true(mkdir("dir.c", 0700) == 0);
    expect_error((struct call){.words = "absent.c"},
                 "cannot read absent.c: No such file or directory");
    expect_error((struct call){.words = "dir.c"}, "cannot read dir.c: it is a directory");
    expect_error((struct call){.words = ""}, "no file is given: name at least one source file");
    expect_error((struct call){.words = "notes.txt"},
                 "cannot use notes.txt: not C (.c), C++ (.cc .cpp .cxx .c++ .C), an object (.o) or "
                 "a library (.a .so)");
    expect_error((struct call){.words = "fake.o"}, "fake.o is not an object file");
    expect_error((struct call){.words = "good.c", .cc = "gcc-none"},
                 "the compiler gcc-none was not found: install it, or name another with --cc");
    expect_error((struct call){.words = "good.c", .cc = "./none"},
                 "the compiler ./none was not found: install it, or name another with --cc");
    expect_error((struct call){.words = "nomain.c"},
                 "no main: none of the files defines the function main; add the file that has it");
    expect_error((struct call){.words = "good.c -- nomain.c"},
                 "nomain.c comes after --, where only flags belong: put it before the --");
    expect_error((struct call){.words = "good.c -- word"}, "'word' is not a flag of the compiler");
    expect_error((struct call){.words = "good.c -- -I"}, "the flag -I lacks its argument");
}

static void what_the_compiler_says_is_kept_with_the_sentence(void **state)
{
    struct pl_built built;
    struct pl_error error;
    (void)state;

    put("first.c", "int f(void) { return 0; }\n");
    put("broken.c", "int main(void) { return undeclared_thing; }\n");
    put("unlinked.c", "int missing_thing(void);\nint main(void) { return missing_thing(); }\n");
    assert_int_equal(
        build((struct call){.words = "first.c broken.c first.c first.c"}, &built, &error),
        PL_ERR_INPUT);
    assert_string_equal(error.text, "broken.c does not compile (clang-19 exited with 1)");
    assert_non_null(strstr(built.diagnostics, "undeclared_thing"));
    pl_built_release(&built);
    assert_int_equal(build((struct call){.words = "unlinked.c"}, &built, &error), PL_ERR_INPUT);
    assert_string_equal(error.text, "the program does not link (clang-19 exited with 1)");
    assert_non_null(strstr(built.diagnostics, "missing_thing"));
    pl_built_release(&built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_access_is_a_call_with_each_compiler_at_each_level),
        cmocka_unit_test(pauses_fences_and_ticks_become_calls),
        cmocka_unit_test(the_sanitizer_is_hidden_and_other_features_are_not),
        cmocka_unit_test(the_cxx_library_compiles_and_its_strings_are_instrumented),
        cmocka_unit_test(races_allowed_shows_the_read_before_a_write),
        cmocka_unit_test(a_program_links_with_the_runtime_first_and_runs),
        cmocka_unit_test(objects_and_archives_are_taken_as_they_are),
        cmocka_unit_test(bad_input_gets_one_clear_sentence),
        cmocka_unit_test(what_the_compiler_says_is_kept_with_the_sentence),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
