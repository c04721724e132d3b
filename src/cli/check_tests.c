/* Tests from files: `--test @FILE`, a test a line, as reports print them; see check_parts.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/check_parts.h"

static enum pl_status read_file(struct pl_checker *c, const char *path, struct pl_texts *out,
                                struct pl_error *error)
{
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t room = 0, before = out->count;
    if (!file)
        return pl_fail(error, PL_ERR_INPUT, "--test: cannot read %s: %s", path, strerror(errno));
    for (ssize_t length; (length = getline(&line, &room, file)) >= 0;) {
        while (length && (line[length - 1] == '\n' || line[length - 1] == ' '))
            line[--length] = '\0';
        if (!length || line[0] == '#')
            continue;
        pl_texts_add(out, line);
        pl_texts_add(&c->lines, line);
        line = NULL;
        room = 0;
    }
    free(line);
    (void)fclose(file);
    if (out->count == before)
        return pl_fail(error, PL_ERR_INPUT, "--test: %s has no test", path);
    return PL_OK;
}

enum pl_status pl_check_read_tests(struct pl_checker *c, struct pl_error *error)
{
    struct pl_texts all = {0};
    enum pl_status status = PL_OK;
    for (size_t i = 0; i < c->tests.count && !status; i++) {
        if (c->tests.text[i][0] == '@')
            status = read_file(c, c->tests.text[i] + 1, &all, error);
        else
            pl_texts_add(&all, c->tests.text[i]);
    }
    pl_texts_release(&c->tests);
    c->tests = all;
    return status;
}

void pl_check_free_lines(struct pl_checker *c)
{
    for (size_t i = 0; i < c->lines.count; i++)
        free((char *)(uintptr_t)c->lines.text[i]);
    pl_texts_release(&c->lines);
}
