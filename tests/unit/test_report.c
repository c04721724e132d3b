/* Findings made by hand have exactly these reports. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/view.h"
#include "result/layout.h"

static const char source[] = "#include <stdlib.h>\n"                         /* 1 */
                             "struct node { int v; struct node *next; };\n"  /* 2 */
                             "struct { struct node *head; int count; } q;\n" /* 3 */
                             "int a, b;\n"                                   /* 4 */
                             "void push(int v)\n"                            /* 5 */
                             "{\n"                                           /* 6 */
                             "    struct node *n = malloc(sizeof *n);\n"     /* 7 */
                             "    n->v = v;\n"                               /* 8 */
                             "    n->next = q.head;\n"                       /* 9 */
                             "    q.head = n;\n"                             /* 10 */
                             "    q.count++;\n"                              /* 11 */
                             "}\n"                                           /* 12 */
                             "int pop(void)\n"                               /* 13 */
                             "{\n"                                           /* 14 */
                             "    struct node *n = q.head;\n"                /* 15 */
                             "    q.head = n->next;\n"                       /* 16 */
                             "    free(n);\n"                                /* 17 */
                             "    return q.count--;\n"                       /* 18 */
                             "}\n"                                           /* 19 */
                             "int main(void)\n"                              /* 20 */
                             "{\n"                                           /* 21 */
                             "    push(1);\n"                                /* 22 */
                             "    return pop();\n"                           /* 23 */
                             "}\n";                                          /* 24 */

static const uint64_t HEAP = PL_HEAP + 64, STACK = PL_STACKS;

static char directory[] = "/tmp/plumb-report-XXXXXX";
static struct pl_symbols *symbols;
static struct pl_wire *wire;
static struct pl_report report;

/* ---- making a finding ---- */

static uint64_t address_of(const char *name)
{
    char command[128];
    unsigned long long address = 0;
    (void)snprintf(command, sizeof command, "nm s | awk '$3 == \"%s\" {print $1}'", name);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%llx", &address), 1);
    (void)pclose(pipe);
    return address;
}

/* An address whose instruction belongs to this line of this function, plus one: a return
   address is looked up one below. */
static uint64_t code(const char *function, int line)
{
    uint64_t start = address_of(function);
    for (uint64_t a = start; a < start + 4096; a++) {
        struct pl_frame frame;
        if (pl_symbols_frames(symbols, a, &frame, 1) == 1 && frame.line == line &&
            strcmp(frame.function, function) == 0)
            return a + 1;
    }
    fail_msg("no code at line %d", line);
    return 0;
}

static uint32_t stack1(uint64_t address)
{
    uint32_t at = wire->stack_words;
    wire->stack[at] = 1;
    wire->stack[at + 1] = address;
    wire->stack_words += 2;
    return at;
}

static uint32_t stack2(uint64_t inner, uint64_t outer)
{
    uint32_t at = wire->stack_words;
    wire->stack[at] = 2;
    wire->stack[at + 1] = inner;
    wire->stack[at + 2] = outer;
    wire->stack_words += 3;
    return at;
}

static uint32_t text(const char *bytes)
{
    uint32_t at = wire->bytes;
    memcpy(&wire->byte[at], bytes, strlen(bytes));
    wire->bytes += (uint32_t)strlen(bytes);
    return at;
}

static struct pl_wire_event *event(struct pl_wire_finding *f, unsigned thread, unsigned kind,
                                   uint32_t stack)
{
    struct pl_wire_event *e = &wire->event[f->first_event + f->events++];
    *e = (struct pl_wire_event){
        .kind = (uint8_t)kind, .thread = (uint8_t)thread, .stack = stack, .order = PL_ORDER_NONE};
    return e;
}

static int setup(void **state)
{
    (void)state;
    wire = aligned_alloc(_Alignof(struct pl_wire), sizeof *wire);
    assert_non_null(wire);
    memset(wire, 0, sizeof *wire);
    wire->stack_words = 1;
    wire->options.stack_kib = 256;
    report = (struct pl_report){.wire = wire, .symbols = symbols, .subject = "s.c"};
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    free(wire);
    return 0;
}

static void assert_report(const struct pl_wire_finding *f, const char *expected)
{
    struct pl_strbuf out;
    pl_strbuf_init(&out);
    pl_report_finding(&report, f, &out);
    assert_string_equal(out.text, expected);
    pl_strbuf_release(&out);
}

