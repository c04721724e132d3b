/* The same for machines. The names are those of DESIGN 4.7 and never change. */
#include <stdlib.h>
#include <string.h>

#include "report/view.h"

/* Text of the subject's may be any bytes; JSON is UTF-8. */
static json_t *text_json(const char *text, size_t length)
{
    json_t *string = json_stringn(text, length);
    if (string)
        return string;
    struct pl_strbuf clean;
    pl_strbuf_init(&clean);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < 128)
            pl_strbuf_add_bytes(&clean, &text[i], 1);
        else
            pl_strbuf_add(&clean, "?");
    string = json_stringn(clean.text, clean.length);
    pl_strbuf_release(&clean);
    return string;
}

static json_t *frame_json(const struct pl_frame *f)
{
    json_t *object = json_object();
    json_object_set_new(object, "function", text_json(f->function, strlen(f->function)));
    if (f->file) {
        json_object_set_new(object, "file", text_json(f->file, strlen(f->file)));
        json_object_set_new(object, "line", json_integer(f->line));
        if (f->column)
            json_object_set_new(object, "column", json_integer(f->column));
    } else if (f->module) {
        json_object_set_new(object, "module", text_json(f->module, strlen(f->module)));
    }
    if (f->inlined)
        json_object_set_new(object, "inlined", json_true());
    return object;
}

static void add_stack(const struct view *view, json_t *stacks, const char *role, unsigned thread,
                      uint32_t index)
{
    if (!index)
        return;
    struct stack stack;
    stack_read(view->report, index, &stack);
    json_t *frames = json_array();
    for (size_t i = 0; i < stack.count; i++)
        json_array_append_new(frames, frame_json(&stack.frame[i]));
    json_array_append_new(stacks, json_pack("{s:s, s:i, s:o}", "role", role, "thread",
                                            (int)view_thread(view, thread), "frames", frames));
}

static json_t *stacks_json(const struct view *view)
{
    const struct pl_wire_finding *f = view->finding;
    json_t *stacks = json_array();
    add_stack(view, stacks, "access", f->thread, f->stack);
    add_stack(view, stacks, "other", f->other_thread, f->other_stack);
    add_stack(view, stacks, "free", f->free_thread, f->free_stack);
    add_stack(view, stacks, "allocation", f->alloc_thread, f->alloc_stack);
    for (unsigned t = 0; t < PL_MAX_THREADS; t++)
        if (f->blocked >> t & 1)
            add_stack(view, stacks, "blocked", t, f->waits_stack[t]);
    return stacks;
}

static json_t *event_json(struct view *view, uint32_t i)
{
    const struct pl_wire_event *e = &view->events[i];
    json_t *object = json_object();
    struct stack stack;
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    json_object_set_new(object, "step", json_integer((json_int_t)view->finding->dropped + i + 1));
    json_object_set_new(object, "thread", json_integer(view_thread(view, e->thread)));
    json_object_set_new(object, "kind", json_string(event_word(e->kind)));
    stack_read(view->report, e->stack, &stack);
    const struct pl_frame *frame = stack_blame(&stack);
    if (frame && frame->file) {
        json_object_set_new(object, "file", text_json(frame->file, strlen(frame->file)));
        json_object_set_new(object, "line", json_integer(frame->line));
    }
    if (e->address) {
        enum pl_value ignored;
        struct block *block = view_block(view, i, e->address);
        bool whole = e->kind == PL_EVENT_MALLOC || e->kind == PL_EVENT_FREE;
        if (whole && block && block->start == e->address)
            view_block_name(view, block, &text);
        else
            view_place(view, i, e->address, e->size, &text, &ignored);
        json_object_set_new(object, "place", text_json(text.text, text.length));
        pl_strbuf_clear(&text);
    }
    if (order_word(e->order))
        json_object_set_new(object, "order", json_string(order_word(e->order)));
    if (e->from)
        json_object_set_new(object, e->kind == PL_EVENT_STORE ? "overwritten_by" : "from",
                            json_integer((json_int_t)view->finding->dropped + e->from));
    if (e->flags & PL_EVENT_F_SWITCH)
        json_object_set_new(object, "preemption", json_true());
    event_text(view, i, &text);
    json_object_set_new(object, "text", text_json(text.text, text.length));
    pl_strbuf_release(&text);
    return object;
}

