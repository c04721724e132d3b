/*
 * Names for addresses of the subject's process, from its DWARF (libdw).
 *
 *   code address  -> frames (function, file, line, column), inlined ones expanded
 *   data address  -> a path a programmer would write: "q.head", "nodes[2].next"
 *   heap block    -> the type it most likely holds, from where it was allocated
 *   pattern       -> code ranges of the functions and files it names (suppressions)
 *
 * Invariants:
 * I1  Every answer depends only on the program and the address: the same finding
 *     gives the same text on every run.
 * I2  Nothing here fails for lack of debug information: a poorer name comes back.
 *
 * Ownership: the texts in answers live as long as the pl_symbols.
 */
#ifndef PL_SYMBOL_SYMBOL_H
#define PL_SYMBOL_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/strbuf.h"

struct pl_symbols;
struct pl_type;

struct pl_frame {
    const char *function; /* with its scopes, "ns::queue<int>::push"; never NULL, "??" unknown */
    const char *file;     /* as printed (below the current directory: relative); NULL unknown */
    const char *module;   /* base name of the program or library; NULL unknown */
    int line, column;     /* 0 unknown */
    bool inlined;         /* inlined into the frame that follows */
};

/* How to print a value. */
enum pl_value {
    PL_VALUE_UNKNOWN,
    PL_VALUE_UNSIGNED,
    PL_VALUE_SIGNED,
    PL_VALUE_BOOL,
    PL_VALUE_CHAR,
    PL_VALUE_POINTER,
    PL_VALUE_FLOAT,
};

struct pl_range {
    uint64_t start, end;
};

/* `maps` is the text of the process's /proc/PID/maps, or NULL: then only the program
   itself is known, at the addresses of its file. */
enum pl_status pl_symbols_open(struct pl_symbols **out, const char *program, const char *maps,
                               struct pl_error *error);
void pl_symbols_free(struct pl_symbols *symbols);

/* The user wrote `given` for this file: print it that way. */
void pl_symbols_name_file(struct pl_symbols *symbols, const char *given);

/* The frames at a code address, innermost first; at least one, never more than room. A return
   address belongs to the instruction before it: pass address - 1. */
size_t pl_symbols_frames(struct pl_symbols *symbols, uint64_t address, struct pl_frame *frames,
                         size_t room);

/* The variable at a data address: appends its path, says how to print what it holds. A size
   of 0 stands for a whole object (a mutex). False: no variable there. */
bool pl_symbols_data(struct pl_symbols *symbols, uint64_t address, uint64_t size,
                     struct pl_strbuf *path, enum pl_value *value);

/* A function by the name it has for the linker, without its parameters: "queue::push" for
 * _ZN5queue4pushEi, another as it is. The caller frees it. */
char *pl_symbol_plain(const char *name);
/* A type by its mangled name: "std::out_of_range" for St12out_of_range. The caller frees it. */
char *pl_symbol_plain_type(const char *name);

/* The function that starts at this address, NULL if none does. */
const char *pl_symbols_function_at(struct pl_symbols *symbols, uint64_t address);

/* What a block of `size` bytes holds, judged from the pointers in scope where it was
   allocated (code addresses, innermost first); NULL when that is not clear. */
const struct pl_type *pl_symbols_block_type(struct pl_symbols *symbols, const uint64_t *addresses,
                                            size_t count, uint64_t size);
const char *pl_type_name(const struct pl_type *type); /* "block" for one of numbers */

/* Appends ".next", "[2].v", … for an offset into a block of `size_of_block` such things. */
void pl_type_path(struct pl_symbols *symbols, const struct pl_type *type, uint64_t size_of_block,
                  uint64_t offset, uint64_t size, struct pl_strbuf *path, enum pl_value *value);

/* Calls back for each code range of the program whose function or source file fits (inlined
   instances too). */
typedef bool pl_fits(void *context, const char *text);
typedef void pl_take_range(void *context, struct pl_range range);
void pl_symbols_ranges(struct pl_symbols *symbols, pl_fits *fits, void *fits_context,
                       pl_take_range *take, void *take_context);

#endif