static void assert_message(const struct pl_wire_finding *f, const char *expected)
{
    struct pl_strbuf out;
    pl_strbuf_init(&out);
    pl_report_message(&report, f, &out);
    assert_string_equal(out.text, expected);
    pl_strbuf_release(&out);
}

/* Thread 1 pushes while main reads the count. */
static struct pl_wire_finding race(void)
{
    uint64_t q = address_of("q");
    uint32_t push = stack2(code("push", 11), code("main", 22)), pop = stack1(code("pop", 18));
    uint32_t alloc = stack1(code("push", 7)), head = stack1(code("push", 10));
    struct pl_wire_finding f = {.kind = PL_FINDING_DATA_RACE,
                                .flags = PL_FINDING_F_OTHER_WRITE,
                                .execution = 17,
                                .address = q + 8,
                                .size = 4,
                                .other_thread = 1,
                                .stack = pop,
                                .other_stack = push};
    event(&f, 0, PL_EVENT_CREATE, stack1(code("main", 22)))->value = 1;
    struct pl_wire_event *e = event(&f, 1, PL_EVENT_MALLOC, alloc);
    e->address = HEAP;
    e->value = 16;
    e->flags = PL_EVENT_F_SWITCH;
    e = event(&f, 1, PL_EVENT_STORE, head);
    e->address = q;
    e->size = 8;
    e->value = HEAP;
    e->order = PL_ORDER_RELEASE;
    e->flags = PL_EVENT_F_VALUE;
    e = event(&f, 1, PL_EVENT_WRITE, push);
    e->address = q + 8;
    e->size = 4;
    f.other_event = f.events;
    e = event(&f, 0, PL_EVENT_LOAD, stack1(code("pop", 15)));
    e->address = q;
    e->size = 8;
    e->value = HEAP;
    e->order = PL_ORDER_ACQUIRE;
    e->from = 3;
    e->flags = PL_EVENT_F_VALUE | PL_EVENT_F_SWITCH;
    e = event(&f, 0, PL_EVENT_READ, pop);
    e->address = q + 8;
    e->size = 4;
    e->value = 1;
    e->flags = PL_EVENT_F_VALUE;
    f.this_event = f.events;
    return f;
}

/* ---- claims ---- */

static void a_race_shows_both_stacks_and_the_interleaving(void **state)
{
    (void)state;
    struct pl_wire_finding f = race();
    f.output = text("one\ntwo\033");
    f.output_length = 8;
    report.saved = "s-1.plumb";
    assert_report(
        &f,
        "DATA RACE\n"
        "s.c:18: main reads q.count, and nothing orders this after the write by thread 1 at "
        "s.c:11\n"
        "\n"
        "    main reads:\n"
        "      pop  s.c:18\n"
        "\n"
        "    thread 1 writes, earlier:\n"
        "      push  s.c:11\n"
        "      main  s.c:22\n"
        "\n"
        "    How it happens (execution 17, 2 preemptions):\n"
        "         #  main                                                thread 1\n"
        "         1  s.c:22  create thread 1\n"
        "            — thread 1 runs —\n"
        "         2                                                      s.c:7  malloc(16) = "
        "node#1\n"
        "         3                                                      s.c:10  q.head.store "
        "release node#1\n"
        "    *    4                                                      s.c:11  write q.count\n"
        "            — main runs —\n"
        "         5  s.c:15  q.head.load acquire = node#1 (from step 3)\n"
        "    *    6  s.c:18  read q.count = 1\n"
        "\n"
        "    Its output:\n"
        "      | one\n"
        "      | two\\x1b\n"
        "\n"
        "    Again:   plumb replay s-1.plumb\n"
        "    In gdb:  plumb replay --gdb s-1.plumb\n");
}

static void colours_come_only_when_asked_for(void **state)
{
    (void)state;
    struct pl_wire_finding f = race();
    struct pl_strbuf out;
    pl_strbuf_init(&out);
    pl_report_finding(&report, &f, &out);
    assert_null(strchr(out.text, '\033'));
    pl_strbuf_clear(&out);
    report.colour = true;
    pl_report_finding(&report, &f, &out);
    assert_non_null(strstr(out.text, "\033[1;31mDATA RACE\033[0m"));
    pl_strbuf_release(&out);
}