static json_t *trace_json(struct view *view)
{
    json_t *trace = json_array();
    bool *keep = calloc(view->count + 1, sizeof *keep);
    bool *quiet = calloc(view->count + 1, sizeof *quiet);
    PL_ASSERT(keep && quiet);
    trace_select(view, keep, quiet);
    for (uint32_t i = 0; i < view->count; i++)
        if (keep[i])
            json_array_append_new(trace, event_json(view, i));
    free(quiet);
    free(keep);
    return trace;
}

static json_t *threads_json(const struct view *view)
{
    const struct pl_wire_finding *f = view->finding;
    json_t *threads = json_array();
    if (pl_finding_is_stuck(f->kind)) {
        for (unsigned t = 0; t < PL_MAX_THREADS; t++)
            if (f->blocked >> t & 1)
                json_array_append_new(threads, json_integer(view_thread(view, t)));
        return threads;
    }
    json_array_append_new(threads, json_integer(view_thread(view, f->thread)));
    if (f->other_stack && f->other_thread != f->thread)
        json_array_append_new(threads, json_integer(view_thread(view, f->other_thread)));
    return threads;
}

/* Lines of a text, without what they are indented by. */
static json_t *lines_json(const char *text)
{
    json_t *lines = json_array();
    while (*text) {
        size_t length = strcspn(text, "\n"), blanks = strspn(text, " ");
        if (blanks < length)
            json_array_append_new(lines, text_json(text + blanks, length - blanks));
        text += length + (text[length] == '\n');
    }
    return lines;
}

/* The calls of the test with what they answered, their history, why it is wrong. */
static void add_history(json_t *object, const struct pl_report_check *c)
{
    if (!c->why)
        return;
    json_t *calls = json_array(), *history = json_array();
    for (unsigned i = 0; i < c->operations; i++) {
        json_t *call = json_object();
        json_object_set_new(call, "call", text_json(c->name[i], strlen(c->name[i])));
        json_object_set_new(call, "thread", json_integer(c->thread[i]));
        json_object_set_new(call, "returned", json_boolean(c->returned >> i & 1));
        if (c->response[i][0])
            json_object_set_new(call, "answer", text_json(c->response[i], strlen(c->response[i])));
        json_array_append_new(calls, call);
    }
    for (unsigned k = 0; k < c->events; k++)
        json_array_append_new(
            history, json_pack("{s:i}", c->event[k] & 1 ? "return" : "call", c->event[k] / 2));
    json_object_set_new(object, "calls", calls);
    if (c->events)
        json_object_set_new(object, "history", history);
    else
        json_decref(history);
    json_object_set_new(object, "why", lines_json(c->why));
}

json_t *pl_report_finding_json(const struct pl_report *report,
                               const struct pl_wire_finding *finding)
{
    struct view view;
    struct stack stack;
    struct pl_strbuf text;
    view_init(&view, report, finding);
    pl_strbuf_init(&text);
    message_add(&view, &text);
    json_t *object = json_object();
    json_object_set_new(object, "kind", json_string(pl_finding_text(finding->kind)));
    json_object_set_new(object, "message", text_json(text.text, text.length));
    stack_read(report, message_stack(finding), &stack);
    const struct pl_frame *frame = stack_blame(&stack);
    if (frame && frame->file) {
        json_object_set_new(object, "file", text_json(frame->file, strlen(frame->file)));
        json_object_set_new(object, "line", json_integer(frame->line));
    }
    json_object_set_new(object, "execution", json_integer((json_int_t)finding->execution));
    json_object_set_new(object, "threads", threads_json(&view));
    json_object_set_new(object, "stacks", stacks_json(&view));
    json_object_set_new(object, "trace", trace_json(&view));
    if (finding->output_length)
        json_object_set_new(
            object, "output",
            text_json((const char *)&report->wire->byte[finding->output], finding->output_length));
    if (!finding->dropped)
        json_object_set_new(object, "preemptions", json_integer(view_preemptions(&view)));
    if (finding->flags & (PL_FINDING_F_SC | PL_FINDING_F_NOT_SC))
        json_object_set_new(object, "under_sc", json_boolean(finding->flags & PL_FINDING_F_SC));
    if (finding->flags & PL_FINDING_F_UNSTABLE)
        json_object_set_new(object, "unstable", json_true());
    if (report->saved)
        json_object_set_new(object, "saved", text_json(report->saved, strlen(report->saved)));
    if (report->check)
        json_object_set_new(object, "test",
                            text_json(report->check->test, strlen(report->check->test)));
    if (report->check)
        add_history(object, report->check);
    if (report->check && report->check->under)
        json_object_set_new(object, "model", json_string(report->check->under));
    if (report->check && json_array_size(report->check->suggestions))
        json_object_set(object, "suggestions", report->check->suggestions);
    pl_strbuf_release(&text);
    view_release(&view);
    return object;
}

