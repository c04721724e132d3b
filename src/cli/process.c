/* One process of the subject. */
#include "cli/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ERROR_BYTES = 4096 };

/* A file of fixed size: what is written past its end is refused, so that a subject cannot
   fill the memory with what nobody reads. */
static int small_file(void)
{
    int fd = memfd_create("plumb-errors", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd >= 0 && (ftruncate(fd, ERROR_BYTES) != 0 ||
                    fcntl(fd, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK) != 0)) {
        (void)close(fd);
        return -1;
    }
    return fd;
}

enum pl_status pl_process_new(struct pl_process **out, const char *path,
                              const struct pl_wire_options *options, const uint8_t *choices,
                              struct pl_error *error)
{
    struct pl_process *p = calloc(1, sizeof *p);
    PL_ASSERT(p);
    p->error_fd = small_file();
    p->facts_fd = -1;
    p->wire_fd = path ? open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)
                      : memfd_create("plumb-wire", MFD_CLOEXEC);
    p->wire = MAP_FAILED;
    if (p->wire_fd >= 0 && ftruncate(p->wire_fd, sizeof *p->wire) == 0)
        p->wire = mmap(NULL, sizeof *p->wire, PROT_READ | PROT_WRITE, MAP_SHARED, p->wire_fd, 0);
    if (p->wire == MAP_FAILED) {
        enum pl_status status =
            pl_fail_errno(error, "cannot make the file shared with the program");
        p->wire = NULL;
        pl_process_free(p);
        return status;
    }
    p->wire->magic = PL_WIRE_MAGIC;
    p->wire->bytes_total = sizeof *p->wire;
    p->wire->options = *options;
    if (options->replaying && options->replay)
        memcpy(p->wire->byte, choices, options->replay);
    p->wire->bytes = options->replay;
    *out = p;
    return PL_OK;
}

void pl_process_free(struct pl_process *p)
{
    if (!p)
        return;
    if (p->pid && !p->ended)
        pl_process_kill(p);
    if (p->wire)
        (void)munmap(p->wire, sizeof *p->wire);
    if (p->wire_fd >= 0)
        (void)close(p->wire_fd);
    if (p->error_fd >= 0)
        (void)close(p->error_fd);
    free(p);
}

/* The subject reads the user's stdin only from a file, with a position of its own: what it
   reads must be the same in every execution. */
static int input_fd(void)
{
    struct stat st;
    if (fstat(0, &st) == 0 && S_ISREG(st.st_mode)) {
        int fd = open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC);
        if (fd >= 0)
            return fd;
    }
    return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

_Noreturn static void child(const struct pl_process *p, const char *program, char *const *argv,
                            char *const *environment, pid_t parent, int report)
{
    sigset_t none;
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    int in = input_fd();
    (void)sigemptyset(&none);
    (void)signal(SIGINT, SIG_DFL);
    (void)signal(SIGCHLD, SIG_DFL);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)setpgid(0, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)close_range(3, ~0u,
                      CLOSE_RANGE_CLOEXEC); /* the numbers a subject gets are always the same */
    (void)personality((unsigned long)personality(0xffffffff) | ADDR_NO_RANDOMIZE);
    if (getppid() == parent && in >= 0 && null >= 0 && dup2(in, 0) >= 0 && dup2(null, 1) >= 0 &&
        dup2(p->error_fd >= 0 ? p->error_fd : null, 2) >= 0 && fcntl(p->wire_fd, F_SETFD, 0) == 0 &&
        (p->facts_fd < 0 || fcntl(p->facts_fd, F_SETFD, 0) == 0))
        (void)execve(program, argv, environment);
    int number = errno;
    (void)!write(report, &number, sizeof number);
    _exit(127);
}

/* The environment with the wire's path; the texts belong to environ, but for the first. */
static char **child_environment(char *wire)
{
    size_t count = 0, used = 0;
    while (environ[count])
        count++;
    char **copy = calloc(count + 2, sizeof *copy);
    PL_ASSERT(copy);
    copy[used++] = wire;
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], PL_WIRE_ENV "=", sizeof PL_WIRE_ENV) != 0)
            copy[used++] = environ[i];
    return copy;
}

enum pl_status pl_process_start(struct pl_process *p, const char *program, char *const *argv,
                                struct pl_error *error)
{
    int report[2];
    char wire[64];
    if (pipe2(report, O_CLOEXEC) != 0)
        return pl_fail_errno(error, "pipe");
    (void)snprintf(wire, sizeof wire, "%s=/proc/self/fd/%d", PL_WIRE_ENV, p->wire_fd);
    char **environment = child_environment(wire);
    pid_t parent = getpid();
    p->pid = fork();
    if (p->pid == 0)
        child(p, program, argv, environment, parent, report[1]);
    free(environment);
    (void)close(report[1]);
    int number = 0;
    if (p->pid < 0) {
        p->pid = 0;
        (void)close(report[0]);
        return pl_fail_errno(error, "cannot start a process");
    }
    ssize_t got = read(report[0], &number, sizeof number); /* nothing: exec worked */
    (void)close(report[0]);
    if (got > 0) {
        pl_process_kill(p);
        errno = number;
        return pl_fail_errno(error, "cannot start %s", program);
    }
    return PL_OK;
}

double pl_process_cpu_seconds(const struct pl_process *p)
{
    clockid_t clock;
    struct timespec t;
    if (p->ended || clock_getcpuclockid(p->pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
        return 0;
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

bool pl_process_poll(struct pl_process *p)
{
    if (p->ended)
        return true;
    p->ended = waitpid(p->pid, &p->status, WNOHANG) == p->pid;
    return p->ended;
}

void pl_process_kill(struct pl_process *p)
{
    if (p->ended || !p->pid)
        return;
    (void)kill(p->pid, SIGKILL);
    while (waitpid(p->pid, &p->status, 0) < 0 && errno == EINTR)
        continue;
    p->ended = true;
}

void pl_process_errors(const struct pl_process *p, struct pl_strbuf *out)
{
    char text[ERROR_BYTES + 1] = {0};
    if (p->error_fd >= 0 && pread(p->error_fd, text, ERROR_BYTES, 0) > 0)
        pl_strbuf_add(out, text);
}

void pl_process_add_finding(struct pl_process *p, enum pl_finding_kind kind, unsigned code,
                            const char *text)
{
    struct pl_wire *wire = p->wire;
    PL_ASSERT(p->ended);
    if (wire->findings >= PL_MAX_FINDINGS)
        return;
    struct pl_wire_finding *f = &wire->finding[wire->findings];
    size_t length = strlen(text);
    *f = (struct pl_wire_finding){.kind = kind, .code = code, .execution = wire->current};
    if (wire->bytes + length <= PL_MAX_BYTES) {
        f->text = wire->bytes;
        f->text_length = (uint32_t)length;
        memcpy(&wire->byte[wire->bytes], text, length);
        wire->bytes += (uint32_t)length;
    }
    wire->findings++;
    wire->blocked++;
}
