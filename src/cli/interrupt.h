/*
 * Ctrl-C, SIGTERM and SIGHUP. While somebody looks for them they are only noted, and the command
 * ends in order, with what is known. Otherwise they end it, without a directory left behind;
 * SIGPIPE always does.
 */
#ifndef PL_CLI_INTERRUPT_H
#define PL_CLI_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

/* At the start of the program. A hang-up or a broken pipe that whoever called us ignores stays
 * ignored. */
void pl_interrupt_init(void);

/* From here to the call with false somebody looks for them. Nests. */
void pl_interrupt_catch(bool on);

/* Has one come? */
const volatile bool *pl_interrupt_stop(void);
/* And another, of somebody who waits no longer? */
bool pl_interrupt_again(void);

/* While on, the first is noted but does not stop anything yet: what comes is short and worth it. */
void pl_interrupt_bear(bool on);

/* Adds the signals that are noted. */
void pl_interrupt_signals(sigset_t *set);

/* A directory that is not to be left behind; kept until it is forgotten. */
void pl_interrupt_remove(char *directory);
void pl_interrupt_forget(const char *directory);

#endif
