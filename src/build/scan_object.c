/* Files on disk to objects: loading for the scan. */
#include "build/scan_object.h"

#include <stdlib.h>
#include <string.h>

const char *pl_scan_symbol_name(const struct pl_scan_object *o, const GElf_Sym *symbol)
{
    const char *name = elf_strptr(o->elf, o->strings, symbol->st_name);
    return name ? name : "";
}

static void find_symbols(struct pl_scan_object *o)
{
    GElf_Word type = o->shared ? SHT_DYNSYM : SHT_SYMTAB;
    Elf_Scn *scn = NULL;
    GElf_Shdr header;

    while ((scn = elf_nextscn(o->elf, scn)) != NULL) {
        if (!gelf_getshdr(scn, &header))
            continue;
        if (header.sh_type == SHT_PROGBITS && (header.sh_flags & SHF_EXECINSTR) && header.sh_size)
            o->has_code = true;
        if (header.sh_type != type || header.sh_entsize == 0)
            continue;
        o->symbols = elf_getdata(scn, NULL);
        o->symbol_count = o->symbols ? header.sh_size / header.sh_entsize : 0;
        o->strings = header.sh_link;
    }
}

/* Every file instrumented by a compiler refers to __tsan_init, one without any access too; the
   runtime defines it, and sees what its own functions do. The own front end signs its files. */
static void find_instrumentation(struct pl_scan_object *o)
{
    GElf_Sym s;

    for (size_t i = 1; i < o->symbol_count; i++) {
        if (!gelf_getsym(o->symbols, (int)i, &s))
            continue;
        const char *name = pl_scan_symbol_name(o, &s);
        o->instrumented |= strncmp(name, "__tsan_", 7) == 0 || strcmp(name, "__plumb_module") == 0;
        o->by_clang |= strcmp(name, "tsan.module_ctor") == 0;
    }
}

/* libtsan answers the same calls as our runtime: with both in a process neither works. */
static bool needs_libtsan(Elf *elf)
{
    Elf_Scn *scn = NULL;
    GElf_Shdr header;
    GElf_Dyn entry;

    while ((scn = elf_nextscn(elf, scn)) != NULL) {
        if (!gelf_getshdr(scn, &header) || header.sh_type != SHT_DYNAMIC)
            continue;
        Elf_Data *data = elf_getdata(scn, NULL);
        for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++) {
            if (entry.d_tag != DT_NEEDED)
                continue;
            const char *name = elf_strptr(elf, header.sh_link, entry.d_un.d_val);
            if (name && strncmp(name, "libtsan.", 8) == 0)
                return true;
        }
    }
    return false;
}

/* Is the file as long as its headers say? */
static bool complete(Elf *elf, const GElf_Ehdr *header)
{
    size_t size = 0, headers = (size_t)header->e_shnum * header->e_shentsize;
    Elf_Scn *scn = NULL;
    GElf_Shdr section;

    if (!elf_rawfile(elf, &size) || header->e_shoff > size || headers > size - header->e_shoff)
        return false;
    while ((scn = elf_nextscn(elf, scn)) != NULL)
        if (!gelf_getshdr(scn, &section) ||
            (section.sh_type != SHT_NOBITS &&
             (section.sh_offset > size || section.sh_size > size - section.sh_offset)))
            return false;
    return true;
}

/* Code that is not made before the program is linked: gcc's in sections of its own, clang's as
   bitcode instead of an object. */
bool pl_scan_for_link_time(Elf *elf)
{
    static const char bitcode[] = {'B', 'C', (char)0xc0, (char)0xde};
    size_t size = 0, names = 0;
    const char *raw = elf_rawfile(elf, &size);
    Elf_Scn *scn = NULL;
    GElf_Shdr section;

    if (elf_kind(elf) != ELF_K_ELF)
        return raw && size > sizeof bitcode && memcmp(raw, bitcode, sizeof bitcode) == 0;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return false;
    while ((scn = elf_nextscn(elf, scn)) != NULL) {
        const char *name =
            gelf_getshdr(scn, &section) ? elf_strptr(elf, names, section.sh_name) : NULL;
        if (name && strncmp(name, ".gnu.lto_", 9) == 0)
            return true;
    }
    return false;
}

enum pl_status pl_scan_load(struct pl_scan_object *o, Elf *elf, const char *name,
                            struct pl_error *error)
{
    GElf_Ehdr header;

    *o = (struct pl_scan_object){.elf = elf};
    if (pl_scan_for_link_time(elf))
        return pl_fail(error, PL_ERR_INPUT,
                       "%s is compiled with -flto, so that its code is made unseen when it is "
                       "linked; compile it with -fno-lto",
                       name);
    if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header))
        return pl_fail(error, PL_ERR_INPUT, "%s is not an object file", name);
    if (header.e_machine != EM_X86_64 || gelf_getclass(elf) != ELFCLASS64)
        return pl_fail(error, PL_ERR_INPUT, "%s is not compiled for x86-64", name);
    if (header.e_type != ET_REL && header.e_type != ET_DYN)
        return pl_fail(error, PL_ERR_INPUT, "%s is a program, not an object file", name);
    if (!complete(elf, &header))
        return pl_fail(error, PL_ERR_INPUT, "%s is cut short: compile it again", name);
    if (needs_libtsan(elf))
        return pl_fail(error, PL_ERR_INPUT,
                       "%s is linked with libtsan, which cannot be there together with plumb's "
                       "runtime; compile it with -fsanitize=thread, but link it without",
                       name);
    o->name = strdup(name);
    PL_ASSERT(o->name != NULL);
    o->shared = header.e_type == ET_DYN;
    find_symbols(o);
    find_instrumentation(o);
    return PL_OK;
}
