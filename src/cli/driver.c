/* The driver: see driver.h. What the user wrote stands on lines that bear the option's name, so
 * that the compiler's messages name it. */
#include "cli/driver.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_user(struct pl_strbuf *out, const char *option, const char *text, const char *end)
{
    pl_strbuf_addf(out, "#line 1 \"%s\"\n%s%s\n", option, text, end);
}

static void add_function(struct pl_strbuf *out, const char *name, const char *option,
                         const struct pl_texts *statements)
{
    if (!statements->count)
        return;
    pl_strbuf_addf(out, "static void plumb_%s(void)\n{\n", name);
    for (size_t i = 0; i < statements->count; i++)
        add_user(out, option, statements->text[i], ";");
    pl_strbuf_add(out, "}\n");
}

static void add_invariant(struct pl_strbuf *out, const struct pl_texts *expressions)
{
    if (!expressions->count)
        return;
    pl_strbuf_add(out, "static int plumb_invariant(void)\n{\n");
    for (size_t i = 0; i < expressions->count; i++) {
        pl_strbuf_add(out, "#ifdef " PL_DRIVER_PLAIN "\n(void)0,\n");
        add_user(out, "--invariant", expressions->text[i], ";");
        pl_strbuf_add(out, "#else\nif (!(\n");
        add_user(out, "--invariant", expressions->text[i], "");
        pl_strbuf_add(out, "))\nreturn 0;\n#endif\n");
    }
    pl_strbuf_add(out, "return 1;\n}\n");
}

/* A part of a call, where it is in what the user wrote: in a line of its own, at its column. */
static const char *add_part(struct pl_strbuf *out, const char *text, const char *at,
                            const char *part, size_t length, size_t number)
{
    const char *here = memmem(at, strlen(at), part, length);
    here = here ? here : at;
    pl_strbuf_addf(out, "\n#line %zu \"--call\"\n%*s%.*s\n", number + 1, (int)(here - text), "",
                   (int)length, part);
    return here + length;
}

/* Only what the user wrote, for the compiler's messages about it: PL_DRIVER_PLAIN. */
static void add_plain_call(struct pl_strbuf *out, const struct pl_call *c, size_t number)
{
    const char *at = c->given;
    if (c->declarations[0])
        at = add_part(out, c->given, at, c->declarations, strlen(c->declarations), number);
    if (c->type[0]) { /* where it is none, the compiler says so, not that a bracket is missing */
        at = add_part(out, c->given, at, c->type, strlen(c->type), number);
        pl_strbuf_add(out, "*plumb_type_;\n");
    }
    pl_strbuf_add(out, "(void)");
    at = add_part(out, c->given, at, c->call, strlen(c->call), number);
    pl_strbuf_add(out, ";");
    for (const char *next = c->outs, *end; *next; next = *end ? end + 1 : end) {
        end = pl_call_find(next, ",");
        pl_strbuf_add(out, "(void)");
        at = add_part(out, c->given, at, next, (size_t)(end - next), number);
        pl_strbuf_add(out, ";");
    }
}

static void add_call(struct pl_strbuf *out, const struct pl_call *c, size_t number)
{
    pl_strbuf_addf(out,
                   "static void plumb_given_%zu(void)\n{\n#ifdef " PL_DRIVER_PLAIN
                   "\nextern int *plumb_type_;\n{\n",
                   number);
    add_plain_call(out, c, number);
    pl_strbuf_add(out, "\n}\n#else\nPLUMB_TRY_\n");
    if (c->declarations[0])
        pl_strbuf_addf(out, "#line %zu \"--call\"\n%s\n", number + 1, c->declarations);
    pl_strbuf_addf(out, "#line %zu \"--call\"\nint plumb_holds_ = PLUMB_RECORD(%s%s%s%s);\n",
                   number + 1, c->type[0] ? "(" : "", c->type, c->type[0] ? ")" : "", c->call);
    if (c->outs[0]) {
        pl_strbuf_addf(out, "if (%s) {\n", c->always ? "1" : "plumb_holds_");
        for (const char *at = c->outs; *at;) {
            const char *end = pl_call_find(at, ",");
            pl_strbuf_addf(out, "(void)PLUMB_RECORD(%.*s);\n", (int)(end - at), at);
            at = *end ? end + 1 : end;
        }
        pl_strbuf_add(out, "}\n");
    }
    pl_strbuf_add(out, "(void)plumb_holds_;\nPLUMB_CAUGHT_\n#endif\n}\n");
}

