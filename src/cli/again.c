/* The saved finding, or something else: see again.h. */
#include "cli/again.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "cli/responses.h"

static bool is_history(const struct pl_wire_check *check, const struct pl_wire_finding *f)
{
    bool shows = check->mode == PL_CHECK_SHOW || check->mode == PL_CHECK_SHOW_SERIAL;
    return shows && check->shown != PL_FINDING_NONE && f->kind == check->shown;
}

/* Under sc a history is its answers and the order of calls and returns. Under a weak model it is
 * what the whole graph lets clients see, and of publication and points it is what happens before
 * what. */
static bool rests_upon_steps(const struct pl_wire_check *check, const char *model)
{
    return !model || strcmp(model, "sc") != 0 || check->shown == PL_FINDING_UNPUBLISHED ||
           check->shown == PL_FINDING_POINT_MISMATCH;
}

char *pl_again_steps(const struct pl_wire_check *check, const char *model,
                     const struct pl_wire *wire, const struct pl_wire_finding *f)
{
    char text[32];
    if (!is_history(check, f) || !rests_upon_steps(check, model))
        return NULL;
    XXH64_state_t *state = XXH64_createState();
    PL_ASSERT(state);
    (void)XXH64_reset(state, 0);
    for (uint32_t i = 0; i < f->events; i++) {
        const struct pl_wire_event *e = &wire->event[f->first_event + i];
        const uint32_t step[] = {e->kind, e->thread, e->order, e->from};
        (void)XXH64_update(state, step, sizeof step);
    }
    (void)snprintf(text, sizeof text, "%016" PRIx64, (uint64_t)XXH64_digest(state));
    (void)XXH64_freeState(state);
    return strdup(text);
}

static void add_answer(bool returned, const char *text, struct pl_strbuf *out)
{
    if (!returned)
        pl_strbuf_add(out, "never returns");
    else
        pl_strbuf_addf(out, "%s%s", text[0] ? "answers " : "returns", text);
}

static bool same_answer(const struct pl_saved *saved, const struct pl_wire_answers *now, unsigned i,
                        struct pl_strbuf *out)
{
    const struct pl_report_check *r = &saved->report;
    bool returned = now->returned >> i & 1, had = saved->returned >> i & 1;
    char *text = returned ? pl_response_text(now->response[i], now->length[i]) : strdup("");
    PL_ASSERT(text);
    bool same = returned == had && strcmp(text, r->response[i]) == 0;
    if (!same) {
        pl_strbuf_addf(out, "%s ", r->name[i]);
        add_answer(returned, text, out);
        pl_strbuf_add(out, "; saved was: ");
        add_answer(had, r->response[i], out);
    }
    free(text);
    return same;
}

/* Does every call come after the returns that it came after in the saved history? More order than
 * that explains no more. What is before the steps that were kept comes before all of them. */
static bool keeps_order(const struct pl_saved *saved, const struct pl_wire *wire,
                        const struct pl_wire_finding *f)
{
    const unsigned count = saved->report.operations;
    uint32_t call[PL_CHECK_OPERATIONS] = {0}, ret[PL_CHECK_OPERATIONS] = {0};
    for (unsigned i = 0; i < count; i++)
        ret[i] = wire->shown.returned >> i & 1 ? 0 : UINT32_MAX;
    for (uint32_t at = 0; at < f->events; at++) {
        const struct pl_wire_event *e = &wire->event[f->first_event + at];
        if (e->kind == PL_EVENT_CALL && e->value < count)
            call[e->value] = at + 1;
        if (e->kind == PL_EVENT_RETURN && e->value < count)
            ret[e->value] = at + 1;
    }
    for (unsigned k = 0; k < count; k++)
        for (unsigned i = 0; i < count; i++)
            if ((saved->settings.check.after[k] >> i & 1) && ret[i] > call[k])
                return false;
    return true;
}

static bool same_history(const struct pl_saved *saved, const struct pl_wire *wire,
                         const struct pl_wire_finding *f, struct pl_strbuf *out)
{
    for (unsigned i = 0; i < saved->report.operations; i++)
        if (!same_answer(saved, &wire->shown, i, out))
            return false;
    char *steps = pl_again_steps(&saved->settings.check, saved->report.under, wire, f);
    bool same =
        steps ? saved->steps && strcmp(steps, saved->steps) == 0 : keeps_order(saved, wire, f);
    if (!same)
        pl_strbuf_add(out, steps ? "the answers are the same, but the steps on the way are others"
                                 : "the answers are the same, but calls and returns come in "
                                   "another order");
    free(steps);
    return same;
}

/* ---- what it is wrong by ---- */

/* Nobody reads them; the process waits for room. */
static void take_nothing(void *context, struct pl_process *p)
{
    (void)context;
    p->wire->received = __atomic_load_n(&p->wire->sent, __ATOMIC_ACQUIRE);
}

enum pl_status pl_again_serial(struct pl_execute *e, char **out, struct pl_error *error)
{
    struct pl_session session;
    struct pl_wire_options *options = malloc(sizeof *options);
    PL_ASSERT(options);
    *options = *e->options;
    options->check = e->settings->check;
    options->check.mode = PL_CHECK_ON;
    options->check.only_serial = 1;
    options->replaying = 0;
    options->replay = 0;
    const struct pl_plan plan = {.program = e->subject.built.program,
                                 .argv = e->subject.argv,
                                 .options = options,
                                 .jobs = 1,
                                 .hang_seconds = e->settings->hang_seconds,
                                 .watch = take_nothing};
    enum pl_status status = pl_session_run(&session, &plan, error);
    free(options);
    if (status)
        return status;
    char text[32];
    (void)snprintf(text, sizeof text, "%016" PRIx64, session.process[0]->wire->serial_sum);
    *out = strdup(text);
    pl_session_release(&session);
    return PL_OK;
}

static enum pl_status same_spec(struct pl_execute *e, const struct pl_saved *saved, bool changed,
                                bool *is, struct pl_strbuf *out, struct pl_error *error)
{
    char *serial = NULL;
    enum pl_status status = PL_OK;
    *is = true;
    if (!saved->spec || strcmp(saved->spec, PL_AGAIN_GIVEN) == 0)
        return PL_OK;
    if (strcmp(saved->spec, PL_AGAIN_CODE) == 0) {
        *is = !changed;
        pl_strbuf_add(out, *is ? "" : "the history is the same, but its spec may be another");
        return PL_OK;
    }
    status = pl_again_serial(e, &serial, error);
    *is = !status && strcmp(serial, saved->spec) == 0;
    if (!status && !*is)
        pl_strbuf_add(out, "the history is the same, but one at a time the calls answer "
                           "differently now");
    free(serial);
    return status;
}

enum pl_status pl_again_is_saved(struct pl_execute *e, const struct pl_saved *saved, bool changed,
                                 bool *is, struct pl_strbuf *out, struct pl_error *error)
{
    const struct pl_seen *seen = &e->session.seen[0];
    *is = true;
    if (!is_history(&saved->settings.check, seen->finding))
        return PL_OK;
    *is = same_history(saved, seen->process->wire, seen->finding, out);
    return *is ? same_spec(e, saved, changed, is, out, error) : PL_OK;
}
