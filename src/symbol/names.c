/* The name of a function or variable with the scopes around it. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/internal.h"

bool symbol_referred(Dwarf_Die *die, unsigned attribute, Dwarf_Die *out)
{
    Dwarf_Attribute attr;
    return dwarf_attr(die, attribute, &attr) && dwarf_formref_die(&attr, out);
}

/* A definition or an inlined instance points at the declaration that sits in its scopes. */
static Dwarf_Die declaration(Dwarf_Die die)
{
    Dwarf_Die next;
    for (int i = 0; i < 8; i++) {
        if (!symbol_referred(&die, DW_AT_abstract_origin, &next) &&
            !symbol_referred(&die, DW_AT_specification, &next))
            break;
        die = next;
    }
    return die;
}

/* Not dwarf_decl_file: that takes file 0, which is the source itself in DWARF 5 as clang writes
   it, for none. */
const char *symbol_decl_file(Dwarf_Die *die)
{
    Dwarf_Die at = *die, next, unit;
    Dwarf_Attribute attr;
    Dwarf_Word index;
    Dwarf_Files *files;
    size_t count;
    for (int i = 0; i < 8 && !dwarf_hasattr(&at, DW_AT_decl_file); i++) {
        if (!symbol_referred(&at, DW_AT_abstract_origin, &next) &&
            !symbol_referred(&at, DW_AT_specification, &next))
            return NULL;
        at = next;
    }
    if (dwarf_formudata(dwarf_attr(&at, DW_AT_decl_file, &attr), &index) != 0 ||
        !dwarf_diecu(&at, &unit, NULL, NULL) || dwarf_getsrcfiles(&unit, &files, &count) != 0 ||
        index >= count)
        return NULL;
    return dwarf_filesrc(files, index, NULL, NULL);
}

static void add_scopes(Dwarf_Die *die, struct pl_strbuf *out)
{
    Dwarf_Die *scopes = NULL;
    int count = dwarf_getscopes_die(die, &scopes);
    for (int i = count - 1; i > 0; i--) {
        int tag = dwarf_tag(&scopes[i]);
        Dwarf_Die origin = declaration(scopes[i]);
        const char *name = dwarf_diename(&origin);
        if (tag == DW_TAG_namespace && !name) {
            name = "(anonymous)";
        } else if (tag == DW_TAG_namespace) {
            if (dwarf_hasattr(&origin, DW_AT_export_symbols))
                continue; /* inline namespaces are not written */
        } else if (tag != DW_TAG_class_type && tag != DW_TAG_structure_type &&
                   tag != DW_TAG_union_type && tag != DW_TAG_subprogram) {
            continue;
        }
        if (name)
            pl_strbuf_addf(out, "%s::", name);
    }
    free(scopes);
}

const char *symbol_die_name(struct pl_symbols *s, Dwarf_Die *die)
{
    Dwarf_Die origin = declaration(*die);
    const char *name = dwarf_diename(&origin);
    if (!name) {
        Dwarf_Attribute attr;
        name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attr));
        return name ? symbol_demangled(s, name) : "??";
    }
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    add_scopes(&origin, &text);
    pl_strbuf_add(&text, name);
    const char *kept = symbol_keep(s, text.text);
    pl_strbuf_release(&text);
    return kept;
}

/* As the C++ library's demangler has it, which needs no other thing of it; NULL: it is no name of
   C++, or the library is not installed, and then there is no C++ program either. */
static char *demangle_any(const char *name)
{
    typedef char *demangler(const char *, char *, size_t *, int *);
    static demangler *function;
    static bool tried;
    if (!tried) {
        tried = true;
        void *library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
        if (library)
            *(void **)&function = dlsym(library, "__cxa_demangle");
    }
    int status = -1;
    char *plain = function ? function(name, NULL, NULL, &status) : NULL;
    if (status != 0) {
        free(plain);
        return NULL;
    }
    return plain;
}

static char *demangle(const char *name)
{
    return strncmp(name, "_Z", 2) == 0 ? demangle_any(name) : NULL;
}

char *pl_symbol_plain_type(const char *name)
{
    char *plain = demangle_any(name);
    plain = plain ? plain : strdup(name);
    PL_ASSERT(plain);
    return plain;
}

/* For code without debug information. */
const char *symbol_demangled(struct pl_symbols *s, const char *name)
{
    char *plain = demangle(name);
    const char *kept = symbol_keep(s, plain ? plain : name);
    free(plain);
    return kept;
}

char *pl_symbol_plain(const char *name)
{
    char *plain = demangle(name), *last = plain ? strrchr(plain, ')') : NULL;
    if (!plain)
        plain = strdup(name);
    PL_ASSERT(plain);
    int depth = last ? 1 : 0;
    while (depth && --last > plain)
        depth += (*last == ')') - (*last == '(');
    if (last && last > plain) /* where the parameters begin */
        *last = '\0';
    return plain;
}
