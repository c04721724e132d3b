/* The progress line. */
#include "cli/progress.h"

#include <stdio.h>

#include "base/strbuf.h"
#include "report/report.h"

void pl_progress_show(struct pl_progress *p, double now, uint64_t executions, uint64_t findings)
{
    if (!p->on || now < p->next)
        return;
    double elapsed = now - p->started;
    struct pl_strbuf line;
    pl_strbuf_init(&line);
    pl_report_count(&line, executions);
    pl_strbuf_add(&line, " executions, ");
    pl_report_count(&line, elapsed > 0 ? (uint64_t)((double)executions / elapsed) : 0);
    pl_strbuf_add(&line, "/s, ");
    pl_report_count(&line, findings);
    pl_strbuf_add(&line, findings == 1 ? " finding" : " findings");
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
