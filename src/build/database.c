/* See database.h. */
#include "build/database.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

struct pl_database {
    json_t *root;
    char *path;
    char *home; /* the directory of the file: what a relative "directory" is relative to */
};

static char *directory_of(const char *path)
{
    char *real = realpath(path, NULL);
    char *slash = real ? strrchr(real, '/') : NULL;

    if (slash)
        *(slash == real ? slash + 1 : slash) = 0;
    return real;
}

/* The file without its links and dots; NULL if there is none. Owner: the caller. */
static char *resolve(const char *directory, const char *file)
{
    struct pl_strbuf path;

    pl_strbuf_init(&path);
    if (*file != '/')
        pl_strbuf_addf(&path, "%s/", directory);
    pl_strbuf_add(&path, file);
    char *real = realpath(path.text, NULL);
    pl_strbuf_release(&path);
    return real;
}

enum pl_status pl_database_open(struct pl_database **out, const char *path, struct pl_error *error)
{
    json_error_t wrong;

    *out = NULL;
    FILE *f = fopen(path, "re");
    if (!f)
        return pl_fail(error, PL_ERR_INPUT, "cannot read %s: %s", path, strerror(errno));
    json_t *root = json_loadf(f, 0, &wrong);
    (void)fclose(f);
    if (!root)
        return pl_fail(error, PL_ERR_INPUT, "%s:%d: not a compilation database: %s", path,
                       wrong.line, wrong.text);
    if (!json_is_array(root)) {
        json_decref(root);
        return pl_fail(error, PL_ERR_INPUT,
                       "%s: not a compilation database: an array of commands is expected", path);
    }
    struct pl_database *d = calloc(1, sizeof *d);
    PL_ASSERT(d != NULL);
    d->root = root;
    d->path = strdup(path);
    d->home = directory_of(path);
    *out = d;
    return PL_OK;
}

void pl_database_free(struct pl_database *d)
{
    if (!d)
        return;
    json_decref(d->root);
    free(d->path);
    free(d->home);
    free(d);
}

static enum pl_status words_of(const struct pl_database *d, size_t index, const json_t *entry,
                               struct pl_words *words, struct pl_error *error)
{
    struct pl_words all = {0};
    const json_t *arguments = json_object_get(entry, "arguments"), *word;
    const char *command = json_string_value(json_object_get(entry, "command"));
    bool fine = true;
    size_t i;

    if (json_is_array(arguments)) {
        json_array_foreach(arguments, i, word)
        {
            fine = fine && json_is_string(word);
            pl_words_add(&all, fine ? json_string_value(word) : "");
        }
    } else {
        fine = command && pl_words_split(&all, command);
    }
    for (i = 1; i < all.count; i++)
        pl_words_add(words, all.at[i]);
    fine = fine && all.count > 0;
    pl_words_release(&all);
    if (!fine)
        return pl_fail(error, PL_ERR_INPUT,
                       "%s: entry %zu has no usable \"arguments\" or \"command\"", d->path,
                       index + 1);
    return PL_OK;
}

enum pl_status pl_database_find(const struct pl_database *d, const char *file,
                                struct pl_words *words, char **directory, struct pl_error *error)
{
    enum pl_status status = PL_ERR_INPUT;
    char *wanted = realpath(file, NULL);
    const json_t *entry;
    bool found = false;
    size_t i;

    *directory = NULL;
    json_array_foreach(d->root, i, entry)
    {
        const char *name = json_string_value(json_object_get(entry, "file"));
        const char *where = json_string_value(json_object_get(entry, "directory"));
        char *home = where ? resolve(d->home, where) : strdup(d->home);
        char *real = name && home ? resolve(home, name) : NULL;

        found = wanted && real && strcmp(wanted, real) == 0;
        free(real);
        if (found) {
            *directory = home;
            status = words_of(d, i, entry, words, error);
            break;
        }
        free(home);
    }
    free(wanted);
    if (!found)
        return pl_fail(error, PL_ERR_INPUT, "%s is not in the compilation database %s", file,
                       d->path);
    return status;
}
