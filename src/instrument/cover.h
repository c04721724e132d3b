/*
 * Which blocks and branches were reached: one byte each, at a fixed address, set to 1 by a store at
 * the start of the block and before its branch. The bytes lie outside of what an execution is reset
 * to.
 *
 * A table goes with the program, as text in the section plumb_blocks, a line an entry:
 *
 *     M base                      a module: the entries that follow are its own
 *     F line name TAB file        a function starts there
 *     B index line TAB file       the block of this byte has code of this line
 *     J index line TAB file       a branch: the byte for false, the next one for true
 *
 * Lines of files below /usr are left out. A module has a range of its own by a hash of its name;
 * two that share one are seen by the reader of the table.
 */
#ifndef PL_INSTRUMENT_COVER_H
#define PL_INSTRUMENT_COVER_H

#include "base/strbuf.h"
#include "instrument/function.h"

struct pl_cover {
    uint64_t address; /* of the first byte of all; 0: off */
    uint64_t base;    /* of this module's */
    unsigned used;
    struct pl_strbuf table;
};

/* Before any pass: where functions start. */
void pl_cover_begin(struct pl_cover *cover, LLVMModuleRef module, uint64_t address);
/* After a function was instrumented. */
void pl_cover_function(struct pl_cover *cover, const struct pl_function *f);
/* Puts the table into the module. */
void pl_cover_end(struct pl_cover *cover, const struct pl_unit *u);

#endif
