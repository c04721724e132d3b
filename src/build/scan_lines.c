/*
 * From a place in an object file to a source line. libdwfl lays the sections of a
 * relocatable object out at addresses of its own choice; a place is found by the
 * address its section got. It costs much more than the scan itself, so it is
 * done only for objects with findings.
 */
#include "build/scan_object.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const Dwfl_Callbacks callbacks = {
    .find_elf = NULL,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
};

static bool address_of(Dwfl_Module *module, const struct pl_scan_finding *f, Dwarf_Addr *address)
{
    GElf_Addr bias = 0;
    GElf_Shdr header;
    Elf *elf = dwfl_module_getelf(module, &bias);

    if (!elf || f->section == 0 || !gelf_getshdr(elf_getscn(elf, f->section), &header))
        return false;
    *address = header.sh_addr + f->offset + bias;
    return true;
}

/* What a reader knows the file by: as the compiler was told, from the current directory,
   without detours. */
static void put_place(struct pl_scan_finding *f, const char *file, int line)
{
    char here[PATH_MAX], real[PATH_MAX];

    if (strstr(file, "/../") && realpath(file, real))
        file = real;
    if (getcwd(here, sizeof here)) {
        size_t n = strlen(here);
        if (strncmp(file, here, n) == 0 && file[n] == '/')
            file += n + 1;
    }
    while (strncmp(file, "./", 2) == 0)
        file += 2;
    size_t length = strlen(file), most = sizeof f->where - 16;
    (void)snprintf(f->where, sizeof f->where, "%.*s:%d", (int)most,
                   length > most ? file + length - most : file, line);
}

/* The line table is asked unit by unit: libdwfl's own search needs .debug_aranges, which
   clang does not write. */
static Dwarf_Line *line_of(Dwfl_Module *module, Dwarf_Addr address)
{
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = NULL;

    while ((unit = dwfl_module_nextcu(module, unit, &bias)) != NULL)
        if (dwarf_haspc(unit, address - bias) == 1)
            return dwarf_getsrc_die(unit, address - bias);
    return NULL;
}

static void locate(Dwfl_Module *module, struct pl_scan_finding *f)
{
    Dwarf_Addr address = 0;
    int number = 0;

    if (!address_of(module, f, &address))
        return;
    Dwarf_Line *line = line_of(module, address);
    const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
    if (file && dwarf_lineno(line, &number) == 0 && number > 0)
        put_place(f, file, number);
    const char *function = dwfl_module_addrname(module, address);
    if (function)
        (void)snprintf(f->function, sizeof f->function, "%s", function);
}

/* The file of an object: its name up to the member. */
static size_t file_length(const struct pl_scan_object *o)
{
    const char *member = o->name[strlen(o->name) - 1] == ')' ? strrchr(o->name, '(') : NULL;
    return member ? (size_t)(member - o->name) : strlen(o->name);
}

static bool same_file(const struct pl_scan_object *a, const struct pl_scan_object *b)
{
    return file_length(a) == file_length(b) && strncmp(a->name, b->name, file_length(a)) == 0;
}

/* An archive becomes one module for each member, named archive:member. */
static bool is_module_of(const struct pl_scan_object *o, const char *module)
{
    size_t n = file_length(o);

    if (o->name[n] == 0)
        return strcmp(module, o->name) == 0;
    size_t member = strlen(o->name) - n - 2;
    return strncmp(module, o->name, n) == 0 && module[n] == ':' &&
           strncmp(module + n + 1, o->name + n + 1, member) == 0 && module[n + 1 + member] == 0;
}

/* The findings of one file. */
struct search {
    struct pl_scan_findings *list;
    size_t first, end;
};

static int visit(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr start, void *arg)
{
    const struct search *s = arg;
    (void)data;
    (void)start;

    for (size_t i = s->first; i < s->end; i++)
        if (is_module_of(s->list->at[i].object, name))
            locate(module, &s->list->at[i]);
    return DWARF_CB_OK;
}

void pl_scan_lines(struct pl_scan_findings *list)
{
    for (size_t i = 0; i < list->count; i++)
        (void)snprintf(list->at[i].where, sizeof list->at[i].where, "%s", list->at[i].object->name);
    for (size_t i = 0, end; i < list->count; i = end) {
        const struct pl_scan_object *o = list->at[i].object;
        char path[4096];

        for (end = i; end < list->count && same_file(o, list->at[end].object); end++)
            ;
        (void)snprintf(path, sizeof path, "%.*s", (int)file_length(o), o->name);
        struct search s = {list, i, end};
        Dwfl *dwfl = dwfl_begin(&callbacks);
        if (!dwfl)
            continue;
        if (dwfl_report_offline(dwfl, path, path, -1)) {
            dwfl_report_end(dwfl, NULL, NULL);
            dwfl_getmodules(dwfl, visit, &s, 0);
        }
        dwfl_end(dwfl);
    }
}
