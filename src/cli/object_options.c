/* What an object is: see object_options.h. */
#include "cli/object_options.h"

#include <stdio.h>
#include <string.h>

size_t pl_object_options(struct pl_option *table, struct pl_checker *c)
{
    struct pl_driver *d = &c->driver;
    const struct pl_option all[] = {
        {"--call", "CALL", "an invocation to make; repeatable", PL_OPTION_LIST, &c->call_texts, 0,
         NULL},
        {"--setup", "C", "statement before each execution; repeatable", PL_OPTION_LIST, &d->setups,
         0, NULL},
        {"--teardown", "C", "statement after each execution", PL_OPTION_LIST, &d->teardowns, 0,
         NULL},
        {"--thread-setup", "C", "statement of each thread before its calls", PL_OPTION_LIST,
         &d->thread_setups, 0, NULL},
        {"--thread-teardown", "C", "statement of each thread after its calls", PL_OPTION_LIST,
         &d->thread_teardowns, 0, NULL},
        {"--invariant", "C", "expression that must hold after each execution", PL_OPTION_LIST,
         &d->invariants, 0, NULL},
        {"--decl", "C", "declaration at file scope, after FILE", PL_OPTION_LIST, &d->declarations,
         0, NULL},
        {"--include", "HEADER", "included before FILE", PL_OPTION_LIST, &d->includes, 0, NULL},
        {"--group", "OPS", "only one thread calls these: push,pop; repeatable", PL_OPTION_LIST,
         &c->marks[0], 0, NULL},
        {"--limit", "OP=N", "at most so many calls in a test: close=1", PL_OPTION_LIST,
         &c->marks[1], 0, NULL},
        {"--blocking", "OPS", "these may wait: so does the spec, instead of empty or false",
         PL_OPTION_LIST, &c->marks[2], 0, NULL},
        {"--may-fail", "OPS", "these may answer empty or false at any time", PL_OPTION_LIST,
         &c->marks[3], 0, NULL},
        {"--late", "OPS", "these may take effect after they have returned", PL_OPTION_LIST,
         &c->marks[4], 0, NULL},
        {"--data-independent", "OPS", "which values are put does not matter to these",
         PL_OPTION_LIST, &c->marks[5], 0, NULL},
        {"--spec", "SPEC", "what the object should do: fifo, lifo, … (check: what it does alone)",
         PL_OPTION_INPUT, &c->spec, 0, NULL},
        {"--map", "OURS=YOURS,...", "names of the spec's operations: enq=my_put,deq=my_get",
         PL_OPTION_TEXT, &c->map, 0, NULL},
        {"--initial", "N", "what an object of the spec starts with (0)", PL_OPTION_TEXT,
         &c->initial, 0, NULL},
    };
    _Static_assert(sizeof all / sizeof all[0] <= PL_OBJECT_OPTIONS, "room for all");
    memcpy(table, all, sizeof all);
    return sizeof all / sizeof all[0];
}

/* What was given, before the subject's file adds to it. */
static void keep_object(struct pl_checker *c)
{
    struct pl_option table[PL_OBJECT_OPTIONS];
    size_t count = pl_object_options(table, c);
    for (size_t i = 0; i < count; i++) {
        struct pl_texts one = {table[i].target, 1};
        const struct pl_texts *given = table[i].kind == PL_OPTION_LIST ? table[i].target : &one;
        one.count = given != &one || one.text[0];
        for (size_t k = 0; k < given->count; k++) {
            pl_strbuf_addf(&c->object, " %s ", table[i].name);
            pl_strbuf_add_quoted(&c->object, given->text[k]);
        }
    }
}

void pl_object_again(const struct pl_checker *c, const char *model, const char *file,
                     struct pl_strbuf *out)
{
    static const char *const races[] = {"report", "allow", "off"}; /* PL_RACES_WORDS */
    struct pl_strbuf test;
    pl_strbuf_init(&test);
    for (size_t i = 0; i < c->settings.inputs.count; i++) {
        pl_strbuf_add(out, " ");
        pl_strbuf_add_quoted(out, c->settings.inputs.text[i]);
    }
    pl_strbuf_add(out, c->object.text);
    if (c->settings.races)
        pl_strbuf_addf(out, " --races=%s", races[c->settings.races]);
    pl_strbuf_addf(out, " --model %s --test ", model);
    pl_strbuf_addf(&test, "@%s", file);
    pl_strbuf_add_quoted(out, test.text);
    pl_strbuf_release(&test);
    for (size_t i = 0; i < c->settings.flags.count; i++) {
        pl_strbuf_add(out, i ? " " : " -- ");
        pl_strbuf_add_quoted(out, c->settings.flags.text[i]);
    }
}

bool pl_object_help(const struct pl_object_command *command, struct pl_checker *c, int argc,
                    char **argv, enum pl_status *status, struct pl_error *error)
{
    struct pl_arguments arguments;
    *status = pl_options_parse(command->table, command->options, argc, argv, &arguments, error);
    c->settings.inputs = arguments.files;
    c->settings.flags = arguments.rest;
    keep_object(c);
    if (!arguments.help || *status)
        return false;
    (void)fputs(command->usage, stdout);
    pl_options_help(command->table, command->options);
    (void)fputs(command->examples, stdout);
    return true;
}
