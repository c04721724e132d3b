/* Paths through types: which member, which element, how to print it. */
#include <string.h>

#include "symbol/internal.h"

bool symbol_peel(Dwarf_Die *type)
{
    for (int i = 0; i < 32; i++) {
        switch (dwarf_tag(type)) {
        case DW_TAG_typedef:
        case DW_TAG_const_type:
        case DW_TAG_volatile_type:
        case DW_TAG_restrict_type:
        case DW_TAG_atomic_type:
            if (!symbol_referred(type, DW_AT_type, type))
                return false;
            break;
        default:
            return true;
        }
    }
    return false;
}

bool symbol_type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attr;
    if (!dwarf_attr_integrate(die, DW_AT_type, &attr) || !dwarf_formref_die(&attr, type))
        return false;
    return symbol_peel(type);
}

uint64_t symbol_type_size(Dwarf_Die *type)
{
    Dwarf_Word size;
    return dwarf_aggregate_size(type, &size) == 0 ? size : 0;
}

static enum pl_value value_of(Dwarf_Die *type)
{
    Dwarf_Attribute attr;
    Dwarf_Word encoding;
    switch (dwarf_tag(type)) {
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
        return PL_VALUE_POINTER;
    case DW_TAG_enumeration_type:
        return PL_VALUE_SIGNED;
    case DW_TAG_base_type:
        break;
    default:
        return PL_VALUE_UNKNOWN;
    }
    if (dwarf_formudata(dwarf_attr(type, DW_AT_encoding, &attr), &encoding) != 0)
        return PL_VALUE_UNKNOWN;
    switch (encoding) {
    case DW_ATE_boolean:
        return PL_VALUE_BOOL;
    case DW_ATE_signed_char:
    case DW_ATE_unsigned_char:
        return PL_VALUE_CHAR;
    case DW_ATE_signed:
        return PL_VALUE_SIGNED;
    case DW_ATE_float:
        return PL_VALUE_FLOAT;
    default:
        return PL_VALUE_UNSIGNED;
    }
}

/* Names the implementation keeps for itself (_M_i, __lock): a path stops before them, so
   that an atomic or a mutex is called by its own name. */
static bool reserved(const char *name)
{
    return name && name[0] == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'));
}

static bool member_offset(Dwarf_Die *member, uint64_t *offset)
{
    Dwarf_Attribute attr;
    Dwarf_Word value = 0;
    if (dwarf_attr(member, DW_AT_data_bit_offset, &attr) && dwarf_formudata(&attr, &value) == 0) {
        *offset = value / 8;
        return true;
    }
    if (!dwarf_attr(member, DW_AT_data_member_location, &attr)) {
        *offset = 0; /* a union's member */
        return true;
    }
    if (dwarf_formudata(&attr, &value) != 0)
        return false;
    *offset = value;
    return true;
}

/* The member that covers [offset, offset + size); in a union the smallest that does. */
static bool find_member(Dwarf_Die *type, uint64_t offset, uint64_t size, Dwarf_Die *found,
                        uint64_t *found_offset)
{
    Dwarf_Die die;
    uint64_t best = UINT64_MAX;
    if (dwarf_child(type, &die) != 0)
        return false;
    do {
        int tag = dwarf_tag(&die);
        uint64_t start;
        Dwarf_Die inner;
        if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
            dwarf_hasattr(&die, DW_AT_external) || !member_offset(&die, &start) ||
            !symbol_type_of(&die, &inner))
            continue;
        uint64_t inner_size = symbol_type_size(&inner);
        if (offset < start || offset + (size ? size : 1) > start + inner_size || inner_size >= best)
            continue;
        best = inner_size;
        *found = die;
        *found_offset = start;
    } while (dwarf_siblingof(&die, &die) == 0);
    return best != UINT64_MAX;
}

static void add_offset(struct pl_strbuf *path, uint64_t offset)
{
    if (offset)
        pl_strbuf_addf(path, "+%llu", (unsigned long long)offset);
}

/* a[1][2]: DWARF has one array entry with a subrange for each dimension. */
static bool add_index(Dwarf_Die *array, uint64_t *offset, uint64_t size, struct pl_strbuf *path,
                      Dwarf_Die *element)
{
    uint64_t counts[8];
    size_t dimensions = 0;
    Dwarf_Die die;
    if (!symbol_type_of(array, element))
        return false;
    uint64_t stride = symbol_type_size(element);
    if (!stride || *offset % stride + size > stride || dwarf_child(array, &die) != 0)
        return false;
    do {
        Dwarf_Attribute attr;
        Dwarf_Word value = 0;
        if (dwarf_tag(&die) != DW_TAG_subrange_type || dimensions == 8)
            continue;
        if (dwarf_formudata(dwarf_attr(&die, DW_AT_count, &attr), &value) != 0)
            value = dwarf_formudata(dwarf_attr(&die, DW_AT_upper_bound, &attr), &value) == 0
                        ? value + 1
                        : 0;
        counts[dimensions++] = value;
    } while (dwarf_siblingof(&die, &die) == 0);
    uint64_t index = *offset / stride;
    *offset %= stride;
    for (size_t d = 0; d < dimensions; d++) {
        uint64_t below = 1;
        for (size_t i = d + 1; i < dimensions; i++)
            below *= counts[i] ? counts[i] : 1;
        pl_strbuf_addf(path, "[%llu]", (unsigned long long)(index / below));
        index %= below;
    }
    return true;
}

void symbol_member_path(struct pl_symbols *s, Dwarf_Die type, uint64_t offset, uint64_t size,
                        struct pl_strbuf *path, enum pl_value *value)
{
    (void)s;
    bool silent = false; /* below a reserved name: only to learn the kind of value */
    uint64_t silent_offset = offset;
    *value = PL_VALUE_UNKNOWN;
    for (int depth = 0; depth < 32 && symbol_peel(&type); depth++) {
        Dwarf_Die next;
        uint64_t start;
        switch (dwarf_tag(&type)) {
        case DW_TAG_structure_type:
        case DW_TAG_class_type:
        case DW_TAG_union_type: {
            Dwarf_Die member;
            if (!find_member(&type, offset, size, &member, &start) ||
                !symbol_type_of(&member, &next))
                goto out;
            const char *name = dwarf_diename(&member);
            if (dwarf_tag(&member) == DW_TAG_inheritance)
                name = NULL;
            if (!silent && reserved(name)) {
                silent = true;
                silent_offset = offset;
            }
            if (!silent && name)
                pl_strbuf_addf(path, ".%s", name);
            offset -= start;
            type = next;
            break;
        }
        case DW_TAG_array_type:
            if (silent || !add_index(&type, &offset, size, path, &next))
                goto out;
            type = next;
            break;
        default:
            if (offset == 0 && (size == 0 || size == symbol_type_size(&type)))
                *value = value_of(&type);
            goto out;
        }
    }
out:
    add_offset(path, silent ? silent_offset : offset);
}
