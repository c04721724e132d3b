/* Lines and branches that were reached: see cover.h. */
#include "cli/cover.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbol/symbol.h"

enum { MOST_SHOWN = 8 };

/* B and J of the table. */
struct entry {
    char kind;
    uint32_t place; /* its byte, counted from the first of all modules */
    unsigned line;
    const char *file;
};

struct start {
    unsigned line;
    const char *name, *file;
};

struct pl_cover {
    char *text; /* the table */
    struct entry *entry;
    size_t entries, entry_room;
    struct start *start;
    size_t starts, start_room;
    struct pl_texts files, names; /* as shown; owned */
    const char *last_path, *last; /* while it is read */
    uint8_t *reached;             /* shared */
};

/* ---- reading ---- */

static char *copy_of(const Elf_Data *data)
{
    char *text = malloc(data->d_size + 1);
    PL_ASSERT(text);
    memcpy(text, data->d_buf, data->d_size);
    text[data->d_size] = '\0';
    return text;
}

static char *read_section(const char *program, size_t *length)
{
    int fd = open(program, O_RDONLY | O_CLOEXEC);
    char *text = NULL;
    size_t names;
    *length = 0;
    (void)elf_version(EV_CURRENT);
    Elf *elf = fd >= 0 ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
    if (elf && elf_getshdrstrndx(elf, &names) == 0)
        for (Elf_Scn *section = NULL; !text && (section = elf_nextscn(elf, section));) {
            GElf_Shdr header;
            const char *name =
                gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
            Elf_Data *data =
                name && strcmp(name, "plumb_blocks") == 0 ? elf_getdata(section, NULL) : NULL;
            if (!data || !data->d_buf)
                continue;
            text = copy_of(data);
            *length = data->d_size;
        }
    if (elf)
        (void)elf_end(elf);
    if (fd >= 0)
        (void)close(fd);
    return text;
}

static void *grow(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return array;
    *room = *room ? 2 * *room : 256;
    void *bigger = realloc(array, *room * size);
    PL_ASSERT(bigger);
    return bigger;
}

/* A file as the user knows it; NULL: it is not the user's. */
static const char *file_of(struct pl_cover *c, const char *path, const char *work,
                           const struct pl_texts *inputs)
{
    char real[PATH_MAX], given[PATH_MAX], here[PATH_MAX];
    if (c->last_path && strcmp(c->last_path, path) == 0)
        return c->last; /* most often the same again */
    c->last_path = path;
    c->last = NULL;
    if (!realpath(path, real) || strncmp(real, "/usr/", 5) == 0 ||
        strstr(real, "/include/plumb") || /* ours */
        strncmp(real, work, strlen(work)) == 0)
        return NULL;
    const char *shown = real;
    for (size_t i = 0; i < inputs->count; i++)
        if (realpath(inputs->text[i], given) && strcmp(given, real) == 0)
            shown = inputs->text[i];
    if (shown == real && getcwd(here, sizeof here) && strncmp(real, here, strlen(here)) == 0 &&
        real[strlen(here)] == '/')
        shown = real + strlen(here) + 1;
    for (size_t i = 0; i < c->files.count && !c->last; i++)
        if (strcmp(c->files.text[i], shown) == 0)
            c->last = c->files.text[i];
    if (!c->last) {
        char *kept = strdup(shown);
        PL_ASSERT(kept);
        pl_texts_add(&c->files, kept);
        c->last = kept;
    }
    return c->last;
}

/* One line of the table, without its end. */
static void read_line(struct pl_cover *c, char *line, uint64_t *base, const char *work,
                      const struct pl_texts *inputs)
{
    char *rest, *tab = strchr(line, '\t');
    if (line[0] == 'M')
        *base = strtoull(line + 1, NULL, 10);
    if (!tab || tab[1] == '\0')
        return;
    *tab = '\0';
    const char *file = file_of(c, tab + 1, work, inputs);
    if (!file)
        return;
    unsigned long first = strtoul(line + 1, &rest, 10);
    if (line[0] == 'F') {
        c->start = grow(c->start, c->starts, &c->start_room, sizeof *c->start);
        char *name = pl_symbol_plain(rest + 1);
        pl_texts_add(&c->names, name);
        c->start[c->starts++] = (struct start){.line = (unsigned)first, .name = name, .file = file};
    } else if (line[0] == 'B' || line[0] == 'J') {
        uint64_t place = *base + first;
        if (place + 2 > PL_COVER_BYTES)
            return;
        c->entry = grow(c->entry, c->entries, &c->entry_room, sizeof *c->entry);
        c->entry[c->entries++] = (struct entry){.kind = line[0],
                                                .place = (uint32_t)place,
                                                .line = (unsigned)strtoul(rest, NULL, 10),
                                                .file = file};
    }
}

