/* The subject made ready to run. */
#include "cli/subject.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "cli/driver.h"
#include "cli/interrupt.h"
#include "result/layout.h"

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *where)
{
    (void)st, (void)type, (void)where;
    return remove(path);
}

static void remove_tree(const char *path)
{
    (void)nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static enum pl_status make_work(struct pl_subject *s, struct pl_error *error)
{
    const char *parent = getenv("TMPDIR");
    struct pl_strbuf path;
    pl_strbuf_init(&path);
    pl_strbuf_addf(&path, "%s/plumb-XXXXXX", parent && *parent ? parent : "/tmp");
    s->work = pl_strbuf_detach(&path);
    if (!mkdtemp(s->work)) {
        enum pl_status status = pl_fail_errno(error, "%s", s->work);
        free(s->work);
        s->work = NULL;
        return status;
    }
    pl_interrupt_remove(s->work);
    return PL_OK;
}

/* The tree around our own executable: bin/plumb, lib/plumb/libplumb_rt.so, include/plumb.h. */
static enum pl_status find_tree(char *runtime, char *include, size_t room, struct pl_error *error)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0)
        return pl_fail_errno(error, "/proc/self/exe");
    self[length] = '\0';
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(self, '/');
        if (slash)
            *slash = '\0';
    }
    (void)snprintf(runtime, room, "%.4000s/lib/plumb", self);
    (void)snprintf(include, room, "%.4000s/include", self);
    char library[PATH_MAX + 32];
    (void)snprintf(library, sizeof library, "%s/libplumb_rt.so", runtime);
    if (access(library, R_OK) != 0)
        return pl_fail(error, PL_ERR_SYSTEM, "%.900s: missing; install plumb again", library);
    return PL_OK;
}

/* argv[0] is the name of the first input without its directory and suffix. */
static void make_argv(struct pl_subject *s, const struct pl_settings *settings)
{
    s->argv = calloc(settings->arguments.count + 2, sizeof *s->argv);
    PL_ASSERT(s->argv);
    const char *slash = strrchr(settings->inputs.text[0], '/');
    char *name = strdup(slash ? slash + 1 : settings->inputs.text[0]);
    PL_ASSERT(name);
    char *dot = strrchr(name, '.');
    if (dot && dot != name)
        *dot = '\0';
    s->argv[0] = name;
    for (size_t i = 0; i < settings->arguments.count; i++) {
        s->argv[i + 1] = strdup(settings->arguments.text[i]);
        PL_ASSERT(s->argv[i + 1]);
    }
}

static enum pl_status write_driver(const char *work, const struct pl_settings *settings,
                                   const char *first, char *path, size_t room,
                                   struct pl_error *error)
{
    (void)snprintf(path, room, "%.4000s/driver.%s", work, settings->driver_cxx ? "cc" : "c");
    FILE *file = fopen(path, "we");
    if (!file || fputs(first, file) < 0 || fputs(settings->driver, file) < 0 || fclose(file) != 0)
        return pl_fail_errno(error, "%s", path);
    return PL_OK;
}

/* The driver does not compile. Is it because of a call that the user wrote? Then the messages are
 * about that, without what is around it. */
static void explain(struct pl_subject *out, const struct pl_settings *settings,
                    const struct pl_build_options *options)
{
    char driver[PATH_MAX];
    struct pl_built again = {0};
    struct pl_error ignored = {0};
    if (!write_driver(out->work, settings, "#define " PL_DRIVER_PLAIN "\n", driver, sizeof driver,
                      &ignored) &&
        pl_build(options, &again, &ignored) == PL_ERR_INPUT && again.diagnostics) {
        free(out->built.diagnostics);
        out->built.diagnostics = again.diagnostics;
        again.diagnostics = NULL;
    }
    pl_built_release(&again);
}

/* As the linkers say it. */
static bool has_two_mains(const char *diagnostics)
{
    return strstr(diagnostics, "multiple definition of `main'") ||
           strstr(diagnostics, "duplicate symbol: main\n");
}

/* What the compiler says, but for where the driver includes the files. */
static void print_diagnostics(const char *text)
{
    static const char included[] = "In file included from the driver:";
    for (const char *end; *text; text = end) {
        end = strchrnul(text, '\n');
        end += *end == '\n';
        if (strncmp(text, included, sizeof included - 1) != 0)
            (void)fwrite(text, 1, (size_t)(end - text), stderr);
    }
}

