/*
 * f3 90 is pause where an instruction starts there, and part of something else where
 * not: every function that contains the two bytes is decoded from its start.
 */
#include "build/pauses.h"

#include <capstone/capstone.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

struct search {
    csh decoder;
    cs_insn *instruction;
    uint64_t *out;
    size_t most, found;
};

static void search_function(struct search *s, const uint8_t *code, size_t size, uint64_t address)
{
    static const uint8_t pause[] = {0xf3, 0x90};
    if (!memmem(code, size, pause, sizeof pause))
        return;
    while (cs_disasm_iter(s->decoder, &code, &size, &address, s->instruction))
        if (s->instruction->id == X86_INS_PAUSE && s->found < s->most)
            s->out[s->found++] = s->instruction->address;
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

enum pl_status pl_find_pauses(const char *program, uint64_t *out, size_t most, size_t *found,
                              struct pl_error *error)
{
    struct search s = {.out = out, .most = most};
    *found = 0;
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
    *found = s.found;
    return PL_OK;
}
