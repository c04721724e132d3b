/* Files a command writes. */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum pl_status pl_output_open(const char *option, const char *file, int *fd, struct pl_error *error)
{
    *fd = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (*fd < 0)
        return pl_fail(error, PL_ERR_INPUT, "%s %s: cannot be written: %s", option, file,
                       strerror(errno));
    return PL_OK;
}

bool pl_output_write(int fd, const char *text, size_t length)
{
    size_t done = 0;
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
