/* A process that answers: see answerer.h. */
#include "cli/answerer.h"

#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "result/finding.h"

enum { PATIENCE_MS = 50 };

enum pl_status pl_answerer_fail(struct pl_answerer *a, const char *shown, const char *what)
{
    if (!a->failed)
        (void)pl_fail(&a->error, PL_ERR_INPUT, "%s: %.600s%s%.300s", a->title, shown,
                      shown[0] ? " " : "", what);
    a->failed = true;
    return a->error.status;
}

bool pl_answerer_is_ours(const struct pl_answerer *a)
{
    return a->process && a->owner == getpid();
}

enum pl_status pl_answerer_start(struct pl_answerer *a)
{
    a->owner = getpid();
    a->process = NULL;
    enum pl_status status = pl_process_new(&a->process, NULL, a->options, NULL, &a->error);
    if (!status)
        status = pl_process_start(a->process, a->program, a->argv, &a->error);
    a->failed = status != PL_OK;
    return status;
}

/* Its last words. */
static enum pl_status has_ended(struct pl_answerer *a, const char *shown)
{
    struct pl_process *p = a->process;
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    if (p->wire->findings)
        pl_strbuf_addf(&text, "ends in an error (%s)",
                       pl_finding_text((enum pl_finding_kind)p->wire->finding[0].kind));
    else if (WIFSIGNALED(p->status))
        pl_strbuf_addf(&text, "crashes (%s)", strsignal(WTERMSIG(p->status)));
    else
        pl_strbuf_add(&text, "ends its process");
    pl_process_errors(p, &text);
    enum pl_status status = pl_answerer_fail(a, shown, text.text);
    pl_strbuf_release(&text);
    return status;
}

/* Why there is no answer; PL_OK: not known yet. */
static enum pl_status look_at_process(struct pl_answerer *a, const char *shown, double cpu_before)
{
    struct pl_process *p = a->process;
    if (p->wire->error[0])
        return pl_answerer_fail(a, "", p->wire->error);
    if (pl_process_poll(p))
        return has_ended(a, shown);
    if (pl_process_cpu_seconds(p) - cpu_before > a->hang_seconds)
        return pl_answerer_fail(a, shown, "never returns");
    return PL_OK;
}

enum pl_status pl_answerer_ask(struct pl_answerer *a, const char *shown)
{
    const struct timespec patience = {.tv_nsec = PATIENCE_MS * 1000000};
    if (a->failed)
        return a->error.status;
    struct pl_wire_question *q = &a->process->wire->question;
    uint32_t number = q->asked + 1;
    double before = pl_process_cpu_seconds(a->process);
    __atomic_store_n(&q->asked, number, __ATOMIC_RELEASE);
    (void)syscall(SYS_futex, &q->asked, FUTEX_WAKE, 1, NULL, NULL, 0);
    while (__atomic_load_n(&q->answered, __ATOMIC_ACQUIRE) != number) {
        if (syscall(SYS_futex, &q->answered, FUTEX_WAIT, number - 1, &patience, NULL, 0) == 0)
            continue;
        if (__atomic_load_n(&q->answered, __ATOMIC_ACQUIRE) != number &&
            look_at_process(a, shown, before))
            return a->error.status;
    }
    return PL_OK;
}

void pl_answerer_release(struct pl_answerer *a)
{
    if (pl_answerer_is_ours(a))
        pl_process_free(a->process);
    a->process = NULL;
}
