/* Claims about the parts of src/build: words, sorting of flags, drivers, databases. */
#include "test_build_fixture.h"

#include "build/compiler.h"
#include "build/database.h"
#include "build/flags.h"

static void expect_words(const struct pl_words *w, const char *joined)
{
    struct pl_strbuf text;

    pl_strbuf_init(&text);
    for (size_t i = 0; i < w->count; i++)
        pl_strbuf_addf(&text, "%s[%s]", i ? " " : "", w->at[i]);
    assert_string_equal(text.text, joined);
    pl_strbuf_release(&text);
}

static void expect_split(const char *line, const char *joined)
{
    struct pl_words w = {0};

    assert_true(pl_words_split(&w, line));
    expect_words(&w, joined);
    pl_words_release(&w);
}

static void lines_split_as_a_shell_splits_them(void **state)
{
    struct pl_words w = {0};
    (void)state;

    expect_split("  gcc -c\t x.c ", "[gcc] [-c] [x.c]");
    expect_split("", "");
    expect_split("-DA='b c' \"d e\"f", "[-DA=b c] [d ef]");
    expect_split("-DS=\\\"x\\\" \"q\\\"r\" '\\n' \"\\n\" a\\ b",
                 "[-DS=\"x\"] [q\"r] [\\n] [\\n] [a b]");
    expect_split("'' x", "[] [x]");
    assert_false(pl_words_split(&w, "a 'open"));
    pl_words_release(&w);
}

static void expect_sorted(const char *given, const char *compile, const char *link)
{
    struct pl_words words = {0};
    struct pl_flags flags = {0};
    struct pl_error error;

    assert_true(pl_words_split(&words, given));
    assert_int_equal(pl_flags_sort(&flags, &words, NULL, &error), PL_OK);
    expect_words(&flags.compile, compile);
    expect_words(&flags.link, link);
    pl_words_release(&words);
    pl_flags_release(&flags);
}

static void flags_go_to_the_step_that_takes_them(void **state)
{
    (void)state;
    expect_sorted("-I inc -Iinc2 -DA=1 -O2 -std=c11 -Wall -march=native",
                  "[-I] [inc] [-Iinc2] [-DA=1] [-O2] [-std=c11] [-Wall] [-march=native]", "");
    expect_sorted("-lm -L lib -Wl,-z,x -Xlinker -y libz.a x.o y.so.1", "",
                  "[-lm] [-L] [lib] [-Wl,-z,x] [-Xlinker] [-y] [libz.a] [x.o] [y.so.1]");
    expect_sorted("-pthread", "[-pthread]", "[-pthread]");
    expect_sorted("-include a.h -isystem b -undef", "[-include] [a.h] [-isystem] [b] [-undef]", "");
}

static void flags_that_would_defeat_the_build_are_left_out(void **state)
{
    (void)state;
    expect_sorted("-c -o x.o -MMD -MF x.d -MT x -fsanitize=address -fno-sanitize=thread -flto=auto "
                  "-pie -static -shared -Werror -s --coverage -pg -DX",
                  "[-DX]", "");
    expect_sorted("-Xclang -include-pch -Xclang a.pch -Xclang -x", "[-Xclang] [-x]", "");
}

