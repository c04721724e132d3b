/* The report of one finding: sentence, stacks, interleaving, output, how to see it again. */
#include <string.h>

#include "report/view.h"

static void section(struct view *view, struct pl_strbuf *out, const char *what, unsigned thread,
                    uint32_t stack)
{
    if (!stack)
        return;
    pl_strbuf_add(out, "\n    ");
    view_add_thread(view, thread, out);
    pl_strbuf_addf(out, " %s\n", what);
    stack_print(view, stack, out);
}

static void access_words(const struct view *view, bool write, bool atomic, uint32_t event,
                         const char *ending, struct pl_strbuf *out)
{
    const char *order =
        event && event <= view->count ? order_word(view->events[event - 1].order) : NULL;
    pl_strbuf_add(out, write ? "writes" : "reads");
    if (atomic)
        pl_strbuf_addf(out, " atomically%s%s%s", order ? " (" : "", order ? order : "",
                       order ? ")" : "");
    pl_strbuf_add(out, ending);
}

static void race_sections(struct view *view, struct pl_strbuf *out)
{
    const struct pl_wire_finding *f = view->finding;
    struct pl_strbuf words;
    pl_strbuf_init(&words);
    access_words(view, f->flags & PL_FINDING_F_WRITE, f->flags & PL_FINDING_F_ATOMIC, f->this_event,
                 ":", &words);
    section(view, out, words.text, f->thread, f->stack);
    pl_strbuf_clear(&words);
    access_words(view, f->flags & PL_FINDING_F_OTHER_WRITE, f->flags & PL_FINDING_F_OTHER_ATOMIC,
                 f->other_event, ", earlier:", &words);
    section(view, out, words.text, f->other_thread, f->other_stack);
    pl_strbuf_release(&words);
    section(view, out, "allocated it:", f->alloc_thread, f->alloc_stack);
}

static void deadlock_sections(struct view *view, struct pl_strbuf *out)
{
    const struct pl_wire_finding *f = view->finding;
    struct pl_strbuf words;
    pl_strbuf_init(&words);
    for (unsigned t = 0; t < PL_MAX_THREADS; t++) {
        enum pl_value ignored;
        if (!(f->blocked >> t & 1))
            continue;
        pl_strbuf_clear(&words);
        pl_strbuf_addf(&words, "is blocked in %s", event_word(f->waits_kind[t]));
        if (f->waits_kind[t] == PL_EVENT_JOIN && f->waits_for[t]) {
            pl_strbuf_addf(&words, " %u", view_thread(view, f->waits_for[t] - 1));
        } else if (f->waits_at[t]) {
            pl_strbuf_add(&words, " ");
            view_place(view, view->count, f->waits_at[t], 0, &words, &ignored);
            if (f->waits_for[t]) {
                pl_strbuf_add(&words, ", held by ");
                view_add_thread(view, f->waits_for[t] - 1, &words);
            }
        }
        pl_strbuf_add(&words, ":");
        section(view, out, words.text, t, f->waits_stack[t]);
    }
    pl_strbuf_release(&words);
}

static void sections(struct view *view, struct pl_strbuf *out)
{
    const struct pl_wire_finding *f = view->finding;
    switch ((enum pl_finding_kind)f->kind) {
    case PL_FINDING_DATA_RACE:
        race_sections(view, out);
        return;
    case PL_FINDING_DEADLOCK:
    case PL_FINDING_LIVELOCK:
        deadlock_sections(view, out);
        return;
    case PL_FINDING_DOUBLE_FREE:
    case PL_FINDING_INVALID_FREE:
        section(view, out, "frees it:", f->thread, f->stack);
        break;
    case PL_FINDING_USE_AFTER_FREE:
        if ((f->flags & PL_FINDING_F_UNORDERED) && f->free_stack) {
            section(view, out, "frees it:", f->thread, f->stack);
            section(view, out,
                    f->flags & PL_FINDING_F_OTHER_WRITE ? "writes, earlier:" : "reads, earlier:",
                    f->other_thread, f->other_stack);
            section(view, out, "allocated it:", f->alloc_thread, f->alloc_stack);
            return;
        }
        section(view, out, f->flags & PL_FINDING_F_WRITE ? "writes:" : "reads:", f->thread,
                f->stack);
        break;
    case PL_FINDING_UNINITIALISED_READ:
    case PL_FINDING_OUT_OF_BOUNDS:
        section(view, out, f->flags & PL_FINDING_F_WRITE ? "writes:" : "reads:", f->thread,
                f->stack);
        break;
    case PL_FINDING_LEAK:
        break;
    case PL_FINDING_NOT_LINEARIZABLE:
    case PL_FINDING_NOT_QUASI_LINEARIZABLE:
    case PL_FINDING_POINT_MISMATCH:
    case PL_FINDING_STUCK:
    case PL_FINDING_NONDETERMINISTIC:
    case PL_FINDING_UNPUBLISHED:
    case PL_FINDING_INVARIANT:
    case PL_FINDING_WEAK:
        return;
    case PL_FINDING_NONE:
    case PL_FINDING_HANG:
    case PL_FINDING_ASSERTION:
    case PL_FINDING_CRASH:
    case PL_FINDING_STACK_OVERFLOW:
    case PL_FINDING_EXIT:
    case PL_FINDING_COUNT:
        section(view, out, "is here:", f->thread, f->stack);
        break;
    }
    section(view, out,
            f->kind == PL_FINDING_DOUBLE_FREE ? "freed it before:" : "freed it:", f->free_thread,
            f->free_stack);
    section(view, out, "allocated it:", f->alloc_thread, f->alloc_stack);
}

