/*
 * The parts of the scan: one loaded object file, its source lines, what was found
 * in it. Private to src/build/scan*.c.
 *
 *     file (path) ──> objects: the file itself, or each member of an archive
 *                        ├── code ──> odd instructions   (scan_code.c)
 *                        └── undefined symbols ──> calls (scan_calls.c)
 *                                     both ──> findings ──> warnings (scan.c)
 */
#ifndef PL_BUILD_SCAN_OBJECT_H
#define PL_BUILD_SCAN_OBJECT_H

#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "build/known.h"

struct pl_scan_object {
    char *name; /* file, or archive(member) */
    Elf *elf;
    Elf_Data *symbols; /* the symbol table; NULL: none */
    size_t symbol_count;
    uint32_t strings; /* section of the symbols' names */
    bool shared;      /* a shared object: only its symbols count */
    bool has_code, instrumented, by_clang;
};

/* Why an instruction is odd in an instrumented object. */
enum pl_odd { PL_ODD_NOT, PL_ODD_ATOMIC, PL_ODD_CHANCE, PL_ODD_SYSTEM, PL_ODD_SIZE };

struct pl_scan_finding {
    const struct pl_scan_object *object;
    size_t section; /* where in the object, 0 if nowhere */
    uint64_t offset;
    enum pl_odd odd;     /* an instruction, */
    enum pl_known known; /* or else a call */
    char what[96];       /* mnemonic or function */
    char where[512];     /* "file:line", filled in later */
    char function[96];   /* the function it is in; may be empty */
};

struct pl_scan_findings {
    struct pl_scan_finding *at;
    size_t count, room;
};

struct pl_scan_finding *pl_scan_add(struct pl_scan_findings *list);

/* scan_object.c: *o takes the name's copy; the Elf stays the caller's. */
enum pl_status pl_scan_load(struct pl_scan_object *o, Elf *elf, const char *name,
                            struct pl_error *error);
bool pl_scan_for_link_time(Elf *elf); /* code that link-time optimisation is to make */
const char *pl_scan_symbol_name(const struct pl_scan_object *o, const GElf_Sym *symbol);

/* scan_code.c: every odd instruction of the object. */
enum pl_status pl_scan_code(const struct pl_scan_object *o, struct pl_scan_findings *out,
                            struct pl_error *error);

/* scan_calls.c: every undefined symbol, with its first use. `defined` is asked
   whether an instrumented file defines a name. */
struct pl_scan_names;
void pl_scan_calls(const struct pl_scan_object *o, const struct pl_scan_names *defined,
                   struct pl_scan_findings *out);

/* scan_calls.c: a set of names, filled before it is asked. It borrows the names. */
struct pl_scan_names *pl_scan_names_new(void);
void pl_scan_names_free(struct pl_scan_names *names);
void pl_scan_names_add(struct pl_scan_names *names, const char *name);
void pl_scan_names_close(struct pl_scan_names *names);
bool pl_scan_names_has(const struct pl_scan_names *names, const char *name);

/* scan_lines.c: fills in `where` of all findings, and `function` of the instructions. */
void pl_scan_lines(struct pl_scan_findings *findings);

#endif