static void our_flags_let_the_user_choose_the_level_and_no_more(void **state)
{
    struct pl_words argv = {0}, user = {0};
    struct pl_target target = {.cxx = true, .prelude = "p.h", .include_dir = "inc"};
    size_t ours = 0, theirs = 0, standard = 0;
    (void)state;

    pl_words_add(&user, "-O2");
    pl_words_add(&user, "-fomit-frame-pointer");
    pl_words_add(&user, "-std=c11");
    pl_words_add(&user, "-std=c++14");
    pl_flags_compile(&argv, &target, &user);
    for (size_t i = 0; i < argv.count; i++) {
        if (strcmp(argv.at[i], "-O1") == 0)
            ours = i + 1;
        if (strcmp(argv.at[i], "-O2") == 0)
            theirs = i + 1;
        standard += strncmp(argv.at[i], "-std=", 5) == 0;
    }
    assert_true(ours && theirs > ours);
    assert_int_equal(standard, 1); /* the C one is not for a C++ file */
    assert_true(pl_words_has(&argv, "-std=c++14"));
    assert_string_equal(argv.at[2], "-include"); /* before whatever the user includes */
    ours = theirs = 0;
    for (size_t i = 0; i < argv.count; i++) {
        if (strcmp(argv.at[i], "-fno-omit-frame-pointer") == 0)
            ours = i + 1;
        if (strcmp(argv.at[i], "-fomit-frame-pointer") == 0)
            theirs = i + 1;
    }
    assert_true(theirs && ours > theirs);
    pl_words_release(&argv);
    pl_words_release(&user);
}

