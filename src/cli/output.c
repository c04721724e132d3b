/* Files a command writes. */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int piped = -1; /* --json - */

/* Standard output, which belongs to it alone from now on. */
static int whole_stdout(void)
{
    (void)fflush(stdout);
    int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    return fd >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 ? fd : -1;
}

enum pl_status pl_output_open(const char *option, const char *file, int *fd, struct pl_error *error)
{
    if (strcmp(option, "--json") == 0 && strcmp(file, "-") == 0)
        *fd = piped = whole_stdout();
    else
        *fd = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (*fd < 0)
        return pl_fail(error, PL_ERR_INPUT, "%s %s: cannot be written: %s", option, file,
                       strerror(errno));
    return PL_OK;
}

bool pl_output_write(int fd, const char *text, size_t length)
{
    size_t done = 0;
    if (fd != piped)             /* what was in a file before is of others */
        (void)!ftruncate(fd, 0); /* fails on a pipe or a device, which need none */
    while (done < length) {
        ssize_t n = write(fd, text + done, length - done);
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

bool pl_output_json(int fd, json_t *object)
{
    char *text = json_dumps(object, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    if (!text)
        return false;
    size_t length = strlen(text);
    text[length++] = '\n'; /* in the place of the NUL */
    bool good = pl_output_write(fd, text, length);
    free(text);
    return good;
}