/* By file and line, branches after lines. */
static int by_line(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int file = strcmp(x->file, y->file);
    if (file || x->line != y->line)
        return file ? file : x->line < y->line ? -1 : 1;
    return x->kind != y->kind ? x->kind - y->kind : x->place < y->place ? -1 : x->place > y->place;
}

static const char *function_of(const struct pl_cover *c, const char *file, unsigned line)
{
    const struct start *best = NULL;
    for (size_t i = 0; i < c->starts; i++)
        if (c->start[i].file == file && c->start[i].line <= line &&
            (!best || c->start[i].line > best->line))
            best = &c->start[i];
    return best ? best->name : "";
}

/* PLUMB_STEP or PLUMB_START of a written spec: it is run by the decider, not in executions. */
static bool is_step(const char *function)
{
    return strstr(function, "plumb_step") || strstr(function, "plumb_start_of") ||
           strstr(function, "plumb_spec_start");
}

/* Of a spec: a step, or anything of a file that is the spec's alone. Or the subject's own main. */
static bool is_of_spec(const struct pl_cover *c, const struct entry *e,
                       const struct pl_texts *inputs)
{
    const char *function = function_of(c, e->file, e->line);
    if (is_step(function) || strstr(function, "plumb_own_main")) /* put aside: driver.c */
        return true;
    for (size_t i = 0; i < inputs->count; i++)
        if (strcmp(inputs->text[i], e->file) == 0)
            return false;
    for (size_t i = 0; i < c->starts; i++)
        if (c->start[i].file == e->file && is_step(c->start[i].name))
            return true;
    return false;
}

static void leave_out_spec(struct pl_cover *c, const struct pl_texts *inputs)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->entries; i++)
        if (!is_of_spec(c, &c->entry[i], inputs))
            c->entry[kept++] = c->entry[i];
    c->entries = kept;
}

