/* Signals that ask us to end: see interrupt.h. */
#include "cli/interrupt.h"

#include <stddef.h>
#include <unistd.h>

static const int noted[] = {SIGINT, SIGTERM, SIGHUP};
enum { NOTED = sizeof noted / sizeof *noted };

enum { DIRECTORIES = 4 }; /* `plumb stress` builds twice */
static char *directories[DIRECTORIES];

static volatile sig_atomic_t seen, borne, catching;
static volatile bool stop;

/* Only what a signal handler may call: rm does the work. */
static void end(int number)
{
    for (unsigned i = 0; i < DIRECTORIES; i++)
        if (directories[i] && fork() == 0) {
            (void)execl("/bin/rm", "rm", "-rf", "--", directories[i], (char *)NULL);
            _exit(127);
        }
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

static void on_signal(int number)
{
    if (number == SIGPIPE || !catching) {
        end(number);
        return;
    }
    seen = seen + 1;
    stop = seen > borne;
}

static void handle(int number, bool though_ignored)
{
    const struct sigaction action = {.sa_handler = on_signal};
    struct sigaction before;
    if (sigaction(number, NULL, &before) == 0 && (though_ignored || before.sa_handler != SIG_IGN))
        (void)sigaction(number, &action, NULL);
}

void pl_interrupt_init(void)
{
    for (unsigned i = 0; i < NOTED; i++)
        handle(noted[i], noted[i] != SIGHUP);
    handle(SIGPIPE, false);
}

void pl_interrupt_catch(bool on)
{
    catching = on ? catching + 1 : catching - 1;
}

const volatile bool *pl_interrupt_stop(void)
{
    return &stop;
}

bool pl_interrupt_again(void)
{
    return seen > borne + 1;
}

void pl_interrupt_bear(bool on)
{
    borne = on;
    stop = seen > borne;
}

void pl_interrupt_signals(sigset_t *set)
{
    for (unsigned i = 0; i < NOTED; i++)
        (void)sigaddset(set, noted[i]);
}

static void put(const char *from, char *to)
{
    for (unsigned i = 0; i < DIRECTORIES; i++)
        if (directories[i] == from) {
            directories[i] = to;
            return;
        }
}

void pl_interrupt_remove(char *directory)
{
    put(NULL, directory);
}

void pl_interrupt_forget(const char *directory)
{
    put(directory, NULL);
}
