/* Calls out of the instrumented world: undefined symbols and where they are used. */
#include "build/scan_object.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pl_scan_names {
    const char **at;
    size_t count, room;
};

struct pl_scan_names *pl_scan_names_new(void)
{
    struct pl_scan_names *n = calloc(1, sizeof *n);
    PL_ASSERT(n != NULL);
    return n;
}

void pl_scan_names_free(struct pl_scan_names *n)
{
    free(n->at);
    free(n);
}

void pl_scan_names_add(struct pl_scan_names *n, const char *name)
{
    if (n->count == n->room) {
        n->room = n->room ? n->room * 2 : 256;
        const char **at = realloc(n->at, n->room * sizeof *at);
        PL_ASSERT(at != NULL);
        n->at = at;
    }
    n->at[n->count++] = name;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void pl_scan_names_close(struct pl_scan_names *n)
{
    if (n->count)
        qsort(n->at, n->count, sizeof *n->at, by_text);
}

bool pl_scan_names_has(const struct pl_scan_names *n, const char *name)
{
    return n->count && bsearch(&name, n->at, n->count, sizeof *n->at, by_text);
}

struct use {
    size_t section;
    uint64_t offset;
};

/* The first use of each symbol in code; section 0: none. */
static struct use *first_uses(const struct pl_scan_object *o)
{
    struct use *uses = calloc(o->symbol_count + 1, sizeof *uses);
    Elf_Scn *scn = NULL;

    PL_ASSERT(uses != NULL);
    while ((scn = elf_nextscn(o->elf, scn)) != NULL) {
        GElf_Shdr header, target;
        GElf_Rela rela;

        if (!gelf_getshdr(scn, &header) || header.sh_type != SHT_RELA ||
            !gelf_getshdr(elf_getscn(o->elf, header.sh_info), &target) ||
            !(target.sh_flags & SHF_EXECINSTR))
            continue;
        Elf_Data *data = elf_getdata(scn, NULL);
        for (int i = 0; data && gelf_getrela(data, i, &rela); i++) {
            size_t symbol = GELF_R_SYM(rela.r_info);
            if (symbol < o->symbol_count && uses[symbol].section == 0)
                uses[symbol] = (struct use){header.sh_info, rela.r_offset};
        }
    }
    return uses;
}

void pl_scan_calls(const struct pl_scan_object *o, const struct pl_scan_names *defined,
                   struct pl_scan_findings *out)
{
    struct use *uses = first_uses(o);
    GElf_Sym s;

    for (size_t i = 1; i < o->symbol_count; i++) {
        if (!gelf_getsym(o->symbols, (int)i, &s) || s.st_shndx != SHN_UNDEF)
            continue;
        const char *name = pl_scan_symbol_name(o, &s);
        if (!*name || pl_scan_names_has(defined, name))
            continue;
        enum pl_known known = pl_known_function(name);
        if (known == PL_KNOWN_HARMLESS)
            continue;
        struct pl_scan_finding *f = pl_scan_add(out);
        f->object = o;
        f->section = uses[i].section;
        f->offset = uses[i].offset;
        f->known = known;
        (void)snprintf(f->what, sizeof f->what, "%s", name);
    }
    free(uses);
}
