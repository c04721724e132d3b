/*
 * Plain accesses that stay as they are while the code is simplified: where races are allowed each
 * is one of the program's steps, which others may come between, so none is merged with another,
 * forwarded or dropped. For that they are volatile meanwhile. Not those to what the function itself
 * has allocated, which nobody else knows before it is published.
 */
#ifndef PL_INSTRUMENT_KEPT_H
#define PL_INSTRUMENT_KEPT_H

#include <llvm-c/Core.h>

/* All plain loads and stores there are. A local is promoted only when its own are not kept. */
void pl_kept_begin(LLVMModuleRef module);
/* They are plain again. */
void pl_kept_end(LLVMModuleRef module);

#endif
