/* See build.h. The order: check, sort flags, compile, scan, link. */
#include "build/build.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "build/compiler.h"
#include "build/database.h"
#include "build/flags.h"
#include "build/link.h"
#include "build/prelude.h"
#include "build/scan.h"
#include "build/spawn.h"

/* All that one build needs; a directory of ours is absolute, for a file of a
   compilation database is compiled elsewhere. */
struct build {
    const struct pl_build_options *options;
    struct pl_built *out;
    struct pl_compiler compiler;
    struct pl_database *database; /* NULL: none */
    struct pl_flags flags;
    struct pl_words link_files; /* objects and libraries, in the order given */
    char *work, *prelude, *include_dir, *runtime_dir;
    bool has_cxx;
};

/* One compiler under way. */
struct job {
    const char *source, *driver;
    char *object, *log;
    unsigned level; /* of optimisation */
    pid_t pid;
};

static enum pl_status check_inputs(struct build *b, struct pl_error *error)
{
    const struct pl_build_options *o = b->options;

    if (o->input_count == 0)
        return pl_fail(error, PL_ERR_INPUT, "no file is given: name at least one source file");
    for (size_t i = 0; i < o->input_count; i++) {
        const char *path = o->inputs[i];
        enum pl_kind kind = pl_kind_of(path);
        struct stat about;

        if (stat(path, &about) != 0 || access(path, R_OK) != 0)
            return pl_fail(error, PL_ERR_INPUT, "cannot read %s: %s", path, strerror(errno));
        if (S_ISDIR(about.st_mode))
            return pl_fail(error, PL_ERR_INPUT, "cannot read %s: it is a directory", path);
        if (kind == PL_KIND_UNKNOWN)
            return pl_fail(error, PL_ERR_INPUT,
                           "cannot use %s: not C (.c), C++ (.cc .cpp .cxx .c++ .C), an object "
                           "(.o) or a library (.a .so)",
                           path);
        b->has_cxx |= kind == PL_KIND_CXX;
    }
    return PL_OK;
}

static char *in_work(const struct build *b, const char *name)
{
    struct pl_strbuf path;

    pl_strbuf_init(&path);
    pl_strbuf_addf(&path, "%s/%s", b->work, name);
    return pl_strbuf_detach(&path);
}

static enum pl_status absolute(char **out, const char *path, struct pl_error *error)
{
    *out = path ? realpath(path, NULL) : NULL;
    return *out || !path ? PL_OK : pl_fail_errno(error, "cannot use %s", path);
}

static enum pl_status prepare(struct build *b, struct pl_error *error)
{
    const struct pl_build_options *o = b->options;
    struct pl_words given = {0};
    enum pl_status status = check_inputs(b, error);

    if (status == PL_OK)
        status = absolute(&b->work, o->work, error);
    if (status == PL_OK)
        status = absolute(&b->include_dir, o->include_dir, error);
    if (status == PL_OK)
        status = absolute(&b->runtime_dir, o->runtime_dir, error);
    if (status == PL_OK)
        status = pl_compiler_find(&b->compiler, o->cc, b->work, error);
    b->compiler.own = b->compiler.own && !o->native;
    for (size_t i = 0; i < o->flag_count; i++)
        pl_words_add(&given, o->flags[i]);
    if (status == PL_OK)
        status = pl_flags_sort(&b->flags, &given, NULL, error);
    pl_words_release(&given);
    if (status == PL_OK && o->compile_commands)
        status = pl_database_open(&b->database, o->compile_commands, error);
    if (status == PL_OK) {
        b->prelude = in_work(b, "prelude.h");
        status = pl_prelude_write(b->prelude, error);
    }
    return status;
}

/* The user's flags for a file: those of the database, then those of the command line. */
static enum pl_status flags_of(const struct build *b, const char *source, struct pl_words *out,
                               char **directory, struct pl_error *error)
{
    struct pl_words words = {0};
    struct pl_flags sorted = {0};
    enum pl_status status = PL_OK;

    if (b->database) {
        status = pl_database_find(b->database, source, &words, directory, error);
        if (status == PL_OK)
            status = pl_flags_sort(&sorted, &words, source, error);
        pl_words_add_all(out, &sorted.compile);
    }
    pl_words_add_all(out, &b->flags.compile);
    pl_words_release(&words);
    pl_flags_release(&sorted);
    return status;
}