static json_t *suppressed_json(const struct pl_outcome *o)
{
    json_t *array = json_array();
    for (size_t i = 0; i < o->suppression_count; i++) {
        const struct pl_report_suppression *rule = &o->suppressions[i];
        json_array_append_new(array, json_pack("{s:o, s:o, s:i, s:I}", "rule",
                                               text_json(rule->text, strlen(rule->text)), "file",
                                               text_json(rule->file, strlen(rule->file)), "line",
                                               rule->line, "count", (json_int_t)rule->count));
    }
    return array;
}

json_t *pl_outcome_json(const struct pl_outcome *o)
{
    const bool ran = o->verdict != PL_VERDICT_ERROR || o->executions;
    const json_int_t tests = o->tests ? (json_int_t)o->tests : ran; /* a program is one */
    json_t *object = json_object();
    json_object_set_new(object, "verdict", json_string(pl_verdict_text(o->verdict)));
    if (o->coverage)
        json_object_set_new(object, "coverage", json_string(o->coverage));
    json_object_set_new(object, "command", json_string(o->command));
    if (!o->model || *o->model)
        json_object_set_new(object, "model", json_string(o->model ? o->model : "sc"));
    json_object_set_new(object, "tests", json_integer(tests));
    json_object_set_new(object, "histories", json_integer((json_int_t)o->histories));
    json_object_set_new(object, "executions", json_integer((json_int_t)o->executions));
    json_object_set_new(object, "blocked", json_integer((json_int_t)o->blocked));
    json_object_set_new(object, "cut", json_integer((json_int_t)o->cut));
    json_object_set_new(object, "steps", json_integer((json_int_t)o->steps));
    json_object_set_new(object, "threads", json_integer((json_int_t)o->threads));
    json_object_set_new(object, "seconds", json_real(o->seconds));
    if (o->robust)
        json_object_set_new(object, "robust", json_string(o->robust));
    json_object_set_new(object, "seed", json_integer((json_int_t)o->seed));
    if (o->estimate > 0)
        json_object_set_new(object, "estimate",
                            json_pack("{s:I, s:I, s:I}", "executions", (json_int_t)o->estimate,
                                      "low", (json_int_t)o->estimate_low, "high",
                                      (json_int_t)o->estimate_high));
    if (o->preemptions >= 0) {
        json_object_set_new(object, "preemptions", json_integer(o->preemptions));
        json_object_set_new(object, "bound", json_integer((json_int_t)o->bound));
    }
    if (o->chance > 0)
        json_object_set_new(object, "chance", json_real(o->chance));
    json_t *first = json_array_get(o->findings, 0);
    json_object_set_new(object, "message",
                        first ? json_incref(json_object_get(first, "message"))
                              : text_json(o->message, strlen(o->message)));
    if (o->diagnostics && *o->diagnostics)
        json_object_set_new(object, "diagnostics",
                            text_json(o->diagnostics, strlen(o->diagnostics)));
    if (first)
        json_object_set_new(
            object, "violation",
            json_pack("{s:O, s:O, s:O*, s:O*}", "kind", json_object_get(first, "kind"), "message",
                      json_object_get(first, "message"), "test", json_object_get(first, "test"),
                      "suggestions", json_object_get(first, "suggestions")));
    json_object_set_new(object, "findings", o->findings ? json_incref(o->findings) : json_array());
    if (o->more)
        (void)json_object_update(object, o->more);
    json_object_set_new(object, "suppressed", suppressed_json(o));
    json_object_set_new(object, "warnings", o->warnings ? json_incref(o->warnings) : json_array());
    return object;
}
