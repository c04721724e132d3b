/*
 * A string that grows. Invariant: text is never NULL and always ends in NUL;
 * length does not count it. Ownership: release frees; detach hands the text over.
 * Running out of memory ends the tool (pl_bug): nothing useful can follow.
 */
#ifndef PL_BASE_STRBUF_H
#define PL_BASE_STRBUF_H

#include <stddef.h>

struct pl_strbuf {
    char *text;
    size_t length, room;
};

void pl_strbuf_init(struct pl_strbuf *s);
void pl_strbuf_release(struct pl_strbuf *s);
void pl_strbuf_clear(struct pl_strbuf *s);
void pl_strbuf_add(struct pl_strbuf *s, const char *text);
void pl_strbuf_add_quoted(struct pl_strbuf *s, const char *text); /* as a shell takes it */
void pl_strbuf_add_bytes(struct pl_strbuf *s, const void *bytes, size_t count);
void pl_strbuf_addf(struct pl_strbuf *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *pl_strbuf_detach(struct pl_strbuf *s); /* the caller frees */

#endif
