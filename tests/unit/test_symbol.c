/* Addresses of a small program, compiled here, get the names its source has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbol/symbol.h"

static const char source[] =
    "#include <stdlib.h>\n"                                            /* 1 */
    "struct node { int v; struct node *next; };\n"                     /* 2 */
    "struct queue { struct node *head, *tail; int sizes[2][3]; } q;\n" /* 3 */
    "struct node pool[4];\n"                                           /* 4 */
    "_Atomic _Bool flag;\n"                                            /* 5 */
    "union { long whole; char part; } both;\n"                         /* 6 */
    "extern void far(void);\n"                                         /* 7 */
    "static inline __attribute__((always_inline)) void inner(void)\n"  /* 8 */
    "{\n"                                                              /* 9 */
    "    far();\n"                                                     /* 10 */
    "}\n"                                                              /* 11 */
    "static inline __attribute__((always_inline)) void middle(void)\n" /* 12 */
    "{\n"                                                              /* 13 */
    "    inner();\n"                                                   /* 14 */
    "}\n"                                                              /* 15 */
    "__attribute__((noinline)) int outer(void)\n"                      /* 16 */
    "{\n"                                                              /* 17 */
    "    static int calls;\n"                                          /* 18 */
    "    middle();\n"                                                  /* 19 */
    "    return ++calls;\n"                                            /* 20 */
    "}\n"                                                              /* 21 */
    "__attribute__((noinline)) void far(void)\n"                       /* 22 */
    "{\n"                                                              /* 23 */
    "    struct node *n = malloc(sizeof *n);\n"                        /* 24 */
    "    q.head = n; pool[1].v = 1; flag = 1; both.whole = 2;\n"       /* 25 */
    "}\n"                                                              /* 26 */
    "int main(void) { return outer() + outer(); }\n";                  /* 27 */

static char directory[] = "/tmp/plumb-symbol-XXXXXX";
static struct pl_symbols *symbols;

static int compile(const char *compiler)
{
    char command[256];
    FILE *file = fopen("s.c", "w");
    if (!file || fputs(source, file) < 0 || fclose(file) != 0)
        return -1;
    (void)snprintf(command, sizeof command, "%s -g -O1 -no-pie s.c -o s", compiler);
    struct pl_error error;
    return system(command) != 0 || pl_symbols_open(&symbols, "s", NULL, &error) != PL_OK;
}

static int setup_gcc(void **state)
{
    (void)state;
    return compile("gcc");
}

static int setup_clang(void **state)
{
    (void)state;
    return compile("clang");
}

static int teardown(void **state)
{
    (void)state;
    pl_symbols_free(symbols);
    symbols = NULL;
    return 0;
}

/* What nm says of a symbol: an authority of its own. */
static uint64_t address_of(const char *name)
{
    char command[128];
    unsigned long long address = 0;
    (void)snprintf(command, sizeof command,
                   "nm s | awk '$3 ~ /^(outer\\.)?%s(\\.[0-9]+)?$/ {print $1}'", name);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%llx", &address), 1);
    (void)pclose(pipe);
    return address;
}

/* The return address of the first call in a function. */
static uint64_t first_call(const char *function, const char *callee)
{
    char command[256];
    unsigned long long address = 0;
    (void)snprintf(
        command, sizeof command,
        "objdump -d --no-show-raw-insn s | awk '/^[0-9a-f]+ </ {in_it = $2 == \"<%s>:\"} "
        "in_it && /(call|jmp).*<%s/ {sub(\":\", \"\", $1); print $1; exit}'",
        function, callee);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%llx", &address), 1);
    (void)pclose(pipe);
    return address;
}

static void inlined_frames_are_expanded(void **state)
{
    (void)state;
    struct pl_frame frame[8];
    size_t count = pl_symbols_frames(symbols, first_call("outer", "far"), frame, 8);
    assert_int_equal(count, 3);
    assert_string_equal(frame[0].function, "inner");
    assert_int_equal(frame[0].line, 10);
    assert_true(frame[0].inlined);
    assert_string_equal(frame[1].function, "middle");
    assert_int_equal(frame[1].line, 14);
    assert_string_equal(frame[2].function, "outer");
    assert_int_equal(frame[2].line, 19);
    assert_false(frame[2].inlined);
    assert_string_equal(frame[2].file, "s.c"); /* relative: it is below the current directory */
}

static void room_for_frames_is_respected(void **state)
{
    (void)state;
    struct pl_frame frame[1];
    assert_int_equal(pl_symbols_frames(symbols, first_call("outer", "far"), frame, 1), 1);
    assert_string_equal(frame[0].function, "inner");
}

static void an_address_of_nothing_has_a_frame_without_name(void **state)
{
    (void)state;
    struct pl_frame frame[2];
    assert_int_equal(pl_symbols_frames(symbols, 16, frame, 2), 1);
    assert_string_equal(frame[0].function, "??");
    assert_null(frame[0].file);
}

static void assert_path(uint64_t address, uint64_t size, const char *expected, enum pl_value kind)
{
    struct pl_strbuf path;
    enum pl_value value;
    pl_strbuf_init(&path);
    assert_true(pl_symbols_data(symbols, address, size, &path, &value));
    assert_string_equal(path.text, expected);
    assert_int_equal(value, kind);
    pl_strbuf_release(&path);
}

