/* Escape sequences, only when asked for. */
#include "report/view.h"

void colour_add(const struct pl_report *report, enum colour colour, struct pl_strbuf *out)
{
    static const char *const sequence[] = {
        [COLOUR_HEADLINE] = "\033[1;31m",
        [COLOUR_STRONG] = "\033[1m",
        [COLOUR_DIM] = "\033[2m",
        [COLOUR_END] = "\033[0m",
    };
    if (report->colour)
        pl_strbuf_add(out, sequence[colour]);
}
