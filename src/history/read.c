/* Reading a history file: which format, and to the end. */
#include "history/read.h"

#include <string.h>

#include "history/builder.h"

/* From the first character that is not blank or part of a comment. */
static enum pl_status detect(struct pl_input *in, enum pl_format *out, struct pl_error *error)
{
    size_t i = 0;
    for (;;) {
        while (i < in->end && strchr(" \t\r\n,", in->text[i]))
            i++;
        if (i < in->end)
            break;
        if (in->ended) {
            *out = PL_FORMAT_TEXT;
            return PL_OK;
        }
        enum pl_status status = pl_input_more(in, error);
        if (status)
            return status;
    }
    /* A bracket: the first key tells. {:process … or {"thread" … */
    bool edn = in->text[i] == ';' || in->text[i] == '(' ||
               (in->text[i] == '#' && i + 1 < in->end && strchr("jcoi{", in->text[i + 1]));
    bool json = false;
    if (in->text[i] == '[' || in->text[i] == '{') {
        json = true;
        while (i < in->end && strchr("[{ \t\r\n", in->text[i]))
            i++;
        edn = i < in->end && strchr(":#;", in->text[i]) != NULL;
    }
    *out = edn ? PL_FORMAT_EDN : json ? PL_FORMAT_JSON : PL_FORMAT_TEXT;
    return PL_OK;
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
        status = pl_input_more(&input, error);
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
