/* Stacks of the wire -> frames, and how they are printed. */
#include <string.h>

#include "report/view.h"

size_t stack_addresses(const struct pl_wire *wire, uint32_t index, uint64_t *out, size_t room)
{
    if (index == 0 || index >= PL_MAX_STACK_WORDS)
        return 0;
    uint64_t word = wire->stack[index];
    bool exact = word & PL_STACK_EXACT;
    size_t depth = (size_t)(word & (PL_STACK_EXACT - 1));
    if (depth > room)
        depth = room;
    if (depth > PL_MAX_STACK_WORDS - 1 - index)
        depth = PL_MAX_STACK_WORDS - 1 - index;
    for (size_t i = 0; i < depth; i++) {
        uint64_t address = wire->stack[index + 1 + i];
        out[i] = address - (i > 0 || !exact);
    }
    return depth;
}

/* What makes the calls of a check, and records what they answer. */
static bool of_driver(const struct pl_frame *frame)
{
    return strcmp(frame->file, "the driver") == 0 || strstr(frame->file, "/include/plumb/");
}

static bool of_system(const struct pl_frame *frame)
{
    return !frame->file || strncmp(frame->file, "/usr/", 5) == 0 || of_driver(frame);
}

/* The functions of the driver that hold what the user has written, by what that is. */
static void name_driver(struct pl_frame *frame)
{
    static const char *const names[][2] = {
        {"plumb_given_", "(call)"},
        {"plumb_operation_", "(call)"},
        {"plumb_setup", "(setup)"},
        {"plumb_teardown", "(teardown)"},
        {"plumb_thread_setup", "(thread setup)"},
        {"plumb_thread_teardown", "(thread teardown)"},
        {"plumb_invariant", "(invariant)"},
        {"plumb_subject_setup", "(setup)"},
        {"plumb_subject_teardown", "(teardown)"},
        {"plumb_subject_thread_setup", "(thread setup)"},
        {"plumb_subject_thread_teardown", "(thread teardown)"},
        {"plumb_subject_invariant", "(invariant)"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(frame->function, names[i][0], strlen(names[i][0])) == 0)
            frame->function = names[i][1];
}

void stack_read(const struct pl_report *report, uint32_t index, struct stack *out)
{
    uint64_t addresses[PL_MAX_DEPTH];
    size_t depth = stack_addresses(report->wire, index, addresses, PL_MAX_DEPTH);
    size_t room = sizeof out->frame / sizeof out->frame[0];
    out->count = 0;
    for (size_t i = 0; i < depth && out->count < room; i++)
        out->count += pl_symbols_frames(report->symbols, addresses[i], &out->frame[out->count],
                                        room - out->count);
    /* What called the outermost function of the user's is the library's business. */
    size_t count = out->count;
    while (count && of_system(&out->frame[count - 1]))
        count--;
    if (count)
        out->count = count;
    for (size_t i = 0; i < out->count; i++)
        name_driver(&out->frame[i]);
}

const struct pl_frame *stack_blame(const struct stack *stack)
{
    for (size_t i = 0; i < stack->count; i++)
        if (!of_system(&stack->frame[i]))
            return &stack->frame[i];
    for (size_t i = 0; i < stack->count; i++)
        if (stack->frame[i].file)
            return &stack->frame[i];
    return stack->count ? &stack->frame[0] : NULL;
}

static bool add_line(const struct view *view, uint32_t index, bool name_only, struct pl_strbuf *out)
{
    struct stack stack;
    stack_read(view->report, index, &stack);
    const struct pl_frame *frame = stack_blame(&stack);
    if (!frame || !frame->file || of_driver(frame))
        return false;
    const char *name =
        frame->file[0] == '/' && name_only ? strrchr(frame->file, '/') + 1 : frame->file;
    pl_strbuf_addf(out, "%s:%d", name, frame->line);
    return true;
}

bool stack_line(const struct view *view, uint32_t index, struct pl_strbuf *out)
{
    return add_line(view, index, false, out);
}

bool stack_short_line(const struct view *view, uint32_t index, struct pl_strbuf *out)
{
    return add_line(view, index, true, out);
}

static void print_frame(const struct pl_frame *f, size_t width, struct pl_strbuf *out)
{
    size_t before = out->length;
    pl_strbuf_add(out, "      ");
    name_short(f->function, out);
    for (size_t used = text_width(out->text + before); used < width + 6; used++)
        pl_strbuf_add(out, " ");
    if (f->file && f->column)
        pl_strbuf_addf(out, "  %s:%d:%d", f->file, f->line, f->column);
    else if (f->file)
        pl_strbuf_addf(out, "  %s:%d", f->file, f->line);
    else if (f->module)
        pl_strbuf_addf(out, "  in %s", f->module);
    else
        pl_strbuf_add(out, "  in a library");
    pl_strbuf_add(out, f->inlined ? "  (inlined)\n" : "\n");
}

/* Of a row of library frames only the two ends say something: what the library does at last,
   and what the user called. */
static size_t hidden_from(const struct stack *stack, size_t i)
{
    size_t end = i;
    while (end < stack->count && of_system(&stack->frame[end]))
        end++;
    bool inside = i > 0 && of_system(&stack->frame[i - 1]);
    return inside && end - i >= 3 ? end - i - 1 : 0;
}

void stack_print(const struct view *view, uint32_t index, struct pl_strbuf *out)
{
    enum { WIDEST = 40 };
    struct stack stack;
    stack_read(view->report, index, &stack);
    if (!stack.count)
        pl_strbuf_add(out, "      (no stack)\n");
    size_t width = 0;
    for (size_t i = 0; i < stack.count; i++) {
        struct pl_strbuf name;
        pl_strbuf_init(&name);
        name_short(stack.frame[i].function, &name);
        size_t length = text_width(name.text);
        if (length > width && length <= WIDEST)
            width = length;
        pl_strbuf_release(&name);
    }
    for (size_t i = 0; i < stack.count; i++) {
        size_t hidden = hidden_from(&stack, i);
        if (hidden)
            pl_strbuf_addf(out, "      … %zu library functions …\n", hidden);
        i += hidden;
        print_frame(&stack.frame[i], width, out);
    }
}