static void add_entry(struct pl_strbuf *out, const char *name, const struct pl_texts *statements)
{
    if (statements->count)
        pl_strbuf_addf(out, "s.is.%s = plumb_%s;\n", name, name);
}

/* What the macros of a subject file or a spec have put into sections. */
static const char declarations[] =
    "#line 1 \"the driver\"\n"
    "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
    "extern const struct plumb_operation *const __start_plumb_operations[] __attribute__((weak)),\n"
    "*const __stop_plumb_operations[] __attribute__((weak));\n"
    "extern const struct plumb_mark *const __start_plumb_marks[] __attribute__((weak)),\n"
    "*const __stop_plumb_marks[] __attribute__((weak));\n"
    "extern const struct plumb_step *const __start_plumb_steps[] __attribute__((weak)),\n"
    "*const __stop_plumb_steps[] __attribute__((weak));\n"
    "void plumb_spec_start(void *) __attribute__((weak));\n"
    "void plumb_subject_setup(void) __attribute__((weak));\n"
    "void plumb_subject_teardown(void) __attribute__((weak));\n"
    "void plumb_subject_thread_setup(void) __attribute__((weak));\n"
    "void plumb_subject_thread_teardown(void) __attribute__((weak));\n"
    "int plumb_subject_invariant(void) __attribute__((weak));\n"
    "const char *plumb_subject_spec(void) __attribute__((weak));\n"
    "extern const struct plumb_declared plumb_subject_declared __attribute__((weak));\n"
    "#ifdef __cplusplus\n}\n#endif\n"
    "__attribute__((no_sanitize(\"thread\"))) int main(void)\n{\n" /* no steps of the subject */
    "static struct plumb_subject s;\n"
    "s.step = __start_plumb_steps;\n"
    "s.steps = (size_t)(__stop_plumb_steps - __start_plumb_steps);\n"
    "s.start = plumb_spec_start;\n";

static const char subject_file[] =
    "s.operation = __start_plumb_operations;\n"
    "s.operations = (size_t)(__stop_plumb_operations - __start_plumb_operations);\n"
    "s.mark = __start_plumb_marks;\n"
    "s.marks = (size_t)(__stop_plumb_marks - __start_plumb_marks);\n";

static const char around_calls[] =
    "if (&plumb_subject_declared)\ns.is = plumb_subject_declared;\n"
    "if (!s.is.setup)\ns.is.setup = plumb_subject_setup;\n"
    "if (!s.is.teardown)\ns.is.teardown = plumb_subject_teardown;\n"
    "if (!s.is.thread_setup)\ns.is.thread_setup = plumb_subject_thread_setup;\n"
    "if (!s.is.thread_teardown)\ns.is.thread_teardown = plumb_subject_thread_teardown;\n"
    "if (!s.is.invariant)\ns.is.invariant = plumb_subject_invariant;\n"
    "if (!s.is.spec && plumb_subject_spec)\ns.is.spec = plumb_subject_spec();\n";

static void add_file(struct pl_strbuf *out, const char *file)
{
    pl_strbuf_addf(out,
                   "#line 1 \"the driver\"\n#define main plumb_own_main\n#include \"%s\"\n"
                   "#undef main\n"
                   "#ifndef __cplusplus\n#include <stdbool.h>\n#endif\n", /* for the calls */
                   file);
}