static void a_use_after_free_names_the_block_and_who_freed_it(void **state)
{
    (void)state;
    struct pl_wire_finding f = {.kind = PL_FINDING_USE_AFTER_FREE,
                                .thread = 2,
                                .address = HEAP + 8,
                                .size = 8,
                                .block = HEAP,
                                .block_size = 16,
                                .alloc_thread = 1,
                                .free_thread = 1};
    f.stack = stack1(code("pop", 16));
    f.alloc_stack = stack1(code("push", 7));
    f.free_stack = stack2(code("pop", 17), code("main", 23));
    assert_report(&f, "USE AFTER FREE\n"
                      "s.c:16: thread 2 reads node#1.next, freed by thread 1 at s.c:17\n"
                      "\n"
                      "    thread 2 reads:\n"
                      "      pop  s.c:16\n"
                      "\n"
                      "    thread 1 freed it:\n"
                      "      pop   s.c:17\n"
                      "      main  s.c:23\n"
                      "\n"
                      "    thread 1 allocated it:\n"
                      "      push  s.c:7\n");
    /* Seen by order alone: at the free, and at an access after an unordered malloc. */
    f.flags = PL_FINDING_F_UNORDERED | PL_FINDING_F_WRITE;
    f.other_thread = 3;
    f.other_stack = stack1(code("pop", 15));
    assert_message(&f, "s.c:16: thread 2 frees node#1, and nothing orders this after the read by "
                       "thread 3 at s.c:15");
    f.free_stack = 0;
    assert_message(&f, "s.c:16: thread 2 writes node#1.next, and nothing orders this after the "
                       "malloc by thread 1 at s.c:7");
}

static void heap_errors_have_their_sentences(void **state)
{
    (void)state;
    struct pl_wire_finding f = {.thread = 1, .block = HEAP, .block_size = 16, .size = 4};
    f.stack = stack1(code("pop", 17));
    f.alloc_stack = stack1(code("push", 7));
    f.free_stack = stack1(code("pop", 17));
    f.kind = PL_FINDING_DOUBLE_FREE;
    f.address = HEAP;
    f.size = 0;
    assert_message(&f, "s.c:17: thread 1 frees node#1 again; main freed it at s.c:17");
    f.kind = PL_FINDING_OUT_OF_BOUNDS;
    f.size = 4;
    f.address = HEAP + 16;
    assert_message(&f, "s.c:17: thread 1 reads 4 bytes just past the end of node#1 (16 bytes, "
                       "allocated at s.c:7)");
    f.address = HEAP - 8;
    assert_message(&f, "s.c:17: thread 1 reads 4 bytes, 8 before the start of node#1 (16 bytes, "
                       "allocated at s.c:7)");
    f.kind = PL_FINDING_UNINITIALISED_READ;
    f.address = HEAP;
    assert_message(&f, "s.c:17: thread 1 reads node#1.v, which was never written since main "
                       "allocated it at s.c:7");
    f.kind = PL_FINDING_LEAK;
    f.stack = 0;
    f.code = 3;
    assert_message(&f, "s.c:7: 3 blocks are never freed; the first has 16 bytes, allocated by "
                       "main");
    f = (struct pl_wire_finding){.kind = PL_FINDING_INVALID_FREE, .address = address_of("a")};
    f.stack = stack1(code("pop", 17));
    assert_message(&f, "s.c:17: main frees a, which is not the start of an allocated block");
}

static void a_deadlock_says_who_waits_for_whom(void **state)
{
    (void)state;
    struct pl_wire_finding f = {.kind = PL_FINDING_DEADLOCK, .blocked = 7};
    f.waits_kind[0] = PL_EVENT_JOIN;
    f.waits_for[0] = 2;
    f.waits_stack[0] = stack1(code("main", 23));
    for (unsigned t = 1; t <= 2; t++) {
        f.waits_kind[t] = PL_EVENT_LOCK;
        f.waits_at[t] = address_of(t == 1 ? "b" : "a");
        f.waits_for[t] = t == 1 ? 3 : 2;
        f.waits_stack[t] = stack1(code(t == 1 ? "push" : "pop", t == 1 ? 8 : 15));
    }
    assert_report(&f, "DEADLOCK\n"
                      "s.c:8: thread 1 waits in lock of b, held by thread 2; thread 2 waits in "
                      "lock of a, held by thread 1; main waits for the end of thread 1\n"
                      "\n"
                      "    main is blocked in join thread 1:\n"
                      "      main  s.c:23\n"
                      "\n"
                      "    thread 1 is blocked in lock b, held by thread 2:\n"
                      "      push  s.c:8\n"
                      "\n"
                      "    thread 2 is blocked in lock a, held by thread 1:\n"
                      "      pop  s.c:15\n");
}

