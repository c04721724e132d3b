/* Reading a history file: which format, and to the end. */
#include "history/read.h"

#include <string.h>

#include "history/builder.h"

/* Goes on to the first character that is none of these; at the end of the input: none is left. A
   pipe may bring them one by one. */
static enum pl_status pass(struct pl_input *in, size_t *i, const char *these,
                           struct pl_error *error)
{
    enum pl_status status = PL_OK;
    for (;;) {
        while (*i < in->end && in->text[*i] && strchr(these, in->text[*i]))
            ++*i;
        if (status || *i < in->end || in->ended)
            return status;
        status = pl_input_more(in, error);
    }
}

/* From the first character that is not blank or part of a comment. */
static enum pl_status detect(struct pl_input *in, enum pl_format *out, struct pl_error *error)
{
    size_t i = 0;
    enum pl_status status = pass(in, &i, " \t\r\n,", error);
    char c = in->text[i]; /* the window ends with a zero */
    bool json = c == '[' || c == '{', edn = c == ';' || c == '(';
    if (!status && json) { /* the first key tells: {:process … or {"thread" … */
        status = pass(in, &i, "[{ \t\r\n", error);
        edn = in->text[i] && strchr(":#;", in->text[i]);
    } else if (!status && c == '#') { /* a tag, or a comment of ours */
        i++;
        status = pass(in, &i, "", error);
        edn = in->text[i] && strchr("jcoi{", in->text[i]);
    }
    *out = edn ? PL_FORMAT_EDN : json ? PL_FORMAT_JSON : PL_FORMAT_TEXT;
    return status;
}

/* The mark of UTF-8 that some editors begin a file with is not part of it. */
static enum pl_status pass_mark(struct pl_input *in, struct pl_error *error)
{
    static const char mark[] = "\xef\xbb\xbf";
    enum { LENGTH = sizeof mark - 1 };
    enum pl_status status = pl_input_more(in, error);
    while (!status && !in->ended && in->end < LENGTH && in->text[0] == mark[0])
        status = pl_input_more(in, error);
    if (!status && in->end >= LENGTH && memcmp(in->text, mark, LENGTH) == 0) {
        in->end -= LENGTH;
        memmove(in->text, in->text + LENGTH, in->end + 1); /* with the zero */
    }
    return status;
}

enum pl_status pl_history_read(struct pl_history *out, const char *file, const struct pl_read *how,
                               enum pl_format *found, struct pl_error *error)
{
    struct pl_input input;
    struct pl_builder builder;
    enum pl_format format = how->format;
    pl_history_init(out);
    enum pl_status status = pl_input_open(&input, file, error);
    if (status) {
        pl_history_release(out);
        return status;
    }
    input.stop = how->stop;
    pl_builder_init(&builder, out, how, &input, error);
    status = pl_names_make(&builder.names, how->words, how->map, error);
    if (!status)
        status = pass_mark(&input, error);
    if (!status && format == PL_FORMAT_AUTO)
        status = detect(&input, &format, error);
    if (!status)
        status = format == PL_FORMAT_TEXT ? pl_read_text(&builder)
                                          : pl_read_records(&builder, format == PL_FORMAT_EDN);
    if (!status)
        status = pl_builder_finish(&builder);
    *found = format;
    pl_builder_release(&builder);
    pl_input_close(&input);
    if (status)
        pl_history_release(out);
    return status;
}
