/* See cover.h. */
#include "instrument/cover.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

enum { RANGES = 1024, RANGE = 16384 }; /* as in src/cli/cover.c */

static uint64_t hash_of(const char *text, size_t length)
{
    uint64_t hash = 1469598103934665603u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 1099511628211u;
    return hash ^ hash >> 32;
}

/* The file of a scope as a path. */
static void add_path(const char *directory, unsigned directory_length, const char *name,
                     unsigned length, struct pl_strbuf *out)
{
    if (length && name[0] != '/')
        pl_strbuf_addf(out, "%.*s/", (int)directory_length, directory);
    pl_strbuf_addf(out, "%.*s\n", (int)length, name);
}

void pl_cover_begin(struct pl_cover *c, LLVMModuleRef module, uint64_t address)
{
    size_t length;
    *c = (struct pl_cover){.address = address};
    pl_strbuf_init(&c->table);
    if (!address)
        return;
    const char *name = LLVMGetSourceFileName(module, &length);
    c->base = hash_of(name, length) % RANGES * RANGE;
    pl_strbuf_addf(&c->table, "M %llu\n", (unsigned long long)c->base);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        LLVMMetadataRef scope = LLVMIsDeclaration(f) ? NULL : LLVMGetSubprogram(f);
        LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
        unsigned file_length, directory_length;
        if (!file)
            continue;
        const char *path = LLVMDIFileGetFilename(file, &file_length);
        const char *directory = LLVMDIFileGetDirectory(file, &directory_length);
        name = LLVMGetValueName2(f, &length);
        pl_strbuf_addf(&c->table, "F %u %.*s\t", LLVMDISubprogramGetLine(scope), (int)length, name);
        add_path(directory, directory_length, path, file_length, &c->table);
    }
}

/* An entry for the line of an instruction; false: it has none that counts. */
static bool add_line(struct pl_cover *c, char kind, unsigned index, LLVMValueRef i, unsigned *last)
{
    unsigned line = LLVMInstructionGetDebugLoc(i) ? LLVMGetDebugLocLine(i) : 0;
    unsigned length, directory_length;
    if (!line)
        return false;
    const char *file = LLVMGetDebugLocFilename(i, &length);
    const char *directory = LLVMGetDebugLocDirectory(i, &directory_length);
    if (!file || !length || (length > 5 && strncmp(file, "/usr/", 5) == 0))
        return false;
    if (kind == 'B' && line == *last) /* most often the one before */
        return true;
    *last = line;
    pl_strbuf_addf(&c->table, "%c %u %u\t", kind, index, line);
    add_path(directory, directory_length, file, length, &c->table);
    return true;
}

static LLVMValueRef byte_at(const struct pl_cover *c, const struct pl_unit *u, unsigned index)
{
    return pl_word(u, c->address + c->base + index);
}

static void store_at(const struct pl_unit *u, LLVMValueRef address)
{
    LLVMTypeRef byte = pl_int_type(u, 1);
    LLVMValueRef to = LLVMBuildIntToPtr(u->builder, address, u->pointer, "");
    LLVMBuildStore(u->builder, LLVMConstInt(byte, 1, false), to);
}

static void cover_branch(struct pl_cover *c, const struct pl_unit *u, LLVMValueRef end)
{
    unsigned last = 0;
    if (LLVMGetInstructionOpcode(end) != LLVMBr || !LLVMIsConditional(end) || c->used + 2 > RANGE ||
        !add_line(c, 'J', c->used, end, &last))
        return;
    pl_before(u, end);
    LLVMValueRef taken = LLVMBuildZExt(u->builder, LLVMGetCondition(end), u->word, "");
    store_at(u, LLVMBuildAdd(u->builder, byte_at(c, u, c->used), taken, ""));
    c->used += 2;
}

void pl_cover_function(struct pl_cover *c, const struct pl_function *f)
{
    const struct pl_unit *u = f->unit;
    for (uint32_t b = 0; c->address && b < f->cfg.block_count; b++) {
        LLVMBasicBlockRef block = f->cfg.block[b].at;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        unsigned last = 0;
        bool counts = false;
        if (c->used == RANGE)
            return;
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (!LLVMIsAPHINode(i) && !LLVMIsAReturnInst(i)) /* the brace at its end is no line */
                counts |= add_line(c, 'B', c->used, i, &last);
        if (!counts)
            continue;
        pl_before(u, pl_first_place(block));
        store_at(u, byte_at(c, u, c->used));
        c->used++;
        cover_branch(c, u, end);
    }
}

void pl_cover_end(struct pl_cover *c, const struct pl_unit *u)
{
    if (c->address) {
        LLVMValueRef text =
            LLVMConstStringInContext2(u->context, c->table.text, c->table.length, true);
        LLVMValueRef table = LLVMAddGlobal(u->module, LLVMTypeOf(text), "__plumb_blocks");
        LLVMSetInitializer(table, text);
        LLVMSetGlobalConstant(table, true);
        LLVMSetLinkage(table, LLVMInternalLinkage);
        LLVMSetSection(table, "plumb_blocks");
        LLVMSetAlignment(table, 1);
    }
    pl_strbuf_release(&c->table);
}