static void failures_of_the_program_have_their_sentences(void **state)
{
    (void)state;
    struct pl_wire_finding f = {.thread = 1};
    f.stack = stack1(code("pop", 16));
    f.kind = PL_FINDING_ASSERTION;
    f.text = text("x == 1\n");
    f.text_length = 7;
    assert_message(&f, "s.c:16: thread 1 fails an assertion: x == 1");
    f.text_length = 0;
    f.kind = PL_FINDING_CRASH;
    f.code = SIGSEGV;
    assert_message(&f, "s.c:16: thread 1 gets SIGSEGV (invalid memory access) at NULL");
    f.address = 8;
    assert_message(&f, "s.c:16: thread 1 gets SIGSEGV (invalid memory access) at NULL + 8");
    f.kind = PL_FINDING_STACK_OVERFLOW;
    assert_message(&f, "s.c:16: thread 1 runs out of its stack of 256 KiB (--stack N gives more)");
    f.kind = PL_FINDING_EXIT;
    f.code = 3;
    assert_message(&f, "s.c:16: thread 1 ends the program with status 3");
    f = (struct pl_wire_finding){.kind = PL_FINDING_CRASH, .text = text("the process died")};
    f.text_length = 16;
    assert_message(&f, "s.c: the process died"); /* no line is known */
}

static void reused_memory_is_another_block(void **state)
{
    (void)state;
    struct pl_wire_finding f = {.kind = PL_FINDING_ASSERTION, .thread = 1};
    uint32_t alloc = stack1(code("push", 7));
    for (int i = 0; i < 2; i++) {
        struct pl_wire_event *e = event(&f, 1, PL_EVENT_MALLOC, alloc);
        e->address = HEAP;
        e->value = 16;
        e = event(&f, 1, PL_EVENT_WRITE, stack1(code("push", 8)));
        e->address = HEAP;
        e->size = 4;
        event(&f, 1, PL_EVENT_FREE, stack1(code("pop", 17)))->address = HEAP;
    }
    struct pl_wire_event *e = event(&f, 1, PL_EVENT_READ, stack1(code("pop", 15)));
    e->address = STACK + PL_STACK_STRIDE + 64; /* on the stack of thread 1 */
    e->size = 8;
    e->value = 0;
    e->flags = PL_EVENT_F_VALUE;
    assert_report(&f, "ASSERTION FAILED\n"
                      "s.c: thread 1 fails an assertion\n"
                      "\n"
                      "    How it happens (execution 0, 0 preemptions):\n"
                      "         #  thread 1\n"
                      "         1  s.c:7  malloc(16) = node#1\n"
                      "         2  s.c:8  write node#1.v\n"
                      "         3  s.c:17  free(node#1)\n"
                      "         4  s.c:7  malloc(16) = node#2\n"
                      "         5  s.c:8  write node#2.v\n"
                      "         6  s.c:17  free(node#2)\n"
                      "         7  s.c:15  read local#1 of thread 1 = 0\n");
}

/* A trace of 1000 reads of `a` and one write of `b`, which the finding is about. */
static struct pl_wire_finding long_trace(void)
{
    struct pl_wire_finding f = {.kind = PL_FINDING_DATA_RACE, .size = 4, .dropped = 500};
    uint32_t stack = stack1(code("pop", 15));
    uint64_t other = address_of("a");
    f.address = address_of("b");
    f.stack = stack;
    for (int i = 0; i < 1000; i++) {
        struct pl_wire_event *e = event(&f, i == 400, PL_EVENT_READ, stack);
        e->address = i == 400 ? f.address : other;
        e->size = 4;
    }
    return f;
}

