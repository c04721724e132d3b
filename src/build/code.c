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
    (void)elf_version(EV_CURRENT);
    int fd = open(program, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return pl_fail_errno(error, "%s", program);
    Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    if (elf && cs_open(CS_ARCH_X86, CS_MODE_64, &s.decoder) == CS_ERR_OK) {
        s.instruction = cs_malloc(s.decoder);
        if (s.instruction) {
            search_program(&s, elf);
            cs_free(s.instruction, 1);
        }
        (void)cs_close(&s.decoder);
    }
    (void)elf_end(elf);
    (void)close(fd);
    return PL_OK;
}