/* The calls of the command line. What a subject file says of setup and the like holds for them,
 * too, where no option says otherwise. */
static void add_calls(struct pl_strbuf *out, const struct pl_driver *d)
{
    pl_strbuf_addf(out, "s.operation = plumb_given_places;\ns.operations = %zu;\n", d->count);
    add_entry(out, "setup", &d->setups);
    add_entry(out, "teardown", &d->teardowns);
    add_entry(out, "thread_setup", &d->thread_setups);
    add_entry(out, "thread_teardown", &d->thread_teardowns);
    add_entry(out, "invariant", &d->invariants);
}

static void add_table(struct pl_strbuf *out, const struct pl_driver *d)
{
    add_function(out, "setup", "--setup", &d->setups);
    add_function(out, "teardown", "--teardown", &d->teardowns);
    add_function(out, "thread_setup", "--thread-setup", &d->thread_setups);
    add_function(out, "thread_teardown", "--thread-teardown", &d->thread_teardowns);
    add_invariant(out, &d->invariants);
    pl_strbuf_add(out, "#pragma GCC diagnostic ignored \"-Wunused-value\"\n");
    for (size_t i = 0; i < d->count; i++)
        add_call(out, &d->calls[i], i);
    pl_strbuf_add(out, "#line 1 \"the driver\"\n"
                       "static const struct plumb_operation plumb_given_operations[] = {\n");
    for (size_t i = 0; i < d->count; i++)
        pl_strbuf_addf(out, "{\"%zu\", plumb_given_%zu},\n", i, i);
    pl_strbuf_add(out, "};\nstatic const struct plumb_operation *const plumb_given_places[] = {\n");
    for (size_t i = 0; i < d->count; i++)
        pl_strbuf_addf(out, "&plumb_given_operations[%zu],\n", i);
    pl_strbuf_add(out, "};\n");
}

/* As if the file included it; then from where we are, then along -I. The driver is in neither. */
static void add_include(struct pl_strbuf *out, const char *file, const char *header)
{
    char path[PATH_MAX] = "", found[PATH_MAX];
    const char *slash = file ? strrchr(file, '/') : NULL;
    pl_strbuf_add(out, "#line 1 \"--include\"\n");
    if (header[0] == '<') {
        pl_strbuf_addf(out, "#include %s\n", header);
        return;
    }
    if (slash)
        (void)snprintf(path, sizeof path, "%.*s/%.2000s", (int)(slash - file), file, header);
    bool here = realpath(path, found) || realpath(header, found);
    pl_strbuf_addf(out, "#include \"%s\"\n", here ? found : header);
}

void pl_driver_write(const struct pl_driver *d, struct pl_strbuf *out)
{
    pl_strbuf_add(out, "#include <plumb.h>\n#include <plumb/check.h>\n");
    for (size_t i = 0; i < d->includes.count; i++)
        add_include(out, d->file, d->includes.text[i]);
    if (d->file)
        add_file(out, d->file);
    if (d->spec_file)
        add_file(out, d->spec_file);
    for (size_t i = 0; i < d->declarations.count; i++)
        add_user(out, "--decl", d->declarations.text[i], ";");
    if (d->count)
        add_table(out, d);
    pl_strbuf_add(out, declarations);
    pl_strbuf_add(out, around_calls);
    if (d->count)
        add_calls(out, d);
    else
        pl_strbuf_add(out, subject_file);
    pl_strbuf_add(out, "return plumb_check_main(&s);\n}\n");
}

void pl_driver_release(struct pl_driver *d)
{
    pl_texts_release(&d->includes);
    pl_texts_release(&d->declarations);
    pl_texts_release(&d->setups);
    pl_texts_release(&d->teardowns);
    pl_texts_release(&d->thread_setups);
    pl_texts_release(&d->thread_teardowns);
    pl_texts_release(&d->invariants);
}
