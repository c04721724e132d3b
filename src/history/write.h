/* Writing our text format: what pl_history_read reads. */
#ifndef PL_HISTORY_WRITE_H
#define PL_HISTORY_WRITE_H

#include "history/words.h"

/* One line each, with its newline. The answer stands in for the recorded result. */
void pl_write_call(const struct pl_history *history, const struct pl_vocabulary *words,
                   const struct pl_operation *operation, bool keyed, struct pl_strbuf *out);
void pl_write_return(const struct pl_history *history, const struct pl_vocabulary *words,
                     const struct pl_operation *operation, pl_value answer, struct pl_strbuf *out);

/* The name of a thread as its file has it. */
void pl_write_thread(const struct pl_history *history, uint32_t thread, struct pl_strbuf *out);

#endif