static void long_traces_are_folded_and_say_so(void **state)
{
    (void)state;
    struct pl_strbuf out;
    struct pl_wire_finding f = long_trace();
    pl_strbuf_init(&out);
    pl_report_finding(&report, &f, &out);
    assert_non_null(strstr(out.text, "… 900 steps not shown (--trace=full) …\n"));
    assert_non_null(strstr(out.text, "  901  "));
    assert_non_null(strstr(out.text, "… 583 steps not shown …\n"));
    assert_non_null(strstr(out.text, " 1500  s.c:15  read a\n"));
    report.full_trace = true;
    pl_strbuf_clear(&out);
    pl_report_finding(&report, &f, &out);
    assert_non_null(strstr(out.text, "… 500 steps not shown …\n")); /* never recorded */
    assert_non_null(strstr(out.text, "  777  s.c:15  read a\n"));
    pl_strbuf_release(&out);
}

static void what_one_thread_alone_touches_is_left_out(void **state)
{
    (void)state;
    struct pl_wire_finding f = {.kind = PL_FINDING_ASSERTION, .thread = 2};
    uint32_t stack = stack1(code("pop", 15));
    f.stack = stack;
    const struct {
        unsigned thread;
        uint64_t address;
        uint64_t value;
    } reads[] = {
        {1, address_of("a"), 5},          /* shared with step 3 */
        {1, HEAP + 4096, 6},              /* its own */
        {2, address_of("a"), 5},          /*  */
        {2, HEAP + 8192, 7},              /* its own, but it is this thread that fails */
        {2, HEAP + 8256, PL_TLS + 64},    /* a pthread_t */
        {1, address_of("b"), PL_TLS + 8}, /* its own, in the middle of nothing */
    };
    for (size_t i = 0; i < sizeof reads / sizeof reads[0]; i++) {
        struct pl_wire_event *e = event(&f, reads[i].thread, PL_EVENT_READ, stack);
        e->address = reads[i].address;
        e->value = reads[i].value;
        e->size = i < 4 ? 4 : 8;
        e->flags = PL_EVENT_F_VALUE;
    }
    struct pl_strbuf out;
    pl_strbuf_init(&out);
    pl_report_finding(&report, &f, &out);
    static const bool shown[] = {true, false, true, true, false, false};
    for (unsigned i = 0; i < 6; i++) {
        char step[16];
        (void)snprintf(step, sizeof step, "\n    %6u  ", i + 1);
        assert_int_equal(strstr(out.text, step) != NULL, shown[i]);
    }
    assert_non_null(strstr(out.text, "3 accesses to memory that only one thread uses not shown "
                                     "(--trace=full)\n"));
    report.full_trace = true;
    pl_strbuf_clear(&out);
    pl_report_finding(&report, &f, &out);
    assert_non_null(strstr(out.text, "\n         6  "));
    assert_null(strstr(out.text, "not shown"));
    pl_strbuf_release(&out);
}

static void many_threads_have_labels_instead_of_columns(void **state)
{
    (void)state;
    struct pl_wire_finding f = {.kind = PL_FINDING_ASSERTION};
    uint32_t stack = stack1(code("pop", 15));
    for (unsigned t = 0; t < 6; t++)
        event(&f, t, PL_EVENT_YIELD, stack);
    assert_report(&f, "ASSERTION FAILED\n"
                      "s.c: main fails an assertion\n"
                      "\n"
                      "    How it happens (execution 0, 0 preemptions):\n"
                      "         1  main       s.c:15  yield\n"
                      "         2  thread 1   s.c:15  yield\n"
                      "         3  thread 2   s.c:15  yield\n"
                      "         4  thread 3   s.c:15  yield\n"
                      "         5  thread 4   s.c:15  yield\n"
                      "         6  thread 5   s.c:15  yield\n");
}

