/* Command lines from a table. */
#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_OPTIONS = 96 };

void pl_texts_add(struct pl_texts *texts, const char *text)
{
    const char **bigger = realloc(texts->text, (texts->count + 1) * sizeof *bigger);
    PL_ASSERT(bigger);
    texts->text = bigger;
    texts->text[texts->count++] = text;
}

void pl_texts_release(struct pl_texts *texts)
{
    free(texts->text);
    *texts = (struct pl_texts){0};
}

void pl_arguments_release(struct pl_arguments *arguments)
{
    pl_texts_release(&arguments->files);
    pl_texts_release(&arguments->rest);
}

static enum pl_status set_number(const struct pl_option *o, const char *value,
                                 struct pl_error *error)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(value, &end, 10);
    if (isdigit((unsigned char)value[0]) && !*end && errno == ERANGE)
        return pl_fail(error, PL_ERR_INPUT, "%s: %s is too large", o->name, value);
    if (!isdigit((unsigned char)value[0]) || *end || errno)
        return pl_fail(error, PL_ERR_INPUT, "%s: '%s' is not a whole number", o->name, value);
    if (number < o->least)
        return pl_fail(error, PL_ERR_INPUT, "%s: %s is too small; the least is %llu", o->name,
                       value, (unsigned long long)o->least);
    *(uint64_t *)o->target = number;
    return PL_OK;
}

static enum pl_status set_seconds(const struct pl_option *o, const char *value,
                                  struct pl_error *error)
{
    char *end;
    double number = strtod(value, &end);
    if (end == value || *end || !isfinite(number) || number <= 0)
        return pl_fail(error, PL_ERR_INPUT, "%s: '%s' is not a number of seconds above zero",
                       o->name, value);
    *(double *)o->target = number;
    return PL_OK;
}

static enum pl_status set_word(const struct pl_option *o, const char *value, struct pl_error *error)
{
    unsigned index = 0;
    for (const char *word = o->value; *word; index++) {
        size_t length = strcspn(word, "|");
        if (strlen(value) == length && strncmp(word, value, length) == 0) {
            *(unsigned *)o->target = index;
            return PL_OK;
        }
        word += length + (word[length] == '|');
    }
    return pl_fail(error, PL_ERR_INPUT, "%s: '%s' is none of %s", o->name, value, o->value);
}

static enum pl_status set(const struct pl_option *o, const char *value, struct pl_error *error)
{
    if (o->given)
        *o->given = true;
    switch (o->kind) {
    case PL_OPTION_FLAG:
        *(bool *)o->target = true;
        return PL_OK;
    case PL_OPTION_NUMBER:
        return set_number(o, value, error);
    case PL_OPTION_SECONDS:
        return set_seconds(o, value, error);
    case PL_OPTION_TEXT:
    case PL_OPTION_INPUT:
    case PL_OPTION_OUTPUT:
        if (!value[0])
            return pl_fail(error, PL_ERR_INPUT, "%s: needs a value (%s)", o->name, o->value);
        *(const char **)o->target = value;
        return PL_OK;
    case PL_OPTION_WORD:
        return set_word(o, value, error);
    case PL_OPTION_LIST:
        pl_texts_add(o->target, value);
        return PL_OK;
    }
    return PL_OK;
}

static enum pl_status unknown(const struct pl_option *table, size_t count, const char *name,
                              struct pl_error *error)
{
    const char *names[MOST_OPTIONS + 1];
    PL_ASSERT(count <= MOST_OPTIONS);
    for (size_t i = 0; i < count; i++)
        names[i] = table[i].name;
    names[count] = "--help";
    const char *near = pl_nearest(name, names, count + 1);
    if (near)
        return pl_fail(error, PL_ERR_INPUT, "unknown option %s; did you mean %s?", name, near);
    return pl_fail(error, PL_ERR_INPUT, "unknown option %s; --help lists the options", name);
}

/* One argument that starts with a dash; *next moves past a value taken from the line. */
static enum pl_status parse_one(const struct pl_option *table, size_t count, int argc,
                                char *const *argv, int *next, struct pl_error *error)
{
    const char *argument = argv[*next - 1];
    const char *equals = strchr(argument, '=');
    char name[64];
    (void)snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - argument) : 63, argument);
    for (size_t i = 0; i < count; i++) {
        const struct pl_option *o = &table[i];
        if (strcmp(o->name, name) != 0)
            continue;
        if (o->kind == PL_OPTION_FLAG) {
            if (equals)
                return pl_fail(error, PL_ERR_INPUT, "%s takes no value", o->name);
            return set(o, "", error);
        }
        if (equals)
            return set(o, equals + 1, error);
        if (*next >= argc)
            return pl_fail(error, PL_ERR_INPUT, "%s needs a value (%s)", o->name, o->value);
        return set(o, argv[(*next)++], error);
    }
    return unknown(table, count, name, error);
}

