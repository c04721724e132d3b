/* A string that grows. */
#include "base/strbuf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

static void reserve(struct pl_strbuf *s, size_t more)
{
    if (s->length + more + 1 <= s->room)
        return;
    size_t room = s->room * 2 > s->length + more + 1 ? s->room * 2 : s->length + more + 1;
    char *text = realloc(s->text, room);
    PL_ASSERT(text);
    s->text = text;
    s->room = room;
}

void pl_strbuf_init(struct pl_strbuf *s)
{
    *s = (struct pl_strbuf){0};
    reserve(s, 63);
    s->text[0] = '\0';
}

void pl_strbuf_release(struct pl_strbuf *s)
{
    free(s->text);
    *s = (struct pl_strbuf){0};
}

void pl_strbuf_clear(struct pl_strbuf *s)
{
    s->length = 0;
    s->text[0] = '\0';
}

void pl_strbuf_add_bytes(struct pl_strbuf *s, const void *bytes, size_t count)
{
    reserve(s, count);
    memcpy(s->text + s->length, bytes, count);
    s->length += count;
    s->text[s->length] = '\0';
}

void pl_strbuf_add(struct pl_strbuf *s, const char *text)
{
    pl_strbuf_add_bytes(s, text, strlen(text));
}

void pl_strbuf_add_quoted(struct pl_strbuf *s, const char *text)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=:,+@%-";
    if (*text && text[strspn(text, plain)] == '\0') {
        pl_strbuf_add(s, text);
        return;
    }
    pl_strbuf_add(s, "'");
    for (; *text; text++)
        pl_strbuf_add_bytes(s, *text == '\'' ? "'\\''" : text, *text == '\'' ? 4 : 1);
    pl_strbuf_add(s, "'");
}

void pl_strbuf_addf(struct pl_strbuf *s, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    PL_ASSERT(length >= 0);
    reserve(s, (size_t)length);
    (void)vsnprintf(s->text + s->length, (size_t)length + 1, format, again);
    va_end(again);
    s->length += (size_t)length;
}

char *pl_strbuf_detach(struct pl_strbuf *s)
{
    char *text = s->text;
    *s = (struct pl_strbuf){0};
    return text;
}
