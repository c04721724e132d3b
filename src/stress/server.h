/*
 * The natively compiled subject at work, seen from the tool: started, its rounds taken one by one,
 * ended. wire.h has the other side.
 *
 * Ownership: pl_server_end kills what still runs and unmaps.
 * Errors: PL_ERR_SYSTEM: a process or memory was refused.
 */
#ifndef PL_STRESS_SERVER_H
#define PL_STRESS_SERVER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/status.h"
#include "base/strbuf.h"
#include "stress/wire.h"

struct pl_server {
    struct pl_stress_wire *wire;
    pid_t pid;
    int wire_fd, error_fd;
    char *maps; /* /proc/PID/maps of the server, which its children share; NULL: not seen */
    bool ended;
};

enum pl_status pl_server_start(struct pl_server *out, const char *program, char *const *argv,
                               const struct pl_stress_options *options, struct pl_error *error);
void pl_server_end(struct pl_server *server);

/* The next round, when it is over; NULL: not yet, or (see `ended`) never. */
struct pl_stress_round *pl_server_round(struct pl_server *server);
void pl_server_take(struct pl_server *server); /* it has been read */

/* Ends a round that does not end: its process is killed, and the round is over. */
void pl_server_kill_round(struct pl_server *server);

/* What the subject wrote to stderr, or the loader. */
void pl_server_errors(const struct pl_server *server, struct pl_strbuf *out);

#endif
