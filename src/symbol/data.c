/* Data address -> global variable; also those static in functions and classes. */
#include <stdlib.h>
#include <string.h>

#include "symbol/internal.h"

static bool fixed_address(Dwarf_Die *die, uint64_t *address)
{
    Dwarf_Attribute attr;
    Dwarf_Op *ops;
    size_t count;
    if (!dwarf_attr(die, DW_AT_location, &attr) || dwarf_getlocation(&attr, &ops, &count) != 0 ||
        count != 1)
        return false;
    if (ops[0].atom == DW_OP_addr) {
        *address = ops[0].number;
        return *address != 0;
    }
    if (ops[0].atom == DW_OP_addrx || ops[0].atom == DW_OP_GNU_addr_index) {
        Dwarf_Attribute at;
        Dwarf_Addr value;
        if (dwarf_getlocation_attr(&attr, &ops[0], &at) != 0 || dwarf_formaddr(&at, &value) != 0)
            return false;
        *address = value;
        return value != 0;
    }
    return false;
}

static void add_variable(struct pl_symbols *s, Dwarf_Die *die, uint64_t bias)
{
    uint64_t address;
    Dwarf_Die type;
    if (!fixed_address(die, &address) || !symbol_type_of(die, &type))
        return;
    uint64_t size = symbol_type_size(&type);
    s->variables =
        symbol_grow(s->variables, s->variable_count, &s->variable_room, sizeof *s->variables);
    s->variables[s->variable_count++] = (struct variable){
        .start = address + bias, .size = size ? size : 1, .die = *die, .name = NULL};
}

static void walk(struct pl_symbols *s, Dwarf_Die *parent, uint64_t bias)
{
    Dwarf_Die die;
    if (dwarf_child(parent, &die) != 0)
        return;
    do {
        switch (dwarf_tag(&die)) {
        case DW_TAG_variable:
            add_variable(s, &die, bias);
            break;
        case DW_TAG_subprogram:
        case DW_TAG_namespace:
        case DW_TAG_class_type:
        case DW_TAG_structure_type:
        case DW_TAG_lexical_block:
        case DW_TAG_inlined_subroutine:
            walk(s, &die, bias);
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
    Dwarf_Addr bias;
    if (!dwfl_module_getdwarf(module, &bias))
        return DWARF_CB_OK;
    Dwarf_Die *unit = NULL;
    while ((unit = dwfl_module_nextcu(module, unit, &bias)))
        walk(context, unit, bias);
    return DWARF_CB_OK;
}

static int by_start(const void *a, const void *b)
{
    const struct variable *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

static struct variable *find(struct pl_symbols *s, uint64_t address)
{
    if (!s->variables_read) {
        s->variables_read = true;
        (void)dwfl_getmodules(s->dwfl, read_module, s, 0);
        if (s->variable_count)
            qsort(s->variables, s->variable_count, sizeof *s->variables, by_start);
    }
    size_t low = 0, high = s->variable_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (s->variables[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low && address - s->variables[low - 1].start < s->variables[low - 1].size)
        return &s->variables[low - 1];
    return NULL;
}

/* String literals and the like have no name. */
static bool is_constant(Dwfl_Module *module, uint64_t address, struct pl_strbuf *path)
{
    Dwarf_Addr bias;
    GElf_Shdr header;
    Elf_Scn *section = dwfl_module_address_section(module, &address, &bias);
    if (!section || !gelf_getshdr(section, &header) || (header.sh_flags & SHF_WRITE) ||
        (header.sh_flags & SHF_EXECINSTR))
        return false;
    pl_strbuf_add(path, "constant data");
    return true;
}

/* Data of code without debug information: symbol + offset. */
static bool from_symbol_table(struct pl_symbols *s, uint64_t address, struct pl_strbuf *path)
{
    Dwfl_Module *module = dwfl_addrmodule(s->dwfl, address);
    GElf_Off offset;
    GElf_Sym symbol;
    const char *name =
        module ? dwfl_module_addrinfo(module, address, &offset, &symbol, NULL, NULL, NULL) : NULL;
    if (!name || !name[0] || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || offset >= symbol.st_size)
        return module && is_constant(module, address, path);
    pl_strbuf_add(path, symbol_demangled(s, name));
    if (offset)
        pl_strbuf_addf(path, "+%llu", (unsigned long long)offset);
    return true;
}

bool pl_symbols_data(struct pl_symbols *s, uint64_t address, uint64_t size, struct pl_strbuf *path,
                     enum pl_value *value)
{
    *value = PL_VALUE_UNKNOWN;
    struct variable *v = find(s, address);
    if (v && !v->name)
        v->name = symbol_die_name(s, &v->die);
    if (!v || strcmp(v->name, "??") == 0) /* clang writes string literals as such variables */
        return from_symbol_table(s, address, path);
    pl_strbuf_add(path, v->name);
    Dwarf_Die type;
    if (symbol_type_of(&v->die, &type))
        symbol_member_path(s, type, address - v->start, size, path, value);
    return true;
}
