/* What the files of src/symbol share. */
#ifndef PL_SYMBOL_INTERNAL_H
#define PL_SYMBOL_INTERNAL_H

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "symbol/symbol.h"

/* A function with code: where, and its entry in the debug information. */
struct function {
    uint64_t start, end; /* as in the process */
    uint64_t bias;       /* process address - address in the file */
    Dwarf_Die die, unit;
};

struct variable {
    uint64_t start, size;
    Dwarf_Die die;
    const char *name;
};

struct given_file {
    char *full, *given;
};

struct cached {
    uint64_t address;
    struct pl_frame *frames;
    size_t count;
};

struct pl_type {
    Dwarf_Die die;
    uint64_t size;
    const char *name;
    struct pl_type *next;
};

struct pl_symbols {
    Dwfl *dwfl;
    char *program;
    char *directory; /* the current one, with a slash at its end */
    char **strings;
    size_t string_count, string_room;
    struct given_file *given;
    size_t given_count;
    struct function *functions; /* sorted by start */
    size_t function_count, function_room;
    struct variable *variables; /* sorted by start */
    size_t variable_count, variable_room;
    bool variables_read;
    struct cached *cache; /* open addressing, a power of two */
    size_t cache_room, cache_used;
    struct pl_type *types;
};

/* strings.c: texts that live as long as the symbols. */
const char *symbol_keep(struct pl_symbols *s, const char *text);
const char *symbol_path(struct pl_symbols *s, const char *full);
void *symbol_grow(void *array, size_t count, size_t *room, size_t size);

/* names.c */
const char *symbol_die_name(struct pl_symbols *s, Dwarf_Die *die); /* with its scopes */
bool symbol_referred(Dwarf_Die *die, unsigned attribute, Dwarf_Die *out);
const char *symbol_decl_file(Dwarf_Die *die); /* NULL: not known */
const char *symbol_demangled(struct pl_symbols *s, const char *name);

/* functions.c */
void symbol_read_functions(struct pl_symbols *s);
struct function *symbol_function(struct pl_symbols *s, uint64_t address);

/* types.c */
bool symbol_type_of(Dwarf_Die *die, Dwarf_Die *type); /* typedefs and qualifiers peeled off */
bool symbol_peel(Dwarf_Die *type);
uint64_t symbol_type_size(Dwarf_Die *type);
void symbol_member_path(struct pl_symbols *s, Dwarf_Die type, uint64_t offset, uint64_t size,
                        struct pl_strbuf *path, enum pl_value *value);

#endif