static void json_has_the_promised_names(void **state)
{
    (void)state;
    struct pl_wire_finding f = race();
    json_t *findings = json_array();
    json_array_append_new(findings, pl_report_finding_json(&report, &f));
    struct pl_report_suppression rule = {"foo", "supp.txt", 3, 12};
    struct pl_outcome outcome = {.verdict = PL_VERDICT_VIOLATION,
                                 .coverage = "sampled",
                                 .command = "run",
                                 .message = "data-race",
                                 .executions = 18,
                                 .seed = 1,
                                 .findings = findings,
                                 .suppressions = &rule,
                                 .suppression_count = 1};
    json_t *o = pl_outcome_json(&outcome);
    const char *verdict, *kind, *file, *first_kind, *rule_text;
    int line, executions, thread0, thread1, step, count;
    assert_int_equal(
        json_unpack(
            o, "{s:s, s:i, s:{s:s}, s:[{s:s, s:i, s:[i,i], s:[{s:i, s:s}]}], s:[{s:s, s:i}]}",
            "verdict", &verdict, "executions", &executions, "violation", "kind", &kind, "findings",
            "file", &file, "line", &line, "threads", &thread0, &thread1, "trace", "step", &step,
            "kind", &first_kind, "suppressed", "rule", &rule_text, "count", &count),
        0);
    assert_string_equal(verdict, "violation");
    assert_int_equal(executions, 18);
    assert_string_equal(kind, "data-race");
    assert_string_equal(file, "s.c");
    assert_int_equal(line, 18);
    assert_int_equal(thread0, 0);
    assert_int_equal(thread1, 1);
    assert_int_equal(step, 1);
    assert_string_equal(first_kind, "create thread");
    assert_string_equal(rule_text, "foo");
    assert_int_equal(count, 12);
    json_decref(o);
    json_decref(findings);
}

static void output_that_is_not_utf8_still_makes_json(void **state)
{
    (void)state;
    struct pl_wire_finding f = race();
    f.output = text("\xff\xfe.");
    f.output_length = 3;
    json_t *o = pl_report_finding_json(&report, &f);
    assert_string_equal(json_string_value(json_object_get(o, "output")), "??.");
    json_decref(o);
}

static void assert_short(const char *name, const char *expected)
{
    struct pl_strbuf out;
    pl_strbuf_init(&out);
    name_short(name, &out);
    assert_string_equal(out.text, expected);
    pl_strbuf_release(&out);
}

static void long_template_arguments_are_left_out(void **state)
{
    (void)state;
    assert_short("push", "push");
    assert_short("ns::queue<int>::push", "ns::queue<int>::push");
    assert_short("std::map<std::string, std::vector<int> >::at", "std::map<…>::at");
    assert_short("f<a<b<cccccccccccccccccccccccc> > >(g<int>)", "f<…>(g<int>)");
    assert_short("operator<<some_very_long_name_of_a_type>",
                 "operator<<some_very_long_name_of_a_type>");
    assert_short("x<y", "x<y");
}

static void large_numbers_are_grouped(void **state)
{
    (void)state;
    struct pl_strbuf out;
    pl_strbuf_init(&out);
    pl_report_count(&out, 999);
    pl_strbuf_add(&out, " ");
    pl_report_count(&out, 1000);
    pl_strbuf_add(&out, " ");
    pl_report_count(&out, 12004310);
    assert_string_equal(out.text, "999 1,000 12,004,310");
    pl_strbuf_release(&out);
}

int main(void)
{
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        CLAIM(a_race_shows_both_stacks_and_the_interleaving),
        CLAIM(colours_come_only_when_asked_for),
        CLAIM(a_use_after_free_names_the_block_and_who_freed_it),
        CLAIM(heap_errors_have_their_sentences),
        CLAIM(a_deadlock_says_who_waits_for_whom),
        CLAIM(failures_of_the_program_have_their_sentences),
        CLAIM(reused_memory_is_another_block),
        CLAIM(long_traces_are_folded_and_say_so),
        CLAIM(what_one_thread_alone_touches_is_left_out),
        CLAIM(many_threads_have_labels_instead_of_columns),
        CLAIM(json_has_the_promised_names),
        CLAIM(output_that_is_not_utf8_still_makes_json),
        CLAIM(long_template_arguments_are_left_out),
        CLAIM(large_numbers_are_grouped),
    };
    struct pl_error error;
    FILE *file;
    if (!mkdtemp(directory) || chdir(directory) != 0 || !(file = fopen("s.c", "w")) ||
        fputs(source, file) < 0 || fclose(file) != 0 ||
        system("gcc -g -gno-column-info -O0 -no-pie s.c -o s") != 0 ||
        pl_symbols_open(&symbols, "s", NULL, &error) != PL_OK)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pl_symbols_free(symbols);
    (void)!system("rm -rf \"$PWD\"");
    return failed;
}
