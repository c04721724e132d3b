/*
 * What the files about descriptors (libc_files.c, libc_io.c, libc_poll.c) share.
 */
#ifndef PL_RUNTIME_LIBC_FILES_H
#define PL_RUNTIME_LIBC_FILES_H

#include <poll.h>
#include <stdio.h>

#include "runtime/rt.h"

enum pl_fd_kind {
    PL_FD_FILE, /* never blocks, or is not of the subject's making */
    PL_FD_PIPE, /* pipe, eventfd */
    PL_FD_SOCKET,
};
enum pl_fd_kind pl_fd_kind(int fd);

bool pl_fd_changes_are_seen(int fd);
void pl_fd_sleep(short events, uint64_t pc); /* until pl_fd_changed */
void pl_fd_changed(void);                    /* something was written, read or closed */

void pl_stdio_flushed(FILE *stream, bool closed, uint64_t pc); /* libc_stdio.c */

enum { PL_FD_READABLE = POLLIN, PL_FD_WRITABLE = POLLOUT };

#endif