enum pl_status pl_cover_open(struct pl_cover **out, const char *program, const char *work,
                             const struct pl_texts *inputs, struct pl_error *error)
{
    size_t length;
    uint64_t base = 0;
    char *text = read_section(program, &length);
    *out = NULL;
    if (!text)
        return PL_OK;
    struct pl_cover *c = calloc(1, sizeof *c);
    PL_ASSERT(c);
    c->text = text;
    for (char *at = text, *end; at < text + length; at = end + 1) {
        end = memchr(at, '\n', (size_t)(text + length - at));
        if (!end)
            break;
        *end = '\0';
        read_line(c, at, &base, work, inputs);
    }
    leave_out_spec(c, inputs);
    if (c->entries)
        qsort(c->entry, c->entries, sizeof *c->entry, by_line);
    c->reached =
        mmap(NULL, PL_COVER_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (c->reached == MAP_FAILED) {
        c->reached = NULL;
        pl_cover_free(c);
        return pl_fail_errno(error, "memory for coverage");
    }
    *out = c;
    return PL_OK;
}

void pl_cover_free(struct pl_cover *c)
{
    if (!c)
        return;
    if (c->reached)
        (void)munmap(c->reached, PL_COVER_BYTES);
    for (size_t i = 0; i < c->files.count; i++)
        free((void *)(uintptr_t)c->files.text[i]);
    for (size_t i = 0; i < c->names.count; i++)
        free((void *)(uintptr_t)c->names.text[i]);
    pl_texts_release(&c->files);
    pl_texts_release(&c->names);
    free(c->entry);
    free(c->start);
    free(c->text);
    free(c);
}

void pl_cover_add(struct pl_cover *c, const struct pl_wire *wire)
{
    for (size_t i = 0; i < c->entries; i++) {
        uint32_t place = c->entry[i].place;
        for (unsigned k = 0; k < (c->entry[i].kind == 'J' ? 2 : 1); k++)
            if (wire->reached[place + k])
                __atomic_store_n(&c->reached[place + k], 1, __ATOMIC_RELAXED);
    }
}

/* ---- saying ---- */

/* The entries of one line, from i on; what they say of it. */
struct line {
    size_t next;
    bool has_code, reached;
};

static struct line look_at(const struct pl_cover *c, size_t i)
{
    struct line line = {.next = i};
    const struct entry *first = &c->entry[i];
    for (; line.next < c->entries && c->entry[line.next].file == first->file &&
           c->entry[line.next].line == first->line;
         line.next++) {
        const struct entry *e = &c->entry[line.next];
        line.has_code |= e->kind == 'B';
        line.reached |= e->kind == 'B' && c->reached[e->place];
    }
    return line;
}

/* A branch of the line that goes one way only. The same branch may be there several times, inlined:
 * then any of them will do. 0: none, 1: never true, 2: never false. */
static int one_way(const struct pl_cover *c, size_t i, size_t next)
{
    bool way[2] = {false, false}, branches = false;
    for (; i < next; i++)
        if (c->entry[i].kind == 'J') {
            branches = true;
            way[0] |= c->reached[c->entry[i].place];
            way[1] |= c->reached[c->entry[i].place + 1];
        }
    return !branches || way[0] == way[1] ? 0 : way[0] ? 1 : 2;
}

void pl_cover_print(const struct pl_cover *c)
{
    unsigned shown = 0, more = 0;
    struct line line;
    for (size_t i = 0; i < c->entries; i = line.next) {
        const struct entry *e = &c->entry[i];
        line = look_at(c, i);
        if (!line.has_code || line.reached)
            continue;
        size_t k = line.next; /* neighbours of the same function are one */
        unsigned last = e->line;
        const char *function = function_of(c, e->file, e->line);
        while (k < c->entries && c->entry[k].file == e->file && c->entry[k].line <= last + 2 &&
               strcmp(function_of(c, e->file, c->entry[k].line), function) == 0) {
            struct line after = look_at(c, k);
            if (after.has_code && after.reached)
                break;
            last = c->entry[k].line;
            k = line.next = after.next;
        }
        if (shown == MOST_SHOWN) {
            more++;
            continue;
        }
        (void)printf("%s%s:%u", shown++ ? ", " : "  not reached by any test: ", e->file, e->line);
        if (last != e->line)
            (void)printf("-%u", last);
        if (function[0])
            (void)printf(" (%s)", function);
    }
    if (more)
        (void)printf(" and %u more (--json has all)", more);
    if (shown)
        (void)printf("\n");
    shown = more = 0;
    for (size_t i = 0; i < c->entries; i = line.next) {
        const struct entry *e = &c->entry[i];
        line = look_at(c, i);
        int way = line.reached ? one_way(c, i, line.next) : 0;
        if (!way)
            continue;
        if (shown == MOST_SHOWN) {
            more++;
            continue;
        }
        (void)printf("%s%s:%u", shown++ ? ", " : "  branches that went one way only: ", e->file,
                     e->line);
        const char *function = function_of(c, e->file, e->line);
        if (function[0])
            (void)printf(" (%s)", function);
    }
    if (more)
        (void)printf(" and %u more (--json has all)", more);
    if (shown)
        (void)printf("\n");
}

json_t *pl_cover_json(const struct pl_cover *c)
{
    json_t *lines = json_array(), *branches = json_array();
    json_int_t all = 0;
    struct line line;
    for (size_t i = 0; i < c->entries; i = line.next) {
        const struct entry *e = &c->entry[i];
        line = look_at(c, i);
        all += line.has_code;
        bool unreached = line.has_code && !line.reached;
        if (!unreached && !(line.reached && one_way(c, i, line.next)))
            continue;
        json_array_append_new(unreached ? lines : branches,
                              json_pack("{s:s, s:i, s:s}", "file", e->file, "line", (int)e->line,
                                        "function", function_of(c, e->file, e->line)));
    }
    return json_pack("{s:I, s:o, s:o}", "lines", all, "not_reached", lines, "one_way", branches);
}