static void data_has_the_path_a_programmer_writes(void **state)
{
    (void)state;
    uint64_t q = address_of("q"), pool = address_of("pool");
    assert_path(q, 8, "q.head", PL_VALUE_POINTER);
    assert_path(q + 8, 8, "q.tail", PL_VALUE_POINTER);
    assert_path(q + 16 + 4 * 4, 4, "q.sizes[1][1]", PL_VALUE_SIGNED);
    assert_path(q, 16, "q", PL_VALUE_UNKNOWN); /* more than one member */
    assert_path(pool + 16, 4, "pool[1].v", PL_VALUE_SIGNED);
    assert_path(pool + 24, 8, "pool[1].next", PL_VALUE_POINTER);
    assert_path(address_of("flag"), 1, "flag", PL_VALUE_BOOL);
    assert_path(address_of("both"), 8, "both.whole", PL_VALUE_SIGNED);
    assert_path(address_of("both"), 1, "both.part", PL_VALUE_CHAR);
    assert_path(address_of("calls"), 4, "outer::calls", PL_VALUE_SIGNED);
}

static void no_variable_is_said_so(void **state)
{
    (void)state;
    struct pl_strbuf path;
    enum pl_value value;
    pl_strbuf_init(&path);
    assert_false(pl_symbols_data(symbols, 16, 4, &path, &value));
    assert_string_equal(path.text, "");
    pl_strbuf_release(&path);
}

static void a_block_has_the_type_of_the_pointer_in_scope(void **state)
{
    (void)state;
    uint64_t call = first_call("far", "malloc");
    const struct pl_type *type = pl_symbols_block_type(symbols, &call, 1, 16);
    assert_non_null(type);
    assert_string_equal(pl_type_name(type), "node");
    struct pl_strbuf path;
    enum pl_value value;
    pl_strbuf_init(&path);
    pl_type_path(symbols, type, 16, 8, 8, &path, &value);
    assert_string_equal(path.text, ".next");
    assert_int_equal(value, PL_VALUE_POINTER);
    pl_strbuf_clear(&path);
    pl_type_path(symbols, type, 48, 32, 4, &path, &value); /* an array of three */
    assert_string_equal(path.text, "[2].v");
    pl_strbuf_release(&path);
}

static void a_block_of_another_size_has_no_type(void **state)
{
    (void)state;
    uint64_t call = first_call("far", "malloc");
    assert_null(pl_symbols_block_type(symbols, &call, 1, 17));
}

static void functions_are_found_by_their_start(void **state)
{
    (void)state;
    assert_string_equal(pl_symbols_function_at(symbols, address_of("far")), "far");
    assert_null(pl_symbols_function_at(symbols, address_of("far") + 1));
}

struct found {
    struct pl_range range[16];
    size_t count;
};

static bool is(void *context, const char *text)
{
    return strcmp(context, text) == 0;
}

static void take(void *context, struct pl_range range)
{
    struct found *found = context;
    assert_true(found->count < 16);
    found->range[found->count++] = range;
}

static bool covered(const struct found *found, uint64_t address)
{
    for (size_t i = 0; i < found->count; i++)
        if (address >= found->range[i].start && address < found->range[i].end)
            return true;
    return false;
}

static void ranges_include_inlined_instances(void **state)
{
    (void)state;
    struct found found = {0};
    char name[] = "middle", file[] = "s.c";
    uint64_t call = first_call("outer", "far");
    pl_symbols_ranges(symbols, is, name, take, &found);
    assert_true(found.count > 0);
    assert_true(covered(&found, call));
    assert_false(covered(&found, address_of("main")));
    assert_false(covered(&found, address_of("far")));
    found.count = 0;
    pl_symbols_ranges(symbols, is, file, take, &found);
    assert_true(covered(&found, call));
    assert_true(covered(&found, address_of("main")));
}

static void a_file_is_printed_as_it_was_given(void **state)
{
    (void)state;
    struct pl_frame frame[1];
    struct pl_symbols *other;
    struct pl_error error;
    char given[128];
    (void)snprintf(given, sizeof given, "../%s/s.c", strrchr(directory, '/') + 1);
    assert_int_equal(pl_symbols_open(&other, "s", NULL, &error), PL_OK);
    pl_symbols_name_file(other, given);
    assert_int_equal(pl_symbols_frames(other, address_of("main"), frame, 1), 1);
    assert_string_equal(frame[0].file, given);
    pl_symbols_free(other);
}

static void a_missing_program_is_an_error(void **state)
{
    (void)state;
    struct pl_symbols *other;
    struct pl_error error;
    assert_int_equal(pl_symbols_open(&other, "nowhere", NULL, &error), PL_ERR_INPUT);
    assert_non_null(strstr(error.text, "nowhere"));
}

int main(void)
{
#define FOR_BOTH(claim)                                                                            \
    {"gcc: " #claim, claim, setup_gcc, teardown, NULL},                                            \
    {                                                                                              \
        "clang: " #claim, claim, setup_clang, teardown, NULL                                       \
    }
    const struct CMUnitTest tests[] = {
        FOR_BOTH(inlined_frames_are_expanded),
        FOR_BOTH(room_for_frames_is_respected),
        FOR_BOTH(an_address_of_nothing_has_a_frame_without_name),
        FOR_BOTH(data_has_the_path_a_programmer_writes),
        FOR_BOTH(no_variable_is_said_so),
        FOR_BOTH(a_block_has_the_type_of_the_pointer_in_scope),
        FOR_BOTH(a_block_of_another_size_has_no_type),
        FOR_BOTH(functions_are_found_by_their_start),
        FOR_BOTH(ranges_include_inlined_instances),
        FOR_BOTH(a_file_is_printed_as_it_was_given),
        FOR_BOTH(a_missing_program_is_an_error),
    };
    if (!mkdtemp(directory) || chdir(directory) != 0)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    (void)!system("rm -rf \"$PWD\"");
    return failed;
}
