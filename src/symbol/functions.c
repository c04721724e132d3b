/*
 * The table of all functions with code. Built by walking the debug information,
 * because clang writes no .debug_aranges, which libdwfl's own lookup needs.
 */
#include <stdlib.h>
#include <string.h>

#include "symbol/internal.h"

static void add_function(struct pl_symbols *s, Dwarf_Die *die, Dwarf_Die *unit, uint64_t bias)
{
    Dwarf_Addr base, start, end;
    for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &start, &end)) > 0;) {
        if (start >= end || start == 0) /* 0: dropped by the linker */
            continue;
        s->functions =
            symbol_grow(s->functions, s->function_count, &s->function_room, sizeof *s->functions);
        s->functions[s->function_count++] = (struct function){
            .start = start + bias, .end = end + bias, .bias = bias, .die = *die, .unit = *unit};
    }
}

static void walk(struct pl_symbols *s, Dwarf_Die *parent, Dwarf_Die *unit, uint64_t bias)
{
    Dwarf_Die die;
    if (dwarf_child(parent, &die) != 0)
        return;
    do {
        switch (dwarf_tag(&die)) {
        case DW_TAG_subprogram:
            add_function(s, &die, unit, bias);
            walk(s, &die, unit, bias); /* member functions of local classes */
            break;
        case DW_TAG_namespace:
        case DW_TAG_class_type:
        case DW_TAG_structure_type:
        case DW_TAG_union_type:
        case DW_TAG_lexical_block:
            walk(s, &die, unit, bias);
            break;
        default:
            break;
        }
    } while (dwarf_siblingof(&die, &die) == 0);
}

static int read_module(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
                       void *context)
{
    (void)data, (void)name, (void)base;
    struct pl_symbols *s = context;
    Dwarf_Addr bias;
    if (!dwfl_module_getdwarf(module, &bias))
        return DWARF_CB_OK;
    Dwarf_Die *unit = NULL;
    while ((unit = dwfl_module_nextcu(module, unit, &bias)))
        walk(s, unit, unit, bias);
    return DWARF_CB_OK;
}

static int by_start(const void *a, const void *b)
{
    const struct function *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

void symbol_read_functions(struct pl_symbols *s)
{
    (void)dwfl_getmodules(s->dwfl, read_module, s, 0);
    if (s->function_count)
        qsort(s->functions, s->function_count, sizeof *s->functions, by_start);
}

struct function *symbol_function(struct pl_symbols *s, uint64_t address)
{
    size_t low = 0, high = s->function_count;
    while (low < high) { /* the first that starts after the address */
        size_t middle = (low + high) / 2;
        if (s->functions[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    /* A few steps back: folded functions may share a start. */
    for (size_t i = low, tries = 0; i-- > 0 && tries < 4; tries++)
        if (address < s->functions[i].end)
            return &s->functions[i];
    return NULL;
}

const char *pl_symbols_function_at(struct pl_symbols *s, uint64_t address)
{
    struct function *f = symbol_function(s, address);
    if (f && f->start == address)
        return symbol_die_name(s, &f->die);
    Dwfl_Module *module = dwfl_addrmodule(s->dwfl, address);
    GElf_Off offset;
    GElf_Sym symbol;
    const char *name =
        module ? dwfl_module_addrinfo(module, address, &offset, &symbol, NULL, NULL, NULL) : NULL;
    if (name && offset == 0 && GELF_ST_TYPE(symbol.st_info) == STT_FUNC)
        return symbol_demangled(s, name);
    return NULL;
}

/* --- suppressions --- */

struct search {
    struct pl_symbols *symbols;
    pl_fits *fits;
    void *fits_context;
    pl_take_range *take;
    void *take_context;
};

static bool die_fits(const struct search *search, Dwarf_Die *die)
{
    if (search->fits(search->fits_context, symbol_die_name(search->symbols, die)))
        return true;
    Dwarf_Attribute attr;
    const char *linkage = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attr));
    if (linkage && search->fits(search->fits_context, symbol_demangled(search->symbols, linkage)))
        return true;
    const char *file = symbol_decl_file(die);
    return file && search->fits(search->fits_context, symbol_path(search->symbols, file));
}

static void take(const struct search *search, Dwarf_Die *die, uint64_t bias)
{
    Dwarf_Addr base, start, end;
    for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &start, &end)) > 0;)
        if (start < end)
            search->take(search->take_context, (struct pl_range){start + bias, end + bias});
}

static void search_inlined(const struct search *search, Dwarf_Die *parent, uint64_t bias)
{
    Dwarf_Die die;
    if (dwarf_child(parent, &die) != 0)
        return;
    do {
        int tag = dwarf_tag(&die);
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block)
            continue;
        if (tag == DW_TAG_inlined_subroutine && die_fits(search, &die))
            take(search, &die, bias); /* all that is inlined in it lies within */
        else
            search_inlined(search, &die, bias);
    } while (dwarf_siblingof(&die, &die) == 0);
}

void pl_symbols_ranges(struct pl_symbols *s, pl_fits *fits, void *fits_context,
                       pl_take_range *take_range, void *take_context)
{
    struct search search = {s, fits, fits_context, take_range, take_context};
    for (size_t i = 0; i < s->function_count; i++) {
        struct function *f = &s->functions[i];
        if (die_fits(&search, &f->die))
            take_range(take_context, (struct pl_range){f->start, f->end});
        else
            search_inlined(&search, &f->die, f->bias);
    }
}
