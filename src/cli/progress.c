/* The progress line. */
#include "cli/progress.h"

#include <stdio.h>

#include "base/strbuf.h"
#include "report/report.h"

void pl_estimate_text(const struct pl_estimate *e, struct pl_strbuf *out)
{
    pl_report_count(out, (uint64_t)e->executions);
    pl_strbuf_add(out, " in all (");
    pl_report_count(out, (uint64_t)e->low);
    pl_strbuf_add(out, " to ");
    pl_report_count(out, (uint64_t)e->high);
    pl_strbuf_add(out, ")");
}

void pl_progress_show(struct pl_progress *p, double now, const struct pl_so_far *so_far)
{
    uint64_t executions = so_far->executions, findings = so_far->findings;
    if (!p->on || now < p->next)
        return;
    double elapsed = now - p->started;
    struct pl_strbuf line;
    pl_strbuf_init(&line);
    pl_report_count(&line, executions);
    pl_strbuf_add(&line, " executions, ");
    pl_report_count(&line,
                    elapsed > 0 ? (uint64_t)((double)(executions - p->before) / elapsed) : 0);
    pl_strbuf_add(&line, "/s, ");
    pl_report_count(&line, findings);
    pl_strbuf_add(&line, findings == 1 ? " finding" : " findings");
    if (so_far->blocked || so_far->depth) {
        pl_strbuf_add(&line, ", ");
        pl_report_count(&line, so_far->blocked);
        pl_strbuf_add(&line, " blocked");
    }
    if (so_far->depth) {
        pl_strbuf_add(&line, ", depth ");
        pl_report_count(&line, so_far->depth);
    }
    if (so_far->estimate.executions > 0) {
        pl_strbuf_add(&line, "; about ");
        pl_estimate_text(&so_far->estimate, &line);
    }
    (void)fprintf(stderr, "\r\033[K%s", line.text);
    (void)fflush(stderr);
    pl_strbuf_release(&line);
    p->shown = true;
    p->next = now + 0.1;
}

void pl_progress_clear(struct pl_progress *p)
{
    if (p->shown)
        (void)fputs("\r\033[K", stderr);
    p->shown = false;
}
