/* See flags.h. */
#include "build/flags.h"

#include <string.h>

/* What becomes of a flag. */
enum fate {
    COMPILE = 1,
    LINK = 2,
    BOTH = COMPILE | LINK,
    DROP = 4,     /* we decide that */
    ARGUMENT = 8, /* if the flag is exactly this, the next word belongs to it */
    EXACT = 16,   /* only exactly this, not as a prefix */
};

struct rule {
    const char *text;
    int fate;
};

/* The first rule that fits holds. What fits none is for the compile step. */
static const struct rule rules[] = {
    {"-c", DROP | EXACT},
    {"-S", DROP | EXACT},
    {"-E", DROP | EXACT},
    {"-o", DROP | ARGUMENT},
    {"-MF", DROP | ARGUMENT},
    {"-MT", DROP | ARGUMENT},
    {"-MQ", DROP | ARGUMENT},
    {"-MJ", DROP | ARGUMENT},
    {"-M", DROP},
    {"-Wp,-M", DROP},
    {"-save-temps", DROP},
    {"-pipe", DROP | EXACT},
    /* Another sanitizer excludes ours; ours is never given to the linker. */
    {"-fsanitize", DROP},
    {"-fno-sanitize", DROP},
    {"-shared-libsan", DROP},
    {"-static-libsan", DROP},
    {"-static-libtsan", DROP},
    /* Bitcode and counters: code that is not the subject's, or none at all. */
    {"-flto", DROP},
    {"-fuse-linker-plugin", DROP},
    {"--coverage", DROP},
    {"-coverage", DROP},
    {"-fprofile", DROP},
    {"-ftest-coverage", DROP},
    {"-pg", DROP | EXACT},
    /* The program is not position independent and takes its runtime from a shared object. */
    {"-pie", DROP | EXACT},
    {"-static-pie", DROP | EXACT},
    {"-static", DROP | EXACT},
    {"-shared", DROP | EXACT},
    {"-no-pie", DROP | EXACT},
    {"-nopie", DROP | EXACT},
    {"-r", DROP | EXACT},
    {"-s", DROP | EXACT},
    {"-Werror", DROP}, /* our flags may bring warnings of their own */
    {"-pedantic-errors", DROP},

    {"-l", LINK | ARGUMENT},
    {"-L", LINK | ARGUMENT},
    {"-Wl,", LINK},
    {"-Xlinker", LINK | ARGUMENT},
    {"-z", LINK | ARGUMENT | EXACT},
    {"-u", LINK | ARGUMENT | EXACT},
    {"-T", LINK | ARGUMENT},
    {"-e", LINK | ARGUMENT | EXACT},
    {"-R", LINK | ARGUMENT | EXACT},
    {"-rdynamic", LINK},
    {"-rpath", LINK | ARGUMENT},
    {"-static-lib", LINK},
    {"-shared-libgcc", LINK},
    {"-nostdlib", LINK},
    {"-nodefaultlibs", LINK},
    {"-nostartfiles", LINK},
    {"-nolibc", LINK},
    {"-fuse-ld", LINK},
    {"--ld-path", LINK},

    {"-pthread", BOTH},
    {"-fopenmp", BOTH},
    {"-B", BOTH | ARGUMENT},
    {"-target", BOTH | ARGUMENT},
    {"--target", BOTH},
    {"--sysroot", BOTH | ARGUMENT},
    {"--gcc-toolchain", BOTH},
    {"-stdlib", BOTH},
    {"-m32", BOTH},

    {"-I", COMPILE | ARGUMENT},
    {"-D", COMPILE | ARGUMENT},
    {"-U", COMPILE | ARGUMENT},
    {"-A", COMPILE | ARGUMENT},
    {"-x", COMPILE | ARGUMENT},
    {"-include", COMPILE | ARGUMENT},
    {"-imacros", COMPILE | ARGUMENT},
    {"-isystem", COMPILE | ARGUMENT},
    {"-iquote", COMPILE | ARGUMENT},
    {"-idirafter", COMPILE | ARGUMENT},
    {"-iprefix", COMPILE | ARGUMENT},
    {"-iwithprefix", COMPILE | ARGUMENT},
    {"-iwithprefixbefore", COMPILE | ARGUMENT},
    {"-isysroot", COMPILE | ARGUMENT},
    {"-imultilib", COMPILE | ARGUMENT},
    {"-cxx-isystem", COMPILE | ARGUMENT},
    {"-Xclang", COMPILE | ARGUMENT},
    {"-Xpreprocessor", COMPILE | ARGUMENT},
    {"-Xassembler", COMPILE | ARGUMENT},
    {"-mllvm", COMPILE | ARGUMENT},
    {"--param", COMPILE | ARGUMENT},
    {"-arch", COMPILE | ARGUMENT},
};