/* The program with the driver in it cannot be built: whose fault is it? */
static enum pl_status say_whose(const struct pl_settings *settings, const char *include,
                                const char *diagnostics, enum pl_status status,
                                struct pl_error *error)
{
    const char *at = strstr(diagnostics, ": error: "), *line = at;
    at = at ? at : strstr(diagnostics, ": fatal error: ");
    for (line = at; line && line > diagnostics && line[-1] != '\n';)
        line--;
    size_t length = line ? strcspn(line, ":") : 0;
    bool is_library =
        line && (strncmp(line, include, strlen(include)) == 0 || strncmp(line, "/usr/", 5) == 0);
    if (length && line[0] == '/' && !is_library) /* not by what a call makes of a macro of ours */
        return pl_fail(error, status, "%.*s does not compile", (int)length, line);
    return pl_fail(error, status, "%s, with what is to be called, does not compile",
                   settings->inputs.text[0]);
}

enum pl_status pl_subject_build(struct pl_subject *out, const struct pl_settings *settings,
                                struct pl_error *error)
{
    *out = (struct pl_subject){0};
    char runtime[PATH_MAX], include[PATH_MAX];
    for (size_t i = 0; i < settings->inputs.count; i++)
        if (access(settings->inputs.text[i], R_OK) != 0)
            return pl_fail(error, PL_ERR_INPUT, "%s: %s", settings->inputs.text[i],
                           strerror(errno));
    enum pl_status status = find_tree(runtime, include, sizeof runtime, error);
    if (!status)
        status = make_work(out, error);
    if (status)
        return status;
    make_argv(out, settings);
    const char **inputs = calloc(settings->inputs.count + 1, sizeof *inputs);
    PL_ASSERT(inputs);
    for (size_t i = 0; i < settings->inputs.count; i++)
        inputs[i] = settings->inputs.text[i];
    char driver[PATH_MAX] = "";
    if (settings->driver) { /* it includes the first */
        status = write_driver(out->work, settings, "", driver, sizeof driver, error);
        inputs[0] = driver;
    }
    struct pl_build_options options = {
        .inputs = inputs,
        .input_count = settings->inputs.count,
        .flags = settings->flags.text,
        .flag_count = settings->flags.count,
        .cc = settings->cc,
        .compile_commands = settings->compile_commands,
        .allow_races = settings->races == PL_RACES_ALLOW,
        .native = settings->native,
        .coverage = settings->coverage ? PL_COVER : 0,
        .work = out->work,
        .runtime_dir = runtime,
        .include_dir = include,
        .stop = pl_interrupt_stop(),
    };
    if (!status)
        status = pl_build(&options, &out->built, error);
    bool in_driver = status == PL_ERR_INPUT && settings->driver &&
                     strncmp(error->text, driver, strlen(driver)) == 0;
    if (in_driver)
        explain(out, settings, &options);
    free(inputs);
    if (!status || *pl_interrupt_stop())
        return status;
    if (settings->driver && out->built.program && has_two_mains(out->built.diagnostics))
        return pl_fail(error, status,
                       "a file besides %s defines main, too, and only there it is put aside: leave "
                       "that file out",
                       settings->inputs.text[0]);
    if (out->built.diagnostics)
        print_diagnostics(out->built.diagnostics);
    return in_driver ? say_whose(settings, include, out->built.diagnostics, status, error) : status;
}

void pl_subject_release(struct pl_subject *s)
{
    pl_built_release(&s->built);
    for (size_t i = 0; s->argv && s->argv[i]; i++)
        free(s->argv[i]);
    free(s->argv);
    if (s->work)
        remove_tree(s->work);
    if (s->work)
        pl_interrupt_forget(s->work);
    free(s->work);
    *s = (struct pl_subject){0};
}

enum pl_status pl_subject_symbols(const struct pl_subject *s, const struct pl_settings *settings,
                                  const char *maps, struct pl_symbols **out, struct pl_error *error)
{
    enum pl_status status = pl_symbols_open(out, s->built.program, maps, error);
    for (size_t i = 0; !status && i < settings->inputs.count; i++)
        pl_symbols_name_file(*out, settings->inputs.text[i]);
    return status;
}
