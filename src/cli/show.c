/* Showing a finding: see show.h. */
#include "cli/show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/save.h"

static bool coloured(const struct pl_settings *s)
{
    const char *no = getenv("NO_COLOR");
    if (s->colour)
        return s->colour == 1;
    return isatty(1) && !(no && *no);
}

enum pl_status pl_show_finding(struct pl_execute *e, const struct pl_seen *seen,
                               const char *message, size_t number, struct pl_error *error)
{
    struct pl_report report;
    json_t *saved = pl_save_make(e->settings, seen->process->wire, seen->finding, message);
    bool shown_only = seen->finding->kind == PL_FINDING_WEAK; /* nothing failed */
    char *name = shown_only ? NULL : pl_save_name(e->settings, saved, number);
    enum pl_status status = pl_execute_report(e, seen, name, &report, error);
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    if (!status) {
        pl_report_finding(&report, seen->finding, &text);
        if (name)
            status = pl_save_write(saved, text.text, name, error);
        if (status && !e->settings->save) { /* a directory we may not write in: say it, go on */
            (void)fprintf(stderr, "%s\n", error->text);
            report.saved = NULL;
            status = PL_OK;
        }
        report.colour = coloured(e->settings);
        pl_strbuf_clear(&text);
        pl_report_finding(&report, seen->finding, &text);
        (void)printf("\n%s\n", text.text);
        if (!shown_only)
            json_array_append_new(e->findings, pl_report_finding_json(&report, seen->finding));
    }
    pl_strbuf_release(&text);
    json_decref(saved);
    free(name);
    return status;
}