static bool starts(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static const struct rule *rule_of(const char *flag)
{
    /* "-s" must not catch "-std=...", nor "-u" "-undef": hence EXACT. */
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct rule *r = &rules[i];
        if (r->fate & EXACT ? strcmp(flag, r->text) == 0 : starts(flag, r->text))
            return r;
    }
    return NULL;
}

void pl_flags_release(struct pl_flags *flags)
{
    pl_words_release(&flags->compile);
    pl_words_release(&flags->link);
}

static void give(struct pl_flags *out, int fate, const char *word)
{
    if (fate & DROP)
        return;
    if (fate & COMPILE)
        pl_words_add(&out->compile, word);
    if (fate & LINK)
        pl_words_add(&out->link, word);
}

/* clang's precompiled header was compiled without our flags: -Xclang -include-pch -Xclang FILE. */
static bool is_pch(const struct pl_words *given, size_t i)
{
    return i + 3 < given->count && strcmp(given->at[i], "-Xclang") == 0 &&
           strcmp(given->at[i + 1], "-include-pch") == 0;
}

enum pl_status pl_flags_sort(struct pl_flags *out, const struct pl_words *given, const char *skip,
                             struct pl_error *error)
{
    for (size_t i = 0; i < given->count; i++) {
        const char *word = given->at[i];

        if (is_pch(given, i)) {
            i += 3;
            continue;
        }
        if (*word != '-' || !word[1]) {
            enum pl_kind kind = pl_kind_of(word);
            if (kind >= PL_KIND_OBJECT)
                give(out, LINK, word);
            else if (*word == '@')
                give(out, COMPILE, word);
            else if (!skip && kind != PL_KIND_UNKNOWN)
                return pl_fail(error, PL_ERR_INPUT,
                               "%s comes after --, where only flags belong: put it before the --",
                               word);
            else if (!skip)
                return pl_fail(error, PL_ERR_INPUT, "'%s' is not a flag of the compiler", word);
            continue;
        }
        const struct rule *rule = rule_of(word);
        int fate = rule ? rule->fate : COMPILE;
        give(out, fate, word);
        if (rule && (fate & ARGUMENT) && strcmp(word, rule->text) == 0) {
            if (++i == given->count)
                return pl_fail(error, PL_ERR_INPUT, "the flag %s lacks its argument", word);
            give(out, fate, given->at[i]);
        }
    }
    return PL_OK;
}

static void add_list(struct pl_words *argv, const char *const *words)
{
    for (; *words; words++)
        pl_words_add(argv, *words);
}

static const char *const always[] = {
    "-fsanitize=thread", "-g", "-fno-omit-frame-pointer", "-mno-omit-leaf-frame-pointer",
    /* A tail call would give an access the line of the caller. */
    "-fno-optimize-sibling-calls",
    /* The checked variants of memcpy and friends are expanded in place. */
    "-U_FORTIFY_SOURCE", "-fno-lto",
    /* What is expanded in place is not seen; the calls are. */
    "-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset", "-fno-builtin-memcmp",
    "-fno-builtin-bcmp", "-fno-builtin-memchr", "-fno-builtin-mempcpy", "-fno-builtin-bcopy",
    "-fno-builtin-bzero", "-fno-builtin-strlen", "-fno-builtin-strnlen", "-fno-builtin-strcpy",
    "-fno-builtin-strncpy", "-fno-builtin-stpcpy", "-fno-builtin-strcat", "-fno-builtin-strncat",
    "-fno-builtin-strcmp", "-fno-builtin-strncmp", "-fno-builtin-strchr", "-fno-builtin-strrchr",
    "-fno-builtin-strdup", "-fno-builtin-strndup", "-fno-builtin-malloc", "-fno-builtin-calloc",
    "-fno-builtin-realloc", "-fno-builtin-free", NULL};