/* x.c.o and what goes with it: x.c.l, what the compiler says; x.c.b, the bitcode. */
static char *beside(const char *object, char ending)
{
    char *path = strdup(object);

    PL_ASSERT(path != NULL);
    path[strlen(path) - 1] = ending;
    return path;
}

static enum pl_status start(struct build *b, struct job *job, struct pl_error *error)
{
    struct pl_target target = {.clang = b->compiler.clang,
                               .own = b->compiler.own,
                               .cxx = pl_kind_of(job->source) == PL_KIND_CXX,
                               .allow_races = b->options->allow_races,
                               .native = b->options->native,
                               .prelude = b->prelude,
                               .include_dir = b->include_dir};
    struct pl_words argv = {0}, user = {0};
    char *directory = NULL;
    /* As the user wrote it, so that messages and reports show that; but compiled
       in another directory the name must hold there. */
    char *real = b->database ? realpath(job->source, NULL) : NULL;

    job->driver = target.cxx ? b->compiler.cxx : b->compiler.c;
    enum pl_status status = flags_of(b, job->source, &user, &directory, error);
    if (status == PL_OK) {
        pl_words_add(&argv, job->driver);
        char *bitcode = b->compiler.own ? beside(job->object, 'b') : NULL;
        pl_flags_compile(&argv, &target, &user);
        job->level = pl_flags_level(&argv);
        pl_words_add(&argv, "-c");
        pl_words_add(&argv, "-o");
        pl_words_add(&argv, bitcode ? bitcode : job->object);
        free(bitcode);
        if (job->source[0] == '-' && !real) /* not a flag */
            pl_words_addf(&argv, "./%s", job->source);
        else
            pl_words_add(&argv, real ? real : job->source);
        pid_t pid = 0; /* not of the job's: an analyzer would take all of the job for changed */
        status = pl_spawn(&argv, directory, job->log, &pid, error);
        job->pid = pid;
    }
    pl_words_release(&argv);
    pl_words_release(&user);
    free(directory);
    free(real);
    return status;
}

/* The second step of the own front end, which must not fail on what clang made. */
static enum pl_status instrument(struct build *b, struct job *job, struct pl_error *error)
{
    struct pl_words argv = {0};
    char *bitcode = beside(job->object, 'b');

    pl_words_addf(&argv, "%s/plumb-instrument", b->runtime_dir);
    pl_words_addf(&argv, "-O%u", job->level);
    pl_words_add(&argv, "--volatile-values");
    if (b->options->allow_races)
        pl_words_add(&argv, "--plain-values");
    if (b->options->coverage)
        pl_words_addf(&argv, "--coverage=%#llx", (unsigned long long)b->options->coverage);
    pl_words_add(&argv, bitcode);
    pl_words_add(&argv, "-o");
    pl_words_add(&argv, job->object);
    job->driver = "plumb-instrument";
    pid_t pid = 0; /* as in start() */
    enum pl_status status = pl_spawn(&argv, NULL, job->log, &pid, error);
    job->pid = pid;
    pl_words_release(&argv);
    free(bitcode);
    return status;
}

static enum pl_status finish(struct build *b, struct job *job, struct pl_error *error)
{
    struct pl_strbuf text;
    int code = pl_spawn_wait(job->pid, b->options->stop);

    job->pid = 0;
    if (code == 0 && b->compiler.own) {
        enum pl_status status = instrument(b, job, error);
        if (status != PL_OK)
            return status;
        code = pl_spawn_wait(job->pid, b->options->stop);
        job->pid = 0;
    }
    if (code == 0)
        return PL_OK;
    pl_strbuf_init(&text);
    pl_spawn_read(&text, job->log);
    free(b->out->diagnostics);
    b->out->diagnostics = pl_strbuf_detach(&text);
    if (code > 128) /* no fault of the source's */
        return pl_fail(error, PL_ERR_SYSTEM,
                       "%s: %s ended with signal %d; another compiler may do (--cc)", job->source,
                       job->driver, code - 128);
    return pl_fail(error, PL_ERR_INPUT, "%s does not compile (%s exited with %d)", job->source,
                   job->driver, code);
}

