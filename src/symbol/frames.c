/* Code address -> frames. What was looked up once is remembered: traces repeat. */
#include <stdlib.h>
#include <string.h>

#include "symbol/internal.h"

enum { MOST_FRAMES = 64 };

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* No debug information: the symbol table still has names. */
static void from_symbol_table(struct pl_symbols *s, uint64_t address, struct pl_frame *frame)
{
    Dwfl_Module *module = dwfl_addrmodule(s->dwfl, address);
    if (!module)
        return;
    const char *file = dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    frame->module = file ? symbol_keep(s, base_name(file)) : NULL;
    GElf_Off offset;
    GElf_Sym symbol;
    const char *name = dwfl_module_addrinfo(module, address, &offset, &symbol, NULL, NULL, NULL);
    if (name && name[0] && GELF_ST_TYPE(symbol.st_info) != STT_OBJECT)
        frame->function = symbol_demangled(s, name);
}

/* The chain of inlined instances around the address, outermost first. */
static size_t inlined_chain(Dwarf_Die *function, uint64_t address, Dwarf_Die *chain)
{
    size_t count = 0;
    Dwarf_Die parent = *function, die;
    while (count < MOST_FRAMES - 1 && dwarf_child(&parent, &die) == 0) {
        bool deeper = false;
        do {
            int tag = dwarf_tag(&die);
            if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) &&
                dwarf_haspc(&die, address) > 0) {
                if (tag == DW_TAG_inlined_subroutine)
                    chain[count++] = die;
                parent = die;
                deeper = true;
                break;
            }
        } while (dwarf_siblingof(&die, &die) == 0);
        if (!deeper)
            break;
    }
    return count;
}

static int number(Dwarf_Die *die, unsigned attribute)
{
    Dwarf_Attribute attr;
    Dwarf_Word value;
    if (dwarf_formudata(dwarf_attr(die, attribute, &attr), &value) != 0)
        return 0;
    return (int)value;
}

static void set_call_site(struct pl_symbols *s, struct function *f, Dwarf_Die *inlined,
                          struct pl_frame *frame)
{
    Dwarf_Files *files;
    size_t count;
    int index = number(inlined, DW_AT_call_file);
    if (dwarf_getsrcfiles(&f->unit, &files, &count) == 0 && (size_t)index < count) {
        const char *file = dwarf_filesrc(files, (size_t)index, NULL, NULL);
        frame->file = file ? symbol_path(s, file) : NULL;
    }
    frame->line = number(inlined, DW_AT_call_line);
    frame->column = number(inlined, DW_AT_call_column);
}

static void set_line(struct pl_symbols *s, struct function *f, uint64_t address,
                     struct pl_frame *frame)
{
    Dwarf_Line *line = dwarf_getsrc_die(&f->unit, address - f->bias);
    if (!line)
        return;
    const char *file = dwarf_linesrc(line, NULL, NULL);
    frame->file = file ? symbol_path(s, file) : NULL;
    (void)dwarf_lineno(line, &frame->line);
    /* Line 0: code the compiler could not place (clang merges the ends of a loop's rounds). The
     * nearest line before it, of the same file and function, is where to look. */
    Dwarf_Addr start;
    for (int tries = 0; frame->line == 0 && tries < 64 && file; tries++) {
        if (dwarf_lineaddr(line, &start) != 0 || symbol_function(s, start - 1 + f->bias) != f ||
            !(line = dwarf_getsrc_die(&f->unit, start - 1)))
            break;
        const char *other = dwarf_linesrc(line, NULL, NULL);
        if (other && strcmp(other, file) == 0)
            (void)dwarf_lineno(line, &frame->line);
    }
    if (!line)
        return;
    (void)dwarf_linecol(line, &frame->column);
}

static size_t look_up(struct pl_symbols *s, uint64_t address, struct pl_frame *frames)
{
    frames[0] = (struct pl_frame){.function = "??"};
    struct function *f = symbol_function(s, address);
    if (!f) {
        from_symbol_table(s, address, &frames[0]);
        return 1;
    }
    const char *module = symbol_keep(s, base_name(s->program));
    Dwarf_Die chain[MOST_FRAMES];
    size_t depth = inlined_chain(&f->die, address - f->bias, chain);
    for (size_t i = 0; i <= depth; i++) {
        /* Frame 0 is the innermost: chain[depth - 1], and so on out to the function. */
        Dwarf_Die *die = i < depth ? &chain[depth - 1 - i] : &f->die;
        frames[i] = (struct pl_frame){
            .function = symbol_die_name(s, die), .module = module, .inlined = i < depth};
        if (i == 0)
            set_line(s, f, address, &frames[0]);
        else
            set_call_site(s, f, &chain[depth - i], &frames[i]);
    }
    return depth + 1;
}

static struct cached *slot(struct cached *cache, size_t room, uint64_t address)
{
    size_t i = (size_t)(address * 0x9e3779b97f4a7c15u >> 20) & (room - 1);
    while (cache[i].frames && cache[i].address != address)
        i = (i + 1) & (room - 1);
    return &cache[i];
}

static struct cached *cached(struct pl_symbols *s, uint64_t address)
{
    if (s->cache_used * 2 >= s->cache_room) {
        size_t room = s->cache_room ? s->cache_room * 2 : 256;
        struct cached *bigger = calloc(room, sizeof *bigger);
        PL_ASSERT(bigger);
        for (size_t i = 0; i < s->cache_room; i++)
            if (s->cache[i].frames)
                *slot(bigger, room, s->cache[i].address) = s->cache[i];
        free(s->cache);
        s->cache = bigger;
        s->cache_room = room;
    }
    struct cached *entry = slot(s->cache, s->cache_room, address);
    if (!entry->frames) {
        struct pl_frame frames[MOST_FRAMES];
        size_t count = look_up(s, address, frames);
        entry->frames = malloc(count * sizeof *entry->frames);
        PL_ASSERT(entry->frames);
        memcpy(entry->frames, frames, count * sizeof *entry->frames);
        entry->address = address;
        entry->count = count;
        s->cache_used++;
    }
    return entry;
}

size_t pl_symbols_frames(struct pl_symbols *s, uint64_t address, struct pl_frame *frames,
                         size_t room)
{
    struct cached *entry = cached(s, address);
    size_t count = entry->count < room ? entry->count : room;
    memcpy(frames, entry->frames, count * sizeof *frames);
    return count;
}
