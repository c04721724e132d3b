/*
 * What a heap block holds. malloc does not say, but the code around it does: in
 * nearly all programs a pointer to the right type is in scope where the block is
 * allocated, or is what the allocating function returns. Only a type whose size
 * fits is taken, and only when no other one fits as well: no name is better than
 * a wrong one.
 */
#include <stdlib.h>
#include <string.h>

#include "symbol/internal.h"

enum { SCOPES = 16, CALLERS = 4 };

struct choice {
    uint64_t size; /* of the block */
    bool whole;    /* the type must have that size; else a part of it: an array */
    Dwarf_Die type;
    bool found, clash;
};

static bool same_type(Dwarf_Die *a, Dwarf_Die *b)
{
    const char *x = dwarf_diename(a), *y = dwarf_diename(b);
    return dwarf_dieoffset(a) == dwarf_dieoffset(b) ||
           (x && y && strcmp(x, y) == 0 && symbol_type_size(a) == symbol_type_size(b));
}

static void consider(struct choice *choice, Dwarf_Die *type)
{
    int tag = dwarf_tag(type);
    const char *name = dwarf_diename(type);
    uint64_t size = symbol_type_size(type);
    bool aggregate =
        tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
    if (!name || strncmp(name, "__", 2) == 0 || tag == DW_TAG_subroutine_type || !size ||
        (aggregate && size == 1) || /* an empty class */
        (choice->whole ? size != choice->size : choice->size % size != 0))
        return;
    if (choice->found) {
        if (!same_type(&choice->type, type))
            choice->clash = true;
        return;
    }
    choice->found = true;
    choice->type = *type;
}

/* What a variable, parameter or function points at or gives back. */
static void consider_pointee(struct choice *choice, Dwarf_Die *die)
{
    Dwarf_Die type, pointee;
    if (!choice->whole && dwarf_hasattr_integrate(die, DW_AT_artificial))
        return; /* `this` points at one object, not at an array */
    if (symbol_type_of(die, &type) && dwarf_tag(&type) == DW_TAG_pointer_type &&
        symbol_type_of(&type, &pointee))
        consider(choice, &pointee);
}

static void consider_scope(struct choice *choice, Dwarf_Die *scope)
{
    Dwarf_Die die;
    int tag = dwarf_tag(scope);
    if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
        consider_pointee(choice, scope);
    if (dwarf_child(scope, &die) != 0)
        return;
    do {
        tag = dwarf_tag(&die);
        if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
            consider_pointee(choice, &die);
    } while (dwarf_siblingof(&die, &die) == 0);
}

/* The scopes around an address within its function, outermost first. */
static size_t scopes_at(struct function *f, uint64_t address, Dwarf_Die *scopes)
{
    size_t count = 0;
    scopes[count++] = f->die;
    for (Dwarf_Die die; count < SCOPES && dwarf_child(&scopes[count - 1], &die) == 0;) {
        bool deeper = false;
        do {
            int tag = dwarf_tag(&die);
            if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) &&
                dwarf_haspc(&die, address - f->bias) > 0) {
                scopes[count++] = die;
                deeper = true;
                break;
            }
        } while (dwarf_siblingof(&die, &die) == 0);
        if (!deeper)
            break;
    }
    return count;
}

/* The last resort: the one struct of the user's own of exactly this size. */
static void consider_unit(struct choice *choice, Dwarf_Die *unit)
{
    Dwarf_Die die;
    if (dwarf_child(unit, &die) != 0)
        return;
    do {
        int tag = dwarf_tag(&die);
        const char *file = symbol_decl_file(&die);
        if ((tag == DW_TAG_structure_type || tag == DW_TAG_class_type) && file && file[0] != '<' &&
            !strstr(file, "/<") && strncmp(file, "/usr/", 5) != 0 &&
            !strstr(file, "/include/plumb/") && /* ours */
            symbol_type_size(&die) == choice->size)
            consider(choice, &die);
    } while (dwarf_siblingof(&die, &die) == 0);
}

static const struct pl_type *keep(struct pl_symbols *s, struct choice *choice)
{
    uint64_t size = symbol_type_size(&choice->type);
    for (struct pl_type *type = s->types; type; type = type->next)
        if (same_type(&type->die, &choice->type))
            return type;
    struct pl_type *type = calloc(1, sizeof *type);
    PL_ASSERT(type);
    type->die = choice->type;
    type->size = size;
    int tag = dwarf_tag(&choice->type);
    bool aggregate =
        tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
    type->name = aggregate ? symbol_keep(s, dwarf_diename(&choice->type)) : "block";
    type->next = s->types;
    s->types = type;
    return type;
}

static void search(struct pl_symbols *s, const uint64_t *addresses, size_t count,
                   struct choice *choice)
{
    for (size_t i = 0; i < count && i < CALLERS && !choice->found; i++) {
        struct function *f = symbol_function(s, addresses[i]);
        Dwarf_Die scopes[SCOPES];
        for (size_t n = f ? scopes_at(f, addresses[i], scopes) : 0; n-- > 0 && !choice->found;)
            consider_scope(choice, &scopes[n]);
    }
}

const struct pl_type *pl_symbols_block_type(struct pl_symbols *s, const uint64_t *addresses,
                                            size_t count, uint64_t size)
{
    struct choice choice = {.size = size, .whole = true};
    search(s, addresses, count, &choice);
    if (!choice.found) {
        choice.whole = false;
        search(s, addresses, count, &choice);
    }
    if (!choice.found) {
        choice.whole = true;
        for (size_t i = 0; i < count && !choice.found; i++) {
            struct function *f = symbol_function(s, addresses[i]);
            if (f)
                consider_unit(&choice, &f->unit);
        }
    }
    return choice.found && !choice.clash ? keep(s, &choice) : NULL;
}

const char *pl_type_name(const struct pl_type *type)
{
    return type->name;
}

void pl_type_path(struct pl_symbols *s, const struct pl_type *type, uint64_t size_of_block,
                  uint64_t offset, uint64_t size, struct pl_strbuf *path, enum pl_value *value)
{
    if (size_of_block > type->size) {
        if (offset % type->size + size > type->size) { /* across elements */
            if (offset)
                pl_strbuf_addf(path, "+%llu", (unsigned long long)offset);
            *value = PL_VALUE_UNKNOWN;
            return;
        }
        pl_strbuf_addf(path, "[%llu]", (unsigned long long)(offset / type->size));
        offset %= type->size;
    }
    symbol_member_path(s, type->die, offset, size, path, value);
}
