/*
 * Instructions that no compiler makes of instrumented source.
 *
 * Data in text is skipped by going from function to function, as the symbol
 * table knows them; bytes that decode to nothing end a function.
 */
#include "build/scan_object.h"

#include <capstone/capstone.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct range {
    size_t section;
    uint64_t start, end;
};

/*
 * clang instruments accesses of 1, 2, 4, 8 and 16 bytes and silently leaves out the
 * rest: long double (10 bytes) and vectors of 32 and 64. What is on the stack or a
 * constant is not counted.
 */
static bool wrong_size(const cs_insn *i)
{
    const char *memory = strchr(i->op_str, '[');

    if (!memory || strncmp(memory, "[rsp", 4) == 0 || strncmp(memory, "[rbp", 4) == 0 ||
        i->id == X86_INS_LEA)
        return false;
    bool store = i->id == X86_INS_FSTP || memory == i->op_str + strcspn(i->op_str, "[,");
    if (strncmp(memory, "[rip", 4) == 0 && !store)
        return false;
    return strstr(i->op_str, "xword ptr") == i->op_str || strstr(i->op_str, "ymmword ptr") ||
           strstr(i->op_str, "zmmword ptr");
}

static enum pl_odd oddness(const cs_insn *i)
{
    switch (i->id) {
    case X86_INS_MFENCE:
    case X86_INS_LFENCE:
    case X86_INS_SFENCE:
    case X86_INS_CMPXCHG:
    case X86_INS_CMPXCHG8B:
    case X86_INS_CMPXCHG16B:
    case X86_INS_XADD:
    case X86_INS_XBEGIN:
        return PL_ODD_ATOMIC;
    case X86_INS_RDTSC:
    case X86_INS_RDTSCP:
    case X86_INS_RDRAND:
    case X86_INS_RDSEED:
    case X86_INS_RDPMC:
        return PL_ODD_CHANCE;
    case X86_INS_SYSCALL:
    case X86_INS_SYSENTER:
        return PL_ODD_SYSTEM;
    case X86_INS_INT:
        return strcmp(i->op_str, "0x80") == 0 ? PL_ODD_SYSTEM : PL_ODD_NOT;
    case X86_INS_XCHG:
        return strchr(i->op_str, '[') ? PL_ODD_ATOMIC : PL_ODD_NOT;
    default:
        return strncmp(i->mnemonic, "lock", 4) == 0 ? PL_ODD_ATOMIC : PL_ODD_NOT;
    }
}

/*
 * Can there be an odd instruction at all? Decoding costs 200 times this look at
 * the bytes. Every odd instruction contains one of these bytes; most functions do
 * not contain them.
 */
static bool worth_decoding(const uint8_t *p, size_t n, bool sizes)
{
    for (size_t i = 0; i < n; i++) {
        uint8_t b = p[i], c = i + 1 < n ? p[i + 1] : 0;
        if (b == 0xf0 || b == 0x86 || b == 0x87 || (b == 0xcd && c == 0x80) ||
            (b == 0xc7 && c == 0xf8))
            return true;
        if (b == 0x0f &&
            (c == 0xae || c == 0x31 || c == 0x33 || c == 0x01 || c == 0xc7 || c == 0x05 ||
             c == 0x34 || c == 0xb0 || c == 0xb1 || c == 0xc0 || c == 0xc1))
            return true;
        /* x87 loads and stores of 10 bytes; the prefixes of AVX */
        if (sizes && (b == 0xdb || b == 0xc4 || b == 0xc5 || b == 0x62))
            return true;
    }
    return false;
}

static int by_place(const void *a, const void *b)
{
    const struct range *x = a, *y = b;

    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    return (x->start > y->start) - (x->start < y->start);
}

/* All functions of the object by section and place. One list for all sections: a C++
   object has thousands of them. */
static size_t functions_of(const struct pl_scan_object *o, struct range **out)
{
    struct range *r = calloc(o->symbol_count + 1, sizeof *r);
    size_t count = 0;
    GElf_Sym s;

    PL_ASSERT(r != NULL);
    for (size_t i = 0; i < o->symbol_count; i++)
        if (gelf_getsym(o->symbols, (int)i, &s) && s.st_shndx < SHN_LORESERVE &&
            GELF_ST_TYPE(s.st_info) == STT_FUNC)
            r[count++] = (struct range){s.st_shndx, s.st_value, s.st_value + s.st_size};
    qsort(r, count, sizeof *r, by_place);
    *out = r;
    return count;
}

static void scan_range(csh handle, cs_insn *insn, const struct pl_scan_object *o, size_t section,
                       const uint8_t *bytes, struct range r, struct pl_scan_findings *out)
{
    const uint8_t *code = bytes + r.start;
    size_t left = r.end - r.start;
    uint64_t address = r.start;

    if (!worth_decoding(code, left, o->by_clang))
        return;
    while (cs_disasm_iter(handle, &code, &left, &address, insn)) {
        enum pl_odd odd = oddness(insn);
        if (odd == PL_ODD_NOT && o->by_clang && wrong_size(insn))
            odd = PL_ODD_SIZE;
        if (odd == PL_ODD_NOT)
            continue;
        struct pl_scan_finding *f = pl_scan_add(out);
        f->object = o;
        f->section = section;
        f->offset = insn->address;
        f->odd = odd;
        (void)snprintf(f->what, sizeof f->what, "%s", insn->mnemonic);
    }
}

static void scan_section(csh handle, cs_insn *insn, const struct pl_scan_object *o, Elf_Scn *scn,
                         const struct range *functions, size_t count, struct pl_scan_findings *out)
{
    size_t section = elf_ndxscn(scn), i = 0;
    Elf_Data *data = elf_getdata(scn, NULL);

    if (!data || !data->d_buf || data->d_size == 0)
        return;
    for (size_t low = 0, high = count; low < high;) { /* the first of this section */
        size_t middle = low + (high - low) / 2;
        if (functions[middle].section < section)
            low = i = middle + 1;
        else
            high = i = middle;
    }
    if (i == count || functions[i].section != section) /* nothing is known: all of it */
        scan_range(handle, insn, o, section, data->d_buf, (struct range){section, 0, data->d_size},
                   out);
    for (; i < count && functions[i].section == section; i++) {
        struct range r = functions[i];
        bool last = i + 1 == count || functions[i + 1].section != section;
        uint64_t next = last ? data->d_size : functions[i + 1].start;

        if (r.end == r.start || r.end > next)
            r.end = next; /* written in assembly, without .size; or an alias follows */
        if (r.end > r.start && r.end <= data->d_size)
            scan_range(handle, insn, o, section, data->d_buf, r, out);
    }
}

enum pl_status pl_scan_code(const struct pl_scan_object *o, struct pl_scan_findings *out,
                            struct pl_error *error)
{
    struct range *functions = NULL;
    GElf_Shdr header;
    Elf_Scn *scn = NULL;
    csh handle;

    if (cs_open(CS_ARCH_X86, CS_MODE_64, &handle) != CS_ERR_OK)
        return pl_fail(error, PL_ERR_SYSTEM, "the disassembler does not start");
    cs_insn *insn = cs_malloc(handle);
    PL_ASSERT(insn != NULL);
    size_t count = functions_of(o, &functions);
    while ((scn = elf_nextscn(o->elf, scn)) != NULL)
        if (gelf_getshdr(scn, &header) && header.sh_type == SHT_PROGBITS &&
            (header.sh_flags & SHF_EXECINSTR))
            scan_section(handle, insn, o, scn, functions, count, out);
    free(functions);
    cs_free(insn, 1);
    cs_close(&handle);
    return PL_OK;
}
