/* See compiler.h. */
#include "build/compiler.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "build/spawn.h"
#include "build/words.h"

struct pair {
    const char *c, *cxx;
    bool family_known, clang;
};

/* Longest first: "clang" before "cc" would not matter, "gcc" before "cc" does. */
static const struct pair pairs[] = {
    {"clang", "clang++", true, true},
    {"gcc", "g++", true, false},
    {"cc", "c++", false, false},
};

/* The name with `from`, which starts at `at`, replaced by `to`. */
static char *replaced(const char *name, const char *at, const char *from, const char *to)
{
    struct pl_strbuf text;

    pl_strbuf_init(&text);
    pl_strbuf_add_bytes(&text, name, (size_t)(at - name));
    pl_strbuf_add(&text, to);
    pl_strbuf_add(&text, at + strlen(from));
    return pl_strbuf_detach(&text);
}

static enum pl_status ask_family(struct pl_compiler *out, const char *name, const char *work,
                                 struct pl_error *error)
{
    struct pl_words argv = {0};
    struct pl_strbuf log, answer;
    pid_t pid = 0;

    pl_strbuf_init(&log);
    pl_strbuf_init(&answer);
    pl_strbuf_addf(&log, "%s/version.txt", work);
    pl_words_add(&argv, name);
    pl_words_add(&argv, "--version");
    enum pl_status status = pl_spawn(&argv, NULL, log.text, &pid, error);
    if (status == PL_OK && pl_spawn_wait(pid, NULL) != 0)
        status =
            pl_fail(error, PL_ERR_INPUT, "%s --version fails: it is no compiler we know", name);
    if (status == PL_OK) {
        pl_spawn_read(&answer, log.text);
        out->clang = strstr(answer.text, "clang") != NULL;
    }
    pl_words_release(&argv);
    pl_strbuf_release(&log);
    pl_strbuf_release(&answer);
    return status;
}

enum pl_status pl_compiler_find(struct pl_compiler *out, const char *name, const char *work,
                                struct pl_error *error)
{
    *out = (struct pl_compiler){0};
    /* Bitcode is read by the LLVM that wrote it: hence the version. */
    out->own = !name || !*name;
    if (out->own)
        name = "clang-19";
    const char *slash = strrchr(name, '/');
    const char *base = slash ? slash + 1 : name;

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const struct pair *p = &pairs[i];
        const char *at = strstr(base, p->cxx);
        if (at) {
            out->cxx = strdup(name);
            out->c = replaced(name, at, p->cxx, p->c);
        } else if ((at = strstr(base, p->c)) != NULL) {
            out->c = strdup(name);
            out->cxx = replaced(name, at, p->c, p->cxx);
        } else {
            continue;
        }
        out->clang = p->clang;
        return p->family_known ? PL_OK : ask_family(out, name, work, error);
    }
    /* A wrapper of any name: it must do for both languages. */
    out->c = strdup(name);
    out->cxx = strdup(name);
    return ask_family(out, name, work, error);
}

void pl_compiler_release(struct pl_compiler *compiler)
{
    free(compiler->c);
    free(compiler->cxx);
    *compiler = (struct pl_compiler){0};
}
