/*
 * gdb runs the program itself, with the wire in a file. The runtime calls
 * plumb_stop_here() on the stack of the failing thread, for a crash too: signals
 * are left to the runtime, which also uses some of its own. Then a few lines of
 * gdb's Python go out of the runtime's frames to the user's own. Of a history, where no one
 * place fails, plumb_call_here() comes before each call: gdb stops where the call begins.
 */
#include "cli/gdb.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char commands[] =
    "set confirm off\n"
    "set pagination off\n"
    "set disable-randomization on\n"
    "set breakpoint pending on\n"
    "set debuginfod enabled off\n"
    "handle SIGSEGV SIGBUS SIGFPE SIGILL SIGALRM nostop noprint pass\n"
    "python\n"
    /* In main the runtime is loaded, and gdb knows what to stop at. */
    "gdb.Breakpoint('main', internal=True, temporary=True).silent = True\n"
    "gdb.execute('run', to_string=True)\n"
    "gdb.Breakpoint('plumb_stop_here', internal=True).silent = True\n"
    "class PlumbCall(gdb.Breakpoint):\n"
    "    def stop(self):\n"
    "        where = int(gdb.newest_frame().read_register('rdi'))\n"
    "        name = gdb.block_for_pc(where).function.name\n"
    /* Behind the entry of the driver's own functions is the text of the call. */
    "        place = name if name.startswith('plumb_given_') else '*%d' % where\n"
    "        gdb.Breakpoint(place, internal=True, temporary=True).silent = True\n"
    "        return False\n"
    "PlumbCall('*plumb_call_here', internal=True)\n"
    /* SIGTRAP cannot be passed on in general: gdb lives on it. */
    "plumb_last = None\n"
    "def plumb_stopped(event):\n"
    "    global plumb_last\n"
    "    plumb_last = event\n"
    "gdb.events.stop.connect(plumb_stopped)\n"
    "if gdb.selected_thread():\n"
    "    gdb.execute('continue', to_string=True)\n"
    "while isinstance(plumb_last, gdb.SignalEvent) and plumb_last.stop_signal == 'SIGTRAP':\n"
    "    plumb_last = None\n"
    "    gdb.execute('signal SIGTRAP', to_string=True)\n"
    "gdb.events.stop.disconnect(plumb_stopped)\n"
    "def plumb_up():\n"
    "    try:\n"
    "        frame = gdb.newest_frame()\n"
    "    except gdb.error:\n"
    "        print('The program ended: the finding did not show again.')\n"
    "        return\n"
    "    while frame is not None:\n"
    "        place = frame.find_sal().symtab\n"
    "        library = gdb.solib_name(frame.pc()) or ''\n"
    "        if place and 'libplumb_rt' not in library and \\\n"
    "           not place.fullname().startswith('/usr/'):\n"
    "            frame.select()\n"
    "            gdb.execute('frame')\n"
    "            return\n"
    "        frame = frame.older()\n"
    "plumb_up()\n"
    "end\n";

static bool write_file(const char *path, const char *first, const char *second)
{
    FILE *file = fopen(path, "we");
    if (!file)
        return false;
    bool fine = fputs(first, file) >= 0 && fputs(second, file) >= 0;
    return fclose(file) == 0 && fine;
}

static enum pl_status run_gdb(char *const *argv, int *code, struct pl_error *error)
{
    pid_t pid;
    int status;
    int failed = posix_spawnp(&pid, "gdb", NULL, NULL, argv, environ);
    if (failed) {
        errno = failed;
        return pl_fail_errno(error, "gdb cannot be started; install gdb");
    }
    (void)signal(SIGINT, SIG_IGN); /* it is gdb's to interrupt the program */
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    (void)signal(SIGINT, SIG_DFL);
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    return PL_OK;
}

enum pl_status pl_gdb(struct pl_execute *e, const uint8_t *choices, bool batch, int *code,
                      struct pl_error *error)
{
    struct pl_process *process = NULL;
    struct pl_strbuf wire, script, set;
    pl_strbuf_init(&wire);
    pl_strbuf_init(&script);
    pl_strbuf_init(&set);
    pl_strbuf_addf(&wire, "%s/wire", e->subject.work);
    pl_strbuf_addf(&script, "%s/commands.gdb", e->subject.work);
    pl_strbuf_addf(&set, "set environment %s=%s\n", PL_WIRE_ENV, wire.text);
    enum pl_status status = pl_process_new(&process, wire.text, e->options, choices, error);
    if (!status && !write_file(script.text, set.text, commands))
        status = pl_fail_errno(error, "%s", script.text);
    if (!status) {
        struct pl_texts words = {0};
        pl_texts_add(&words, "gdb");
        pl_texts_add(&words, "-q");
        if (batch) {
            pl_texts_add(&words, "-nx");
            pl_texts_add(&words, "-batch");
        }
        pl_texts_add(&words, "-x");
        pl_texts_add(&words, script.text);
        if (batch) {
            pl_texts_add(&words, "-ex");
            pl_texts_add(&words, "backtrace");
        }
        pl_texts_add(&words, "--args");
        pl_texts_add(&words, e->subject.built.program);
        for (size_t i = 1; e->subject.argv[i]; i++)
            pl_texts_add(&words, e->subject.argv[i]);
        pl_texts_add(&words, NULL);
        status = run_gdb((char *const *)(uintptr_t)words.text, code, error);
        pl_texts_release(&words);
    }
    if (process)
        pl_process_free(process);
    pl_strbuf_release(&wire);
    pl_strbuf_release(&script);
    pl_strbuf_release(&set);
    return status;
}
