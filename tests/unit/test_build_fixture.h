/*
 * What the tests of src/build share: a directory of their own, files in it, a
 * stand-in for the runtime, and a look at the symbols of an object.
 *
 * The tests run with that directory as the current one, so that names in messages
 * are short. Each test binary includes this file once.
 */
#ifndef PL_TEST_BUILD_FIXTURE_H
#define PL_TEST_BUILD_FIXTURE_H

#include <fcntl.h>
#include <gelf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h> /* after the headers it needs */

#include "base/strbuf.h"
#include "build/build.h"
#include "build/spawn.h"
#include "build/words.h"

static char home[] = P_tmpdir "/plumb-test-XXXXXX";

static inline void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "we");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* Runs a command given as words ended by NULL; its output goes to out.txt. */
static inline int run_words(const char *first, ...)
{
    struct pl_words argv = {0};
    struct pl_error error;
    pid_t pid = 0;
    va_list args;

    va_start(args, first);
    for (const char *word = first; word; word = va_arg(args, const char *))
        pl_words_add(&argv, word);
    va_end(args);
    enum pl_status status = pl_spawn(&argv, NULL, "out.txt", &pid, &error);
    pl_words_release(&argv);
    return status == PL_OK ? pl_spawn_wait(pid, NULL) : -1;
}

/* The real one: BUILD is the build tree. */
static inline void take_instrumenter(void)
{
    const char *build_tree = getenv("BUILD");
    struct pl_strbuf path;

    assert_non_null(build_tree);
    pl_strbuf_init(&path);
    pl_strbuf_addf(&path, "%s/lib/plumb/plumb-instrument", build_tree);
    assert_int_equal(symlink(path.text, "rt/plumb-instrument"), 0);
    pl_strbuf_release(&path);
}

/* Enough of a runtime to link with: it does nothing. */
static inline void make_runtime(void)
{
    static const char *const sizes[] = {"1", "2", "4", "8", "16"};
    static const char *const accesses[] = {
        "read", "write", "unaligned_read", "unaligned_write", "volatile_read", "volatile_write"};
    static const char *const others[] = {"__tsan_init",           "__tsan_read_range",
                                         "__tsan_write_range",    "__tsan_vptr_update",
                                         "__tsan_vptr_read",      "__tsan_atomic_thread_fence",
                                         "__plumb_pause",         "__tsan_func_entry",
                                         "__tsan_func_exit",      "__tsan_atomic32_load",
                                         "__tsan_atomic32_store", "__tsan_atomic32_fetch_add",
                                         "__plumb_loop_enter",    "__plumb_loop_head",
                                         "__plumb_loop_leave",    "__plumb_local_write",
                                         "__plumb_dead_write",    "__plumb_call",
                                         "__plumb_load",          "__plumb_store",
                                         "__plumb_volatile_load", "__plumb_volatile_store",
                                         "__plumb_unseen",        "__plumb_bits_used",
                                         "__plumb_bits_kept"};
    struct pl_strbuf text;

    pl_strbuf_init(&text);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        pl_strbuf_addf(&text, "void %s(void){}\n", others[i]);
    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < 5; j++)
            pl_strbuf_addf(&text, "void __tsan_%s%s(void){}\n", accesses[i], sizes[j]);
    pl_strbuf_add(
        &text, "#include <stddef.h>\n"
               "void *memcpy(void *a, const void *b, size_t n)\n"
               "{ char *p = a; const char *q = b; while (n--) *p++ = *q++; return a; }\n"
               "void *memset(void *a, int c, size_t n)\n"
               "{ char *p = a; while (n--) *p++ = (char)c; return a; }\n"
               "int memcmp(const void *a, const void *b, size_t n) { return 0; }\n"
               "void *memmove(void *a, const void *b, size_t n) { return memcpy(a, b, n); }\n"
               "void *__tsan_memcpy(void *a, const void *b, size_t n) { return memcpy(a, b, n); }\n"
               "void *__tsan_memmove(void *a, void *b, size_t n) { return memcpy(a, b, n); }\n"
               "void *__tsan_memset(void *a, int c, size_t n) { return memset(a, c, n); }\n"
               "int bcmp(const void *a, const void *b, size_t n) { return 0; }\n"
               "int clock_gettime(int c, long *t) { return t[0] = t[1] = 0; }\n");
    assert_int_equal(mkdir("rt", 0700), 0);
    put("rt.c", text.text);
    pl_strbuf_release(&text);
    assert_int_equal(run_words("gcc", "-w", "-O1", "-fno-builtin",
                               "-fno-tree-loop-distribute-patterns", "-shared", "-fPIC", "rt.c",
                               "-o", "rt/libplumb_rt.so", "-Wl,-soname,libplumb_rt.so", NULL),
                     0);
}

static int enter(void **state)
{
    (void)state;
    if (!mkdtemp(home) || chdir(home) != 0 || mkdir("w", 0700) != 0)
        return -1;
    make_runtime();
    take_instrumenter();
    return 0;
}

static int leave(void **state)
{
    (void)state;
    return chdir("/") != 0 || run_words("rm", "-rf", home, NULL) != 0 ? -1 : 0;
}

/* Inputs and flags as one list of words: "a.c b.c -- -O2". */
struct call {
    const char *cc, *words, *compile_commands;
    bool allow_races;
};

static inline enum pl_status build(struct call call, struct pl_built *out, struct pl_error *error)
{
    struct pl_words words = {0};
    size_t n = 0;

    assert_true(pl_words_split(&words, call.words));
    while (n < words.count && strcmp(words.at[n], "--") != 0)
        n++;
    struct pl_build_options options = {.inputs = (const char *const *)words.at,
                                       .input_count = n,
                                       .cc = call.cc,
                                       .compile_commands = call.compile_commands,
                                       .allow_races = call.allow_races,
                                       .work = "w",
                                       .runtime_dir = "rt"};
    if (n < words.count) {
        options.flags = (const char *const *)words.at + n + 1;
        options.flag_count = words.count - n - 1;
    }
    error->text[0] = 0;
    enum pl_status status = pl_build(&options, out, error);
    pl_words_release(&words);
    return status;
}

#endif
