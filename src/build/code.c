/*
 * f3 90 is pause where an instruction starts there, and part of something else where
 * not: every function that contains bytes like those looked for is decoded from its
 * start.
 */
#include "build/code.h"

#include <capstone/capstone.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

#include "build/known.h"

struct search {
    csh decoder;
    cs_insn *instruction;
    struct pl_code *code;
};

/* pause is f3 90, ldmxcsr 0f ae, fldcw d9. */
static bool worth_decoding(const uint8_t *code, size_t size)
{
    for (size_t i = 0; i + 1 < size; i++)
        if ((code[i] == 0xf3 && code[i + 1] == 0x90) || (code[i] == 0x0f && code[i + 1] == 0xae) ||
            code[i] == 0xd9)
            return true;
    return false;
}

static void search_function(struct search *s, const uint8_t *code, size_t size, uint64_t address)
{
    struct pl_code *to = s->code;
    if (!worth_decoding(code, size))
        return;
    while (cs_disasm_iter(s->decoder, &code, &size, &address, s->instruction)) {
        unsigned id = s->instruction->id;
        if (id == X86_INS_PAUSE && to->pauses < to->most)
            to->pause[to->pauses++] = s->instruction->address;
        if (id == X86_INS_LDMXCSR || id == X86_INS_VLDMXCSR || id == X86_INS_FLDCW)
            to->float_control = true;
    }
}

/* ---- the thread pointer ---- */

static bool is_prefix(uint8_t byte)
{
    return byte == 0x26 || byte == 0x2e || byte == 0x36 || byte == 0x3e || byte == 0x64 ||
           byte == 0x65 || byte == 0x66 || byte == 0x67 || byte == 0xf0 || byte == 0xf2 ||
           byte == 0xf3;
}

static bool names_fs(const cs_insn *instruction)
{
    for (size_t i = 0; i < instruction->size && is_prefix(instruction->bytes[i]); i++)
        if (instruction->bytes[i] == 0x64)
            return true;
    return instruction->id == X86_INS_RDFSBASE || instruction->id == X86_INS_WRFSBASE;
}

/* True also if not all of it could be decoded. */
static bool may_name_fs(struct search *s, const uint8_t *code, size_t size, uint64_t address)
{
    while (cs_disasm_iter(s->decoder, &code, &size, &address, s->instruction))
        if (names_fs(s->instruction))
            return true;
    return size > 0;
}

/* Functions that look at what arithmetic has left, which must be a thread's own. (Those that set
 * the control words tell the runtime by themselves.) */
static bool looks_at_float_flags(const char *name)
{
    static const char *const names[] = {"fetestexcept",  "fegetexceptflag", "fesetexceptflag",
                                        "feclearexcept", "feraiseexcept",   "fegetenv"};
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static void search_imports(struct search *s, Elf *elf)
{
    GElf_Shdr header;
    GElf_Sym symbol;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNSYM)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (int i = 1; data && gelf_getsym(data, i, &symbol); i++)
            if (symbol.st_shndx == SHN_UNDEF &&
                looks_at_float_flags(elf_strptr(elf, header.sh_link, symbol.st_name)))
                s->code->float_control = true;
    }
}

static bool imports_need_it(Elf *elf, const GElf_Shdr *header, Elf_Data *data)
{
    GElf_Sym symbol;
    for (int i = 1; data && gelf_getsym(data, i, &symbol); i++) {
        const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
        if (symbol.st_shndx == SHN_UNDEF && (!name || !pl_known_without_thread_pointer(name)))
            return true;
    }
    return !data;
}

/* Can anything the program does depend on the thread pointer? Imports first, they tell of most
 * programs that it can. */
static bool needs_thread_pointer(struct search *s, Elf *elf)
{
    GElf_Shdr header;
    bool dynamic = false;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        if (!gelf_getshdr(section, &header) || header.sh_flags & SHF_TLS)
            return true;
        if (header.sh_type == SHT_DYNSYM) {
            dynamic = true;
            if (imports_need_it(elf, &header, elf_getdata(section, NULL)))
                return true;
        }
    }
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_EXECINSTR))
            continue;
        const Elf_Data *data = elf_getdata(section, NULL);
        if (!data || (data->d_size && may_name_fs(s, data->d_buf, data->d_size, header.sh_addr)))
            return true;
    }
    return !dynamic;
}

/* ---- functions ---- */

/* The bytes of the function in the file, if its section is there. */
static void search_symbol(struct search *s, Elf *elf, const GElf_Sym *symbol)
{
    GElf_Shdr header;
    Elf_Scn *section = elf_getscn(elf, symbol->st_shndx);
    if (GELF_ST_TYPE(symbol->st_info) != STT_FUNC || !symbol->st_size || !section ||
        !gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS)
        return;
    Elf_Data *data = elf_getdata(section, NULL);
    uint64_t offset = symbol->st_value - header.sh_addr;
    if (!data || !data->d_buf || symbol->st_value < header.sh_addr ||
        offset + symbol->st_size > data->d_size)
        return;
    search_function(s, (const uint8_t *)data->d_buf + offset, symbol->st_size, symbol->st_value);
}

static void search_program(struct search *s, Elf *elf)
{
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        GElf_Sym symbol;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (int i = 0; data && gelf_getsym(data, i, &symbol); i++)
            search_symbol(s, elf, &symbol);
    }
}

enum pl_status pl_code_read(const char *program, struct pl_code *code, struct pl_error *error)
{
    struct search s = {.code = code};
    code->pauses = 0;
    code->float_control = false;
    code->thread_pointer = true;
    (void)elf_version(EV_CURRENT);
    int fd = open(program, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return pl_fail_errno(error, "%s", program);
    Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    if (elf && cs_open(CS_ARCH_X86, CS_MODE_64, &s.decoder) == CS_ERR_OK) {
        s.instruction = cs_malloc(s.decoder);
        if (s.instruction) {
            search_program(&s, elf);
            search_imports(&s, elf);
            code->thread_pointer = needs_thread_pointer(&s, elf);
            cs_free(s.instruction, 1);
        }
        (void)cs_close(&s.decoder);
    }
    (void)elf_end(elf);
    (void)close(fd);
    return PL_OK;
}
