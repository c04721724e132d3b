/* Files and pipes in pieces. */
#include "history/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 1 << 18 };

enum pl_status pl_input_open(struct pl_input *in, const char *file, struct pl_error *error)
{
    bool standard = strcmp(file, "-") == 0;
    *in = (struct pl_input){.name = standard ? "stdin" : file, .line = 1};
    in->fd = standard ? 0 : open(file, O_RDONLY | O_CLOEXEC);
    if (in->fd < 0)
        return pl_fail(error, PL_ERR_INPUT, "%s: %s", file, strerror(errno));
    in->room = PIECE;
    in->text = malloc(in->room + 1);
    PL_ASSERT(in->text);
    in->text[0] = '\0';
    return PL_OK;
}

void pl_input_close(struct pl_input *in)
{
    if (in->fd > 0)
        (void)close(in->fd);
    free(in->text);
    in->text = NULL;
}

enum pl_status pl_input_more(struct pl_input *in, struct pl_error *error)
{
    if (in->at) {
        memmove(in->text, in->text + in->at, in->end - in->at);
        in->line_start -= in->at; /* modulo 2^64: only differences are looked at */
        in->end -= in->at;
        in->at = 0;
    }
    if (in->end == in->room) {
        in->room *= 2;
        in->text = realloc(in->text, in->room + 1);
        PL_ASSERT(in->text);
    }
    ssize_t got;
    do
        got = read(in->fd, in->text + in->end, in->room - in->end);
    while (got < 0 && errno == EINTR && !(in->stop && *in->stop));
    if (got < 0 && errno == EINTR)
        return pl_fail(error, PL_ERR_LIMIT, "interrupted");
    if (got < 0)
        return pl_fail(error, PL_ERR_INPUT, "%s: %s", in->name, strerror(errno));
    in->ended = got == 0;
    in->end += (size_t)got;
    in->text[in->end] = '\0';
    return PL_OK;
}

enum pl_status pl_input_fail(const struct pl_input *in, size_t place, struct pl_error *error,
                             const char *format, ...)
{
    char what[700];
    va_list args;
    uint32_t line = in->line;
    size_t start = in->line_start;
    for (size_t i = in->at; i < place && i < in->end; i++)
        if (in->text[i] == '\n') {
            line++;
            start = i + 1;
        }
    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return pl_fail(error, PL_ERR_INPUT, "%.200s:%u:%zu: %s", in->name, line, place - start + 1,
                   what);
}