/*
 * Jobs are a ring: before one starts in a place, the one that had it is waited
 * for. The first failure is the one reported; what runs then is waited for, since
 * it writes into the work directory.
 */
static enum pl_status compile_all(struct build *b, struct pl_error *error)
{
    enum { PLACES = 64 };
    struct job jobs[PLACES] = {0};
    size_t places = b->options->jobs ? b->options->jobs : 2, next = 0;
    enum pl_status status = PL_OK;

    if (places > PLACES)
        places = PLACES;
    for (size_t i = 0; i < b->options->input_count && status == PL_OK; i++) {
        const char *source = b->options->inputs[i];
        enum pl_kind kind = pl_kind_of(source);
        struct job *job = &jobs[next % places];
        struct pl_strbuf object;

        if (kind != PL_KIND_C && kind != PL_KIND_CXX) {
            pl_words_add(&b->link_files, source);
            continue;
        }
        if (job->pid)
            status = finish(b, job, error);
        if (status != PL_OK)
            break;
        const char *slash = strrchr(source, '/');
        pl_strbuf_init(&object);
        pl_strbuf_addf(&object, "%s/%zu-%s.o", b->work, i, slash ? slash + 1 : source);
        pl_words_add(&b->link_files, object.text);
        free(job->log);
        free(job->object);
        *job = (struct job){.source = source, .log = beside(object.text, 'l')};
        job->object = pl_strbuf_detach(&object);
        status = start(b, job, error);
        next++;
    }
    for (size_t i = 0; i < places; i++) {
        struct job *job = &jobs[(next + i) % places];
        if (job->pid && status == PL_OK)
            status = finish(b, job, error);
        else if (job->pid)
            pl_spawn_wait(job->pid, b->options->stop);
        free(job->log);
        free(job->object);
    }
    return status;
}

enum pl_status pl_build(const struct pl_build_options *options, struct pl_built *out,
                        struct pl_error *error)
{
    struct build b = {.options = options, .out = out};
    struct pl_scan_result scan = {0};

    *out = (struct pl_built){.diagnostics = strdup("")};
    enum pl_status status = prepare(&b, error);
    if (status == PL_OK)
        status = compile_all(&b, error);
    scan.has_main = options->native;
    if (status == PL_OK && !options->native) {
        struct pl_words files = {0};
        pl_link_files(&files, &b.link_files, &b.flags.link);
        pl_words_addf(&files, "%s/libplumb_rt.so", b.runtime_dir);
        status = pl_scan(&scan, &files, error);
        pl_words_release(&files);
    }
    if (status == PL_OK) {
        struct pl_link link = {.driver = b.has_cxx ? b.compiler.cxx : b.compiler.c,
                               .files = &b.link_files,
                               .flags = &b.flags.link,
                               .work = b.work,
                               .runtime_dir = b.runtime_dir,
                               .has_main = scan.has_main,
                               .native = options->native,
                               .stop = options->stop};
        out->program = in_work(&b, "program");
        status = pl_link(&link, out->program, &out->diagnostics, error);
    }
    out->has_unseen = scan.has_unseen;
    pl_words_add_all(&out->warnings, &scan.warnings);
    pl_scan_release(&scan);
    pl_compiler_release(&b.compiler);
    pl_database_free(b.database);
    pl_flags_release(&b.flags);
    pl_words_release(&b.link_files);
    free(b.work);
    free(b.prelude);
    free(b.include_dir);
    free(b.runtime_dir);
    return status;
}

void pl_built_release(struct pl_built *built)
{
    free(built->program);
    free(built->diagnostics);
    pl_words_release(&built->warnings);
    *built = (struct pl_built){0};
}