static const char *const gcc_only[] = {"-Wno-tsan",
                                       "--param",
                                       "tsan-distinguish-volatile=1",
                                       "--param",
                                       "tsan-instrument-func-entry-exit=0",
                                       NULL};

static const char *const clang_only[] = {
    "-mllvm", "-tsan-distinguish-volatile=1", "-mllvm", "-tsan-instrument-func-entry-exit=0",
    /* clang does not instrument an access of more than 16 bytes: make none. */
    "-fno-vectorize", "-fno-slp-vectorize", /* Without it libdw finds no line for an address. */
    "-gdwarf-aranges", "-Qunused-arguments", NULL};

static const char *const own_only[] = {
    /* The attributes of the sanitizer, but nothing done yet: neither its pass nor others. */
    "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-Xclang", "-disable-O0-optnone",
    /* The address of a function in a library must be its own, not that of a stub. */
    "-fPIE", "-Qunused-arguments", NULL};

/* -std=c++17 is for C++ files only, -std=c11 for C files only: a clang refuses the other. */
static bool wrong_language(const char *flag, bool cxx)
{
    if (!starts(flag, "-std=") && !starts(flag, "--std="))
        return false;
    return (strstr(flag, "++") != NULL) != cxx;
}

static const char *const native_only[] = {"-g", "-fno-omit-frame-pointer", "-pthread", NULL};

void pl_flags_compile(struct pl_words *argv, const struct pl_target *target,
                      const struct pl_words *user)
{
    pl_words_add(argv, target->native ? "-O2" : "-O1");
    pl_words_add(argv, "-DPLUMB=1");
    /* What a local array has before it is written must not hang on what our own calls left on the
       stack: whether a round of a loop is void is told from it. Nor be 0, which hides that it is
       read. The user's flags may say otherwise. */
    if (target->own)
        pl_words_add(argv, "-ftrivial-auto-var-init=pattern");
    if (!target->native) {
        /* First of all files, so that a header the user includes by flag sees it too. */
        pl_words_add(argv, "-include");
        pl_words_add(argv, target->prelude);
    }
    for (size_t i = 0; i < user->count; i++)
        if (!wrong_language(user->at[i], target->cxx))
            pl_words_add(argv, user->at[i]);
    if (target->include_dir) {
        pl_words_add(argv, "-I");
        pl_words_add(argv, target->include_dir);
    }
    if (target->native) {
        add_list(argv, native_only);
        return;
    }
    add_list(argv, always);
    add_list(argv, target->own ? own_only : target->clang ? clang_only : gcc_only);
    if (target->clang && !target->own && target->allow_races) {
        pl_words_add(argv, "-mllvm");
        pl_words_add(argv, "-tsan-instrument-read-before-write=1");
    }
}

unsigned pl_flags_level(const struct pl_words *flags)
{
    unsigned level = 0;

    for (size_t i = 0; i < flags->count; i++) {
        const char *flag = flags->at[i];
        if (strcmp(flag, "-O0") == 0)
            level = 0;
        else if (strcmp(flag, "-O") == 0 || strcmp(flag, "-O1") == 0 || strcmp(flag, "-Og") == 0)
            level = 1;
        else if (starts(flag, "-O"))
            level = 2;
    }
    return level;
}

static bool ends(const char *text, const char *suffix)
{
    size_t n = strlen(text), m = strlen(suffix);
    return n > m && strcmp(text + n - m, suffix) == 0;
}

enum pl_kind pl_kind_of(const char *path)
{
    static const struct {
        const char *suffix;
        enum pl_kind kind;
    } kinds[] = {
        {".c", PL_KIND_C},      {".cc", PL_KIND_CXX},    {".cpp", PL_KIND_CXX},
        {".cxx", PL_KIND_CXX},  {".c++", PL_KIND_CXX},   {".C", PL_KIND_CXX},
        {".o", PL_KIND_OBJECT}, {".a", PL_KIND_ARCHIVE}, {".so", PL_KIND_SHARED},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (ends(path, kinds[i].suffix))
            return kinds[i].kind;
    const char *slash = strrchr(path, '/');
    return strstr(slash ? slash : path, ".so.") ? PL_KIND_SHARED : PL_KIND_UNKNOWN;
}
