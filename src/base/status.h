/*
 * What an operation of the tool came to, and the sentence that goes with it.
 *
 * Invariants: zero is fine, errors are negative. A message travels in an
 * explicit object; there is no thread-local state (thread-locals belong to the
 * subject). A verdict is not a status: "violation found" is PL_OK.
 *
 * Ownership: struct pl_error is plain memory of the caller's.
 */
#ifndef PL_BASE_STATUS_H
#define PL_BASE_STATUS_H

#define PL_STATUS_TABLE(X)                                                                         \
    X(OK, 0, "fine")                                                                               \
    X(ERR_INPUT, -1, "the call or the input is wrong")                                             \
    X(ERR_SYSTEM, -2, "the system refused")                                                        \
    X(ERR_MEMORY, -3, "out of memory")                                                             \
    X(ERR_LIMIT, -4, "a limit was reached")

enum pl_status {
#define X(name, number, text) PL_##name = (number),
    PL_STATUS_TABLE(X)
#undef X
};

struct pl_error {
    enum pl_status status;
    char text[1024]; /* one sentence, no newline at its end, names the remedy */
};

/* Sets the error and returns its status, so that `return pl_fail(...)` reads well. */
enum pl_status pl_fail(struct pl_error *error, enum pl_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "The system refused": appends strerror(errno). */
enum pl_status pl_fail_errno(struct pl_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A broken promise inside the tool: says where and aborts. Never for bad input. */
_Noreturn void pl_bug(const char *file, int line, const char *what);
#define PL_ASSERT(claim) ((claim) ? (void)0 : pl_bug(__FILE__, __LINE__, #claim))

#endif
