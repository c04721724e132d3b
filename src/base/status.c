/* The sentences that go with a status. */
#include "base/status.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum pl_status pl_fail(struct pl_error *error, enum pl_status status, const char *format, ...)
{
    if (error) {
        va_list args;
        va_start(args, format);
        (void)vsnprintf(error->text, sizeof error->text, format, args);
        va_end(args);
        error->status = status;
    }
    return status;
}

enum pl_status pl_fail_errno(struct pl_error *error, const char *format, ...)
{
    int saved = errno;
    if (error) {
        char what[sizeof error->text];
        va_list args;
        va_start(args, format);
        (void)vsnprintf(what, sizeof what, format, args);
        va_end(args);
        (void)snprintf(error->text, sizeof error->text, "%.900s: %s", what, strerror(saved));
        error->status = PL_ERR_SYSTEM;
    }
    return PL_ERR_SYSTEM;
}

_Noreturn void pl_bug(const char *file, int line, const char *what)
{
    (void)fprintf(stderr, "plumb: bug at %s:%d: %s\n", file, line, what);
    abort();
}
