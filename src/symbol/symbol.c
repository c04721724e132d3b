/* Opening and closing; which modules the process has. */
#include "symbol/symbol.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbol/internal.h"

static int find_elf(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
                    char **file, Elf **elf)
{
    (void)module, (void)data, (void)base, (void)elf, (void)file;
    if (name[0] != '/')
        return -1;
    return open(name, O_RDONLY | O_CLOEXEC);
}

/* Only debug information inside the module itself: looking elsewhere may ask servers. */
static int find_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
                          const char *file, const char *link, GElf_Word crc, char **out)
{
    (void)module, (void)data, (void)name, (void)base;
    (void)file, (void)link, (void)crc, (void)out;
    return -1;
}

static const Dwfl_Callbacks callbacks = {
    .find_elf = find_elf,
    .find_debuginfo = find_debuginfo,
    .section_address = dwfl_offline_section_address,
};

static void report_maps(Dwfl *dwfl, const char *maps)
{
    char *copy = strdup(maps);
    PL_ASSERT(copy);
    FILE *file = *copy ? fmemopen(copy, strlen(copy), "r") : NULL;
    if (file) {
        (void)dwfl_linux_proc_maps_report(dwfl, file);
        (void)fclose(file);
    }
    free(copy);
}

enum pl_status pl_symbols_open(struct pl_symbols **out, const char *program, const char *maps,
                               struct pl_error *error)
{
    struct pl_symbols *s = calloc(1, sizeof *s);
    PL_ASSERT(s);
    char *directory = getcwd(NULL, 0);
    s->program = realpath(program, NULL);
    PL_ASSERT(asprintf(&s->directory, "%s/", directory ? directory : "") >= 0);
    free(directory);
    s->dwfl = dwfl_begin(&callbacks);
    if (!s->program || !s->dwfl) {
        pl_symbols_free(s);
        return pl_fail(error, PL_ERR_INPUT, "%s: cannot be read for its symbols", program);
    }
    dwfl_report_begin(s->dwfl);
    if (maps && strstr(maps, s->program))
        report_maps(s->dwfl, maps);
    else
        (void)dwfl_report_elf(s->dwfl, s->program, s->program, -1, 0, false);
    (void)dwfl_report_end(s->dwfl, NULL, NULL);
    symbol_read_functions(s);
    *out = s;
    return PL_OK;
}

void pl_symbols_free(struct pl_symbols *s)
{
    if (!s)
        return;
    if (s->dwfl)
        dwfl_end(s->dwfl);
    for (size_t i = 0; i < s->string_count; i++)
        free(s->strings[i]);
    for (size_t i = 0; i < s->given_count; i++) {
        free(s->given[i].full);
        free(s->given[i].given);
    }
    for (size_t i = 0; i < s->cache_room; i++)
        free(s->cache[i].frames);
    for (struct pl_type *type = s->types, *next; type; type = next) {
        next = type->next;
        free(type);
    }
    free(s->strings);
    free(s->given);
    free(s->functions);
    free(s->variables);
    free(s->cache);
    free(s->program);
    free(s->directory);
    free(s);
}
