/* See link.h. */
#include "build/link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "build/flags.h"
#include "build/spawn.h"

/* The value of a flag given as -Lx or as -L x; NULL: another flag. */
static const char *value_of(const struct pl_words *flags, size_t i, const char *flag)
{
    const char *word = flags->at[i];

    if (!word || strncmp(word, flag, strlen(flag)) != 0)
        return NULL;
    if (word[strlen(flag)])
        return word + strlen(flag);
    return i + 1 < flags->count ? flags->at[i + 1] : NULL;
}

static void find_library(struct pl_words *out, const struct pl_words *flags, const char *name)
{
    static const char *const endings[] = {".so", ".a"};
    struct pl_strbuf path;

    pl_strbuf_init(&path);
    for (size_t i = 0; i < flags->count; i++) {
        const char *directory = value_of(flags, i, "-L");
        for (size_t j = 0; directory && j < 2; j++) {
            pl_strbuf_clear(&path);
            pl_strbuf_addf(&path, "%s/lib%s%s", directory, name, endings[j]);
            if (access(path.text, R_OK) == 0) {
                pl_words_add(out, path.text);
                pl_strbuf_release(&path);
                return;
            }
        }
    }
    pl_strbuf_release(&path);
}

void pl_link_files(struct pl_words *out, const struct pl_words *files, const struct pl_words *flags)
{
    pl_words_add_all(out, files);
    for (size_t i = 0; i < flags->count; i++) {
        const char *name = value_of(flags, i, "-l");
        if (name)
            find_library(out, flags, name);
        else if (flags->at[i] && flags->at[i][0] != '-' &&
                 pl_kind_of(flags->at[i]) >= PL_KIND_OBJECT)
            pl_words_add(out, flags->at[i]);
    }
}

/* A shared object given by name must be found again when the program runs. */
static void add_rpaths(struct pl_words *argv, const struct pl_words *files)
{
    for (size_t i = 0; i < files->count; i++) {
        char *real =
            pl_kind_of(files->at[i]) == PL_KIND_SHARED ? realpath(files->at[i], NULL) : NULL;
        char *slash = real ? strrchr(real, '/') : NULL;
        if (slash) {
            *slash = 0;
            pl_words_add(argv, "-Xlinker");
            pl_words_add(argv, "-rpath");
            pl_words_add(argv, "-Xlinker");
            pl_words_add(argv, real);
        }
        free(real);
    }
}

static void add_runtime(struct pl_words *argv, const struct pl_link *link)
{
    /* Before all other libraries, needed or not: the first to define a name wins, also
       for calls from inside libstdc++ and libc. */
    pl_words_add(argv, "-Wl,--push-state,--no-as-needed");
    pl_words_addf(argv, "-L%s", link->runtime_dir);
    pl_words_add(argv, "-lplumb_rt");
    pl_words_add(argv, "-Wl,--pop-state");
}

static void arguments(struct pl_words *argv, const struct pl_link *link, const char *program)
{
    struct pl_words all = {0};

    pl_words_add(argv, link->driver);
    pl_words_add(argv, "-no-pie");
    pl_words_add(argv, "-pthread");
    pl_words_add(argv, "-g");
    pl_words_add(argv, "-o");
    pl_words_add(argv, program);
    if (!link->native)
        add_runtime(argv, link);
    pl_words_add_all(argv, link->files);
    if (link->native)
        pl_words_addf(argv, "%s/libplumb_stress.a", link->runtime_dir);
    pl_words_add_all(argv, link->flags);
    pl_words_add(argv, "-Xlinker");
    pl_words_add(argv, "-rpath");
    pl_words_add(argv, "-Xlinker");
    pl_words_add(argv, link->runtime_dir);
    pl_link_files(&all, link->files, link->flags);
    add_rpaths(argv, &all);
    pl_words_release(&all);
    /* A name bound at its first call would be bound in the middle of an execution. */
    pl_words_add(argv, "-Wl,-z,now");
    /* For what the driver adds after this. gcc leaves out libraries that define nothing that is
       still missing, but our operator new needs that of libstdc++. */
    pl_words_add(argv, "-Wl,--no-as-needed");
}

enum pl_status pl_link(const struct pl_link *link, const char *program, char **diagnostics,
                       struct pl_error *error)
{
    struct pl_words argv = {0};
    struct pl_strbuf log, text;
    pid_t pid = 0;
    int code = 0;

    pl_strbuf_init(&log);
    pl_strbuf_addf(&log, "%s/link.l", link->work);
    arguments(&argv, link, program);
    enum pl_status status = pl_spawn(&argv, NULL, log.text, &pid, error);
    if (status == PL_OK)
        code = pl_spawn_wait(pid, link->stop);
    if (code != 0 && !link->has_main) {
        status = pl_fail(error, PL_ERR_INPUT,
                         "no main: none of the files defines the function main; add the file "
                         "that has it");
    } else if (code != 0) {
        pl_strbuf_init(&text);
        pl_spawn_read(&text, log.text);
        free(*diagnostics);
        *diagnostics = pl_strbuf_detach(&text);
        status = pl_fail(error, PL_ERR_INPUT, "the program does not link (%s exited with %d)",
                         link->driver, code);
    }
    pl_words_release(&argv);
    pl_strbuf_release(&log);
    return status;
}
