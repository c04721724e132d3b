/* The subject's process: see server.h. */
#include "stress/server.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ERROR_BYTES = 1 << 16 };

static enum pl_status make_wire(struct pl_server *s, const struct pl_stress_options *options,
                                struct pl_error *error)
{
    size_t bytes = sizeof *s->wire + PL_STRESS_ROUNDS * (options->threads + 1u) * options->room;
    s->wire_fd = memfd_create("plumb-stress", MFD_CLOEXEC);
    s->error_fd = memfd_create("plumb-errors", MFD_CLOEXEC);
    void *p = MAP_FAILED;
    if (s->wire_fd >= 0 && s->error_fd >= 0 && ftruncate(s->wire_fd, (off_t)bytes) == 0)
        p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, s->wire_fd, 0);
    if (p == MAP_FAILED)
        return pl_fail_errno(error, "cannot make the file shared with the program");
    s->wire = p;
    s->wire->magic = PL_STRESS_MAGIC;
    s->wire->bytes_total = bytes;
    s->wire->options = *options;
    return PL_OK;
}

/* The environment with the wire's path in front. */
static char **environment_with(char *wire)
{
    size_t count = 0;
    while (environ[count])
        count++;
    char **copy = calloc(count + 2, sizeof *copy);
    PL_ASSERT(copy);
    copy[0] = wire;
    memcpy(copy + 1, environ, count * sizeof *copy);
    return copy;
}

enum pl_status pl_server_start(struct pl_server *out, const char *program, char *const *argv,
                               const struct pl_stress_options *options, struct pl_error *error)
{
    *out = (struct pl_server){.wire_fd = -1, .error_fd = -1};
    enum pl_status status = make_wire(out, options, error);
    if (status)
        return status;
    char wire[80];
    /* The path through us: the descriptor itself closes when the program starts. */
    (void)snprintf(wire, sizeof wire, "%s=/proc/%d/fd/%d", PL_STRESS_ENV, (int)getpid(),
                   out->wire_fd);
    char **environment = environment_with(wire);
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    (void)posix_spawn_file_actions_init(&files);
    (void)posix_spawnattr_init(&attributes);
    (void)posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    (void)posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    (void)posix_spawn_file_actions_adddup2(&files, out->error_fd, 2);
    /* Ctrl-C at the terminal reaches the tool only. */
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    (void)posix_spawnattr_setpgroup(&attributes, 0);
    int failed = posix_spawn(&out->pid, program, &files, &attributes, argv, environment);
    (void)posix_spawn_file_actions_destroy(&files);
    (void)posix_spawnattr_destroy(&attributes);
    free(environment);
    if (!failed)
        return PL_OK;
    out->pid = 0;
    errno = failed;
    return pl_fail_errno(error, "cannot start %s", program);
}

void pl_server_end(struct pl_server *s)
{
    if (s->pid && !s->ended) {
        (void)kill(-s->pid, SIGKILL);
        while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    if (s->wire)
        (void)munmap(s->wire, s->wire->bytes_total);
    if (s->wire_fd >= 0)
        (void)close(s->wire_fd);
    if (s->error_fd >= 0)
        (void)close(s->error_fd);
    free(s->maps);
    *s = (struct pl_server){.wire_fd = -1, .error_fd = -1};
}

static void read_maps(struct pl_server *s)
{
    char path[64], part[4096];
    struct pl_strbuf text;
    (void)snprintf(path, sizeof path, "/proc/%d/maps", (int)s->pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    pl_strbuf_init(&text);
    for (ssize_t n; (n = read(fd, part, sizeof part)) > 0;)
        pl_strbuf_add_bytes(&text, part, (size_t)n);
    (void)close(fd);
    s->maps = pl_strbuf_detach(&text);
}

struct pl_stress_round *pl_server_round(struct pl_server *s)
{
    struct pl_stress_wire *w = s->wire;
    struct pl_stress_round *r = &w->round[w->taken % PL_STRESS_ROUNDS];
    if (w->ready && !s->maps)
        read_maps(s);
    bool ended = s->ended || waitpid(s->pid, NULL, WNOHANG) == s->pid; /* before the look */
    if (__atomic_load_n(&r->state, __ATOMIC_ACQUIRE) == PL_ROUND_FULL) {
        s->ended = ended;
        return r;
    }
    s->ended = ended;
    return NULL;
}

void pl_server_take(struct pl_server *s)
{
    struct pl_stress_wire *w = s->wire;
    struct pl_stress_round *r = &w->round[w->taken % PL_STRESS_ROUNDS];
    w->taken++;
    r->pid = 0;
    __atomic_store_n(&r->state, PL_ROUND_FREE, __ATOMIC_RELEASE);
}

void pl_server_kill_round(struct pl_server *s)
{
    const struct pl_stress_round *r = &s->wire->round[s->wire->filled % PL_STRESS_ROUNDS];
    if (r->pid)
        (void)kill((pid_t)r->pid, SIGKILL);
}

void pl_server_errors(const struct pl_server *s, struct pl_strbuf *out)
{
    char *text = calloc(1, ERROR_BYTES + 1);
    PL_ASSERT(text);
    if (pread(s->error_fd, text, ERROR_BYTES, 0) > 0)
        pl_strbuf_add(out, text);
    free(text);
}
