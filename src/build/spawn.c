/* See spawn.h. */
#include "build/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int prepare(posix_spawn_file_actions_t *actions, const char *directory, const char *log)
{
    int flags = O_WRONLY | O_CREAT | O_TRUNC;
    int failed = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);

    /* Before the chdir: the name of the log is relative to where we are. */
    if (!failed)
        failed = posix_spawn_file_actions_addopen(actions, 1, log, flags, 0600);
    if (!failed)
        failed = posix_spawn_file_actions_adddup2(actions, 1, 2);
    if (!failed && directory)
        failed = posix_spawn_file_actions_addchdir_np(actions, directory);
    return failed;
}

enum pl_status pl_spawn(const struct pl_words *argv, const char *directory, const char *log,
                        pid_t *pid, struct pl_error *error)
{
    posix_spawn_file_actions_t actions;
    struct stat about;

    if (directory && (stat(directory, &about) != 0 || !S_ISDIR(about.st_mode)))
        return pl_fail(error, PL_ERR_INPUT, "the directory %s does not exist", directory);
    /* gcc finds its own parts only with a PATH, even one that execvp would not need. */
    int failed = setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 0) ? errno : 0;
    if (!failed)
        failed = posix_spawn_file_actions_init(&actions);
    if (!failed) {
        failed = prepare(&actions, directory, log);
        if (!failed)
            failed = posix_spawnp(pid, argv->at[0], &actions, NULL, argv->at, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    if (failed == 0)
        return PL_OK;
    if (failed == ENOENT || failed == EACCES)
        return pl_fail(error, PL_ERR_INPUT,
                       "the compiler %s was not found: install it, or name another with --cc",
                       argv->at[0]);
    errno = failed;
    return pl_fail_errno(error, "cannot start %s", argv->at[0]);
}

int pl_spawn_wait(pid_t pid, const volatile bool *stop)
{
    int status = 0;

    do
        if (stop && *stop)
            (void)kill(pid, SIGTERM);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void pl_spawn_read(struct pl_strbuf *text, const char *path)
{
    char block[4096];
    size_t got;
    FILE *f = fopen(path, "re");

    if (!f)
        return;
    while ((got = fread(block, 1, sizeof block, f)) > 0)
        pl_strbuf_add_bytes(text, block, got);
    (void)fclose(f);
}
