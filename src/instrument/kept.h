/*
 * Plain accesses that stay as they are while the code is simplified: where races are allowed each
 * is one of the program's steps, which others may come between, so none is merged with another,
 * forwarded or dropped. For that they are volatile meanwhile.
 */
#ifndef PL_INSTRUMENT_KEPT_H
#define PL_INSTRUMENT_KEPT_H

#include <llvm-c/Core.h>

/* All plain loads and stores there are. Before: locals are promoted, functions inlined. */
void pl_kept_begin(LLVMModuleRef module);
/* They are plain again. */
void pl_kept_end(LLVMModuleRef module);

#endif