/* --- nothing that is read is overwritten ------------------------------------------- */

/* Is it one file, by whatever names? Only of files that have something to lose. */
static bool same_file(const char *output, const char *input)
{
    struct stat a, b;
    if (stat(output, &a) != 0 || !S_ISREG(a.st_mode))
        return false;
    if (strcmp(input, "-") == 0 ? fstat(0, &b) != 0 : stat(input, &b) != 0)
        return false;
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

enum pl_status pl_options_spare(const char *option, const char **output, const char *input,
                                struct pl_error *error)
{
    const char *file = *output;
    if (!file || !same_file(file, input))
        return PL_OK;
    *output = NULL;
    return pl_fail(error, PL_ERR_INPUT, "%s %s: it is read, too (%s), and would be overwritten",
                   option, file, strcmp(input, "-") == 0 ? "standard input" : input);
}

static enum pl_status spare_texts(const struct pl_option *o, const struct pl_texts *texts,
                                  struct pl_error *error)
{
    enum pl_status status = PL_OK;
    for (size_t i = 0; i < texts->count && !status; i++) {
        const char *text = texts->text[i]; /* perhaps @FILE */
        status = pl_options_spare(o->name, o->target, text + (text[0] == '@'), error);
    }
    return status;
}

/* An option that writes against another; a checkpoint may go on in the file it came from. */
static enum pl_status spare_option(const struct pl_option *o, const struct pl_option *other,
                                   struct pl_error *error)
{
    const char **output = o->target;
    if (other->kind == PL_OPTION_LIST)
        return spare_texts(o, other->target, error);
    if (other->kind != PL_OPTION_INPUT && other->kind != PL_OPTION_OUTPUT)
        return PL_OK;
    const char *file = *(const char **)other->target;
    if (!file || (strcmp(o->name, "--checkpoint") == 0 && strcmp(other->name, "--resume") == 0))
        return PL_OK;
    if (other->kind == PL_OPTION_INPUT)
        return pl_options_spare(o->name, output, file, error);
    struct stat there;
    bool is_there = stat(file, &there) == 0;
    if (is_there ? !same_file(*output, file) : strcmp(*output, file) != 0)
        return PL_OK;
    *output = NULL;
    return pl_fail(error, PL_ERR_INPUT, "%s and %s: one file cannot be both (%s)", other->name,
                   o->name, file);
}

static enum pl_status spare_inputs(const struct pl_option *table, size_t count,
                                   const struct pl_arguments *arguments, struct pl_error *error)
{
    enum pl_status first = PL_OK, status;
    struct pl_error told;
    for (size_t i = 0; i < count; i++) {
        const struct pl_option *o = &table[i];
        const char **output = o->target;
        if (o->kind != PL_OPTION_OUTPUT || !*output ||
            (strcmp(o->name, "--save") == 0 && strcmp(*output, "no") == 0))
            continue;
        status = spare_texts(o, &arguments->files, &told);
        if (!status)
            status = spare_texts(o, &arguments->rest, &told);
        for (size_t k = 0; k < count && !status; k++)
            if (k < i || table[k].kind != PL_OPTION_OUTPUT) /* of two outputs the later one */
                status = spare_option(o, &table[k], &told);
        if (status && !first)
            *error = told;
        first = first ? first : status;
    }
    return first;
}

enum pl_status pl_options_parse(const struct pl_option *table, size_t count, int argc,
                                char *const *argv, struct pl_arguments *out, struct pl_error *error)
{
    struct pl_error later;
    enum pl_status first = PL_OK; /* what is wrong first is told; --json may still come */
    *out = (struct pl_arguments){0};
    for (int i = 0; i < argc;) {
        const char *argument = argv[i++];
        if (strcmp(argument, "--") == 0) {
            while (i < argc)
                pl_texts_add(&out->rest, argv[i++]);
        } else if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
            out->help = true;
            return first;
        } else if (argument[0] == '-' && argument[1]) {
            enum pl_status status = parse_one(table, count, argc, argv, &i, first ? &later : error);
            first = first ? first : status;
        } else {
            pl_texts_add(&out->files, argument);
        }
    }
    enum pl_status spared = spare_inputs(table, count, out, first ? &later : error);
    return first ? first : spared;
}

void pl_options_help(const struct pl_option *table, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct pl_option *o = &table[i];
        char left[64];
        if (o->kind == PL_OPTION_FLAG)
            (void)snprintf(left, sizeof left, "%s", o->name);
        else
            (void)snprintf(left, sizeof left, "%s%s%s", o->name,
                           o->kind == PL_OPTION_WORD ? "=" : " ", o->value);
        (void)printf("  %-26s", left);
        if (strlen(left) > 25)
            (void)printf("\n  %-26s", "");
        (void)printf(" %s\n", o->help);
    }
    (void)printf("  %-26s %s\n", "--help", "this text");
}
