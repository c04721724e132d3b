/* The scan as a whole: load, search, group, word. See scan.h and scan_object.h. */
#include "build/scan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "build/scan_object.h"
#include "build/scan_words.h"

/* A loaded file: its descriptor, and the Elf of the archive if it is one. */
struct file {
    int fd;
    Elf *elf;
};

struct scan {
    struct file *files;
    struct pl_scan_object *objects;
    size_t file_count, object_count, object_room;
    struct pl_scan_names *defined;
    struct pl_scan_findings findings;
};

struct pl_scan_finding *pl_scan_add(struct pl_scan_findings *list)
{
    if (list->count == list->room) {
        list->room = list->room ? list->room * 2 : 32;
        struct pl_scan_finding *at = realloc(list->at, list->room * sizeof *at);
        PL_ASSERT(at != NULL);
        list->at = at;
    }
    struct pl_scan_finding *f = &list->at[list->count++];
    memset(f, 0, sizeof *f);
    return f;
}

static enum pl_status add_object(struct scan *s, Elf *elf, const char *name, struct pl_error *error)
{
    if (s->object_count == s->object_room) {
        s->object_room = s->object_room ? s->object_room * 2 : 16;
        struct pl_scan_object *at = realloc(s->objects, s->object_room * sizeof *at);
        PL_ASSERT(at != NULL);
        s->objects = at;
    }
    enum pl_status status = pl_scan_load(&s->objects[s->object_count], elf, name, error);
    s->object_count++; /* after a failure too: the release ends its Elf */
    return status;
}

static enum pl_status add_members(struct scan *s, struct file *f, const char *path,
                                  struct pl_error *error)
{
    enum pl_status status = PL_OK;
    Elf_Cmd command = ELF_C_READ_MMAP;
    Elf *member;

    while (status == PL_OK && (member = elf_begin(f->fd, command, f->elf)) != NULL) {
        const Elf_Arhdr *header = elf_getarhdr(member);
        struct pl_strbuf name;

        pl_strbuf_init(&name);
        pl_strbuf_addf(&name, "%s(%s)", path, header ? header->ar_name : "");
        command = elf_next(member); /* and the header is gone */
        if (elf_kind(member) == ELF_K_ELF || pl_scan_for_link_time(member))
            status = add_object(s, member, name.text, error);
        else
            elf_end(member); /* the archive's own index, or no object */
        pl_strbuf_release(&name);
    }
    return status;
}

static enum pl_status load(struct scan *s, const char *path, struct pl_error *error)
{
    struct file *f = &s->files[s->file_count];

    f->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (f->fd < 0)
        return pl_fail(error, PL_ERR_INPUT, "cannot read %s: %s", path, strerror(errno));
    s->file_count++;
    f->elf = elf_begin(f->fd, ELF_C_READ_MMAP, NULL);
    if (!f->elf)
        return pl_fail(error, PL_ERR_INPUT, "%s is not an object file", path);
    if (elf_kind(f->elf) == ELF_K_AR)
        return add_members(s, f, path, error);
    Elf *elf = f->elf;
    f->elf = NULL; /* the object has it now */
    return add_object(s, elf, path, error);
}

/* What instrumented files define is seen, whoever calls it. */
static void collect_names(struct scan *s, struct pl_scan_result *out)
{
    for (size_t i = 0; i < s->object_count; i++) {
        const struct pl_scan_object *o = &s->objects[i];
        GElf_Sym symbol;

        out->has_unseen |= !o->shared && !o->instrumented && o->has_code;
        for (size_t j = 1; j < o->symbol_count; j++) {
            if (!gelf_getsym(o->symbols, (int)j, &symbol) || symbol.st_shndx == SHN_UNDEF ||
                GELF_ST_BIND(symbol.st_info) == STB_LOCAL)
                continue;
            const char *name = pl_scan_symbol_name(o, &symbol);
            if (!o->shared && strcmp(name, "main") == 0)
                out->has_main = true;
            /* An object that is not instrumented is warned of as a whole; a shared
               one is not, so that its functions must be named. */
            if (o->instrumented || !o->shared)
                pl_scan_names_add(s->defined, name);
        }
    }
    pl_scan_names_close(s->defined);
}

static enum pl_status search(struct scan *s, struct pl_error *error)
{
    enum pl_status status = PL_OK;

    for (size_t i = 0; i < s->object_count && status == PL_OK; i++) {
        const struct pl_scan_object *o = &s->objects[i];
        if (o->shared || !o->instrumented)
            continue;
        status = pl_scan_code(o, &s->findings, error);
        pl_scan_calls(o, s->defined, &s->findings);
    }
    if (status == PL_OK && s->findings.count)
        pl_scan_lines(&s->findings);
    return status;
}

static void end(struct scan *s)
{
    for (size_t i = 0; i < s->object_count; i++) {
        elf_end(s->objects[i].elf);
        free(s->objects[i].name);
    }
    for (size_t i = 0; i < s->file_count; i++) {
        elf_end(s->files[i].elf);
        close(s->files[i].fd);
    }
    free(s->objects);
    free(s->files);
    free(s->findings.at);
    pl_scan_names_free(s->defined);
}

enum pl_status pl_scan(struct pl_scan_result *out, const struct pl_words *files,
                       struct pl_error *error)
{
    struct scan s = {0};
    enum pl_status status = PL_OK;

    *out = (struct pl_scan_result){0};
    elf_version(EV_CURRENT);
    s.files = calloc(files->count + 1, sizeof *s.files);
    PL_ASSERT(s.files != NULL);
    s.defined = pl_scan_names_new();
    for (size_t i = 0; i < files->count && status == PL_OK; i++)
        status = load(&s, files->at[i], error);
    if (status == PL_OK) {
        collect_names(&s, out);
        status = search(&s, error);
    }
    if (status == PL_OK)
        pl_scan_word(&out->warnings, s.objects, s.object_count, &s.findings);
    end(&s);
    return status;
}

void pl_scan_release(struct pl_scan_result *result)
{
    pl_words_release(&result->warnings);
}
