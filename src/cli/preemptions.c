/* Going from bound to bound: preemptions.h. */
#include "cli/preemptions.h"

/* Is this bound the last to look at? */
static bool is_over(const struct pl_session *s)
{
    return s->findings || s->refused || s->interrupted || s->out_of_time || !s->exhausted ||
           !s->beyond;
}

enum pl_status pl_preemptions_run(struct pl_execute *e, struct pl_error *error)
{
    uint64_t most = e->settings->preemptions;
    double spent = 0;
    enum pl_status status = PL_OK;
    for (uint64_t bound = 0; bound <= most && !status; bound++) {
        /* A finding ends an execution early, and what would have come of it is not explored; so
         * at last one is shown even if it needs more than the bound. */
        e->options->preemptions = (uint32_t)bound + 1;
        e->options->beyond_too = bound == most;
        e->bound = bound;
        e->spent = spent;
        if (bound)
            pl_session_release(&e->session);
        status = pl_execute_run(e, NULL, error);
        if (status)
            return status;
        spent += e->session.took_seconds;
        if (is_over(&e->session))
            break;
    }
    e->session.took_seconds = spent;
    return status;
}

static void add_number(struct pl_strbuf *out, uint64_t n)
{
    if (n)
        pl_strbuf_addf(out, "%llu", (unsigned long long)n);
    else
        pl_strbuf_add(out, "no");
    pl_strbuf_addf(out, " preemption%s", n == 1 ? "" : "s");
}

void pl_preemptions_add(const struct pl_execute *e, struct pl_strbuf *out)
{
    if (e->session.exhausted && !e->session.beyond)
        return;
    pl_strbuf_add(out, e->bound ? " with at most " : " with ");
    add_number(out, e->bound);
}

void pl_preemptions_found(const struct pl_execute *e, struct pl_strbuf *out)
{
    const json_t *first = json_array_get(e->findings, 0);
    const json_t *number = json_object_get(first, "preemptions");
    if (!e->settings->preemptions_given || !number)
        return;
    uint64_t needed = (uint64_t)json_integer_value(number);
    pl_strbuf_add(out, " with ");
    add_number(out, needed);
    if (needed && needed == e->bound)
        pl_strbuf_add(out, ", none with fewer");
    if (needed > e->settings->preemptions)
        pl_strbuf_add(out, ", more than asked for");
}