static void drivers_are_found_from_one_name(void **state)
{
    static const struct {
        const char *name, *c, *cxx;
        bool clang;
    } cases[] = {
        {NULL, "clang-19", "clang++-19", true},
        {"gcc", "gcc", "g++", false},
        {"gcc-12", "gcc-12", "g++-12", false},
        {"g++", "gcc", "g++", false},
        {"clang", "clang", "clang++", true},
        {"clang++-14", "clang-14", "clang++-14", true},
        {"/opt/gcc/bin/clang", "/opt/gcc/bin/clang", "/opt/gcc/bin/clang++", true},
        {"x86_64-linux-gnu-gcc", "x86_64-linux-gnu-gcc", "x86_64-linux-gnu-g++", false},
        {"cc", "cc", "c++", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pl_compiler compiler;
        struct pl_error error;
        assert_int_equal(pl_compiler_find(&compiler, cases[i].name, "w", &error), PL_OK);
        assert_string_equal(compiler.c, cases[i].c);
        assert_string_equal(compiler.cxx, cases[i].cxx);
        assert_int_equal(compiler.own, !cases[i].name);
        if (i + 1 < sizeof cases / sizeof *cases) /* what cc is depends on the machine */
            assert_int_equal(compiler.clang, cases[i].clang);
        pl_compiler_release(&compiler);
    }
}

static void a_wrapper_of_any_name_is_asked_what_it_is(void **state)
{
    struct pl_compiler compiler;
    struct pl_error error;
    (void)state;

    put("wrap", "#!/bin/sh\necho 'Some clang version 14'\n");
    assert_int_equal(chmod("wrap", 0700), 0);
    assert_int_equal(pl_compiler_find(&compiler, "./wrap", "w", &error), PL_OK);
    assert_true(compiler.clang);
    assert_string_equal(compiler.cxx, "./wrap");
    pl_compiler_release(&compiler);
}

static void expect_database(const char *path, const char *file, const char *joined,
                            const char *directory)
{
    struct pl_database *database = NULL;
    struct pl_words words = {0};
    struct pl_error error;
    char *where = NULL;

    assert_int_equal(pl_database_open(&database, path, &error), PL_OK);
    assert_int_equal(pl_database_find(database, file, &words, &where, &error), PL_OK);
    expect_words(&words, joined);
    assert_string_equal(strrchr(where, '/') + 1, directory);
    free(where);
    pl_words_release(&words);
    pl_database_free(database);
}

static void a_database_gives_the_words_and_the_directory(void **state)
{
    (void)state;
    assert_int_equal(mkdir("sub", 0700), 0);
    assert_int_equal(mkdir("sub/inner", 0700), 0);
    put("sub/inner/a.c", "");
    put("sub/b.c", "");
    put("db.json",
        "[{\"directory\": \"sub\", \"file\": \"inner/a.c\","
        "  \"command\": \"cc -DNAME=\\\\\\\"x\\\\\\\" '-DS=a b' -c inner/a.c\"},"
        " {\"directory\": \"sub/inner\", \"file\": \"../b.c\","
        "  \"arguments\": [\"cc\", \"-DT=a b\", \"../b.c\"]},"
        " {\"directory\": \"sub\", \"file\": \"b.c\", \"command\": \"cc -DLATER b.c\"}]");
    expect_database("db.json", "sub/inner/a.c", "[-DNAME=\"x\"] [-DS=a b] [-c] [inner/a.c]", "sub");
    expect_database("db.json", "./sub/b.c", "[-DT=a b] [../b.c]", "inner");
}

static void expect_failure(const char *path, const char *file, const char *beginning)
{
    struct pl_database *database = NULL;
    struct pl_words words = {0};
    struct pl_error error;
    char *where = NULL;

    enum pl_status status = pl_database_open(&database, path, &error);
    if (status == PL_OK)
        status = pl_database_find(database, file, &words, &where, &error);
    assert_int_equal(status, PL_ERR_INPUT);
    if (strncmp(error.text, beginning, strlen(beginning)) != 0)
        fail_msg("'%s' does not begin with '%s'", error.text, beginning);
    free(where);
    pl_words_release(&words);
    pl_database_free(database);
}

static void a_wrong_database_is_an_error_that_says_where(void **state)
{
    (void)state;
    put("here.c", "");
    put("broken.json", "[{\"file\": \"here.c\",\n \"directory\" }]");
    put("object.json", "{}");
    put("empty.json", "[]");
    put("bare.json", "[{\"file\": \"here.c\", \"directory\": \".\"}]");
    put("quote.json", "[{\"file\": \"here.c\", \"directory\": \".\", \"command\": \"cc 'x\"}]");
    put("odd.json", "[1, {\"file\": 3}, {\"file\": \"here.c\", \"arguments\": [\"cc\", 1]}]");
    expect_failure("absent.json", "here.c", "cannot read absent.json: No such file");
    expect_failure("broken.json", "here.c", "broken.json:2: not a compilation database");
    expect_failure("object.json", "here.c", "object.json: not a compilation database");
    expect_failure("empty.json", "here.c", "here.c is not in the compilation database empty.json");
    expect_failure("bare.json", "here.c", "bare.json: entry 1 has no usable");
    expect_failure("quote.json", "here.c", "quote.json: entry 1 has no usable");
    expect_failure("odd.json", "here.c", "odd.json: entry 3 has no usable");
}

static void a_file_is_compiled_as_the_database_says(void **state)
{
    struct pl_built built;
    struct pl_error error;
    (void)state;

    assert_int_equal(mkdir("proj", 0700), 0);
    assert_int_equal(mkdir("proj/include", 0700), 0);
    put("proj/include/answer.h", "#define ANSWER 5\n");
    put("proj/main.c", "#include \"answer.h\"\nint main(void) { return ANSWER + sizeof(TEXT); }\n");
    put("cc.json", "[{\"directory\": \"proj\", \"file\": \"main.c\", \"command\":"
                   " \"clang -fsanitize=address -Iinclude -DTEXT=\\\\\\\"ab\\\\\\\" -MD -MF x.d "
                   "-o main.o -c main.c\"}]");
    assert_int_equal(
        build((struct call){.words = "proj/main.c", .compile_commands = "cc.json"}, &built, &error),
        PL_OK);
    pl_built_release(&built);
    assert_int_equal(run_words("w/program", NULL), 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_split_as_a_shell_splits_them),
        cmocka_unit_test(flags_go_to_the_step_that_takes_them),
        cmocka_unit_test(flags_that_would_defeat_the_build_are_left_out),
        cmocka_unit_test(our_flags_let_the_user_choose_the_level_and_no_more),
        cmocka_unit_test(drivers_are_found_from_one_name),
        cmocka_unit_test(a_wrapper_of_any_name_is_asked_what_it_is),
        cmocka_unit_test(a_database_gives_the_words_and_the_directory),
        cmocka_unit_test(a_wrong_database_is_an_error_that_says_where),
        cmocka_unit_test(a_file_is_compiled_as_the_database_says),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
