/* One finding made ready for printing: names for its addresses at each of its steps. */
#ifndef PL_REPORT_VIEW_H
#define PL_REPORT_VIEW_H

#include "report/report.h"

/* A heap block of the trace. An address reused later is another block. */
struct block {
    uint64_t start, size;
    uint32_t event;  /* index of its malloc; 0 also for one from before the trace */
    uint32_t number; /* from 1, in order of allocation */
    uint32_t stack;
    const struct pl_type *type; /* NULL: not known */
    bool type_known;            /* looked up */
};

struct view {
    const struct pl_report *report;
    const struct pl_wire *wire;
    const struct pl_wire_finding *finding;
    const struct pl_wire_event *events;
    uint32_t count;
    struct block *blocks; /* sorted by start, then event */
    uint32_t block_count;
    uint64_t *locals; /* stack addresses, in order of appearance: their numbers */
    uint32_t local_count;
};

/* Of the steps that were kept. */
unsigned view_preemptions(const struct view *view);
void view_init(struct view *view, const struct pl_report *report,
               const struct pl_wire_finding *finding);
void view_release(struct view *view);

/* names.c. What a thread of the wire is called: "main", "thread 2". */
unsigned view_thread(const struct view *view, unsigned thread);
void view_add_thread(const struct view *view, unsigned thread, struct pl_strbuf *out);

/* `at` is the index of the event that speaks of it; view->count for the end. */
void view_place(struct view *view, uint32_t at, uint64_t address, uint64_t size,
                struct pl_strbuf *out, enum pl_value *value);
struct block *view_block(struct view *view, uint32_t at, uint64_t address);
void view_block_name(struct view *view, struct block *block, struct pl_strbuf *out);

/* values.c. Of the system: in its libraries, in the arguments and the environment. Such an
 * address is another on another machine or with another environment: never printed. */
bool view_is_of_the_system(uint64_t address);
void view_value(struct view *view, uint32_t at, uint64_t value, uint32_t size, enum pl_value kind,
                struct pl_strbuf *out);

/* stacks.c */
struct stack {
    struct pl_frame frame[PL_MAX_DEPTH * 4];
    size_t count;
};
size_t stack_addresses(const struct pl_wire *wire, uint32_t index, uint64_t *out, size_t room);
void stack_read(const struct pl_report *report, uint32_t index, struct stack *out);
/* The frame to blame: the innermost of the user's own files, else the innermost; NULL if the
   stack is empty. */
const struct pl_frame *stack_blame(const struct stack *stack);
void stack_print(const struct view *view, uint32_t index, struct pl_strbuf *out);
/* Appends "file:line", or false. */
bool stack_line(const struct view *view, uint32_t index, struct pl_strbuf *out);
/* The same for a row of the trace: of an absolute path only the name. */
bool stack_short_line(const struct view *view, uint32_t index, struct pl_strbuf *out);

/* events.c: "head.load acquire = node#1". */
void event_text(struct view *view, uint32_t index, struct pl_strbuf *out);
const char *event_word(unsigned kind);
const char *order_word(unsigned order);
const char *signal_name(unsigned number);

/* short.c */
void name_short(const char *name, struct pl_strbuf *out);
size_t text_width(const char *text); /* columns on a terminal */

/* trace.c */
/* What is worth showing; what is left out without a word. */
void trace_select(struct view *view, bool *keep, bool *quiet);
bool trace_concerns(const struct view *view, const struct pl_wire_event *e);
void trace_print(struct view *view, struct pl_strbuf *out);

/* shared.c: which steps are where threads meet; SELDOM: at places with so few accesses that all of
 * them together have `room`. */
enum shared { SHARED_NOT, SHARED_SELDOM, SHARED_PASSES };
void trace_shared(const struct view *view, const bool *quiet, unsigned room, enum shared *out);

/* own.c: which steps are a thread's own business. */
void trace_own(const struct view *view, bool *own);

/* message.c */
void message_add(struct view *view, struct pl_strbuf *out);
uint32_t message_stack(const struct pl_wire_finding *finding); /* whose line it starts with */

/* colour.c */
enum colour { COLOUR_HEADLINE, COLOUR_STRONG, COLOUR_DIM, COLOUR_END };
void colour_add(const struct pl_report *report, enum colour colour, struct pl_strbuf *out);

#endif