static void interleaving(struct view *view, struct pl_strbuf *out)
{
    unsigned preemptions = view_preemptions(view);
    if (!view->count)
        return;
    pl_strbuf_addf(out, "\n    How it happens (execution %llu, %u preemption%s):\n",
                   (unsigned long long)view->finding->execution, preemptions,
                   preemptions == 1 ? "" : "s");
    trace_print(view, out);
}

/* What the subject wrote, indented; bytes that would upset a terminal are escaped. */
static void output(const struct view *view, struct pl_strbuf *out)
{
    const struct pl_wire_finding *f = view->finding;
    if (!f->output_length || f->output + (uint64_t)f->output_length > PL_MAX_BYTES)
        return;
    const uint8_t *text = &view->wire->byte[f->output];
    pl_strbuf_add(out, "\n    Its output:\n");
    bool start = true;
    for (uint32_t i = 0; i < f->output_length; i++) {
        if (start)
            pl_strbuf_add(out, "      | ");
        start = text[i] == '\n';
        if ((text[i] < 32 && text[i] != '\n' && text[i] != '\t') || text[i] == 127)
            pl_strbuf_addf(out, "\\x%02x", text[i]);
        else
            pl_strbuf_add_bytes(out, &text[i], 1);
    }
    if (!start)
        pl_strbuf_add(out, "\n");
}

void pl_report_finding(const struct pl_report *report, const struct pl_wire_finding *finding,
                       struct pl_strbuf *out)
{
    struct view view;
    view_init(&view, report, finding);
    colour_add(report, COLOUR_HEADLINE, out);
    pl_strbuf_add(out, pl_finding_headline(finding->kind));
    if (report->check && report->check->under)
        pl_strbuf_addf(out, " under %s", report->check->under);
    colour_add(report, COLOUR_END, out);
    pl_strbuf_add(out, "\n");
    colour_add(report, COLOUR_STRONG, out);
    message_add(&view, out);
    colour_add(report, COLOUR_END, out);
    pl_strbuf_add(out, "\n");
    if (finding->flags & PL_FINDING_F_UNSTABLE)
        pl_strbuf_add(out,
                      "    It did not show again when the same execution was run a second time: "
                      "the program depends on something outside our control.\n");
    if (finding->flags & PL_FINDING_F_SC)
        pl_strbuf_add(out, "    Under sc, too.\n");
    if (finding->flags & PL_FINDING_F_NOT_SC)
        pl_strbuf_add(out, "    Not under sc: it takes a weaker memory model.\n");
    if (report->check)
        pl_strbuf_add(out, report->check->details);
    sections(&view, out);
    interleaving(&view, out);
    output(&view, out);
    if (report->check && report->check->ending)
        pl_strbuf_add(out, report->check->ending);
    if (report->saved) {
        pl_strbuf_add(out, "\n    Again:   plumb replay ");
        pl_strbuf_add_quoted(out, report->saved);
        pl_strbuf_add(out, "\n    In gdb:  plumb replay --gdb ");
        pl_strbuf_add_quoted(out, report->saved);
        pl_strbuf_add(out, "\n");
    }
    view_release(&view);
}
