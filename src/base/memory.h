/*
 * Memory for tables and lists of a size known beforehand. There is no error: without memory the
 * tool cannot go on.
 */
#ifndef PL_BASE_MEMORY_H
#define PL_BASE_MEMORY_H

#include <stddef.h>

/* So many elements and one more, all zero; free() releases them. Where there are many the system is
   asked for large pages: a table that is looked at all over is faster then, and costs fewer
   interrupts to fill. What is not touched still costs nothing. realloc would have to copy them. */
void *pl_zeroed(size_t count, size_t size);

/* For a process that has large tables one after the other: what is freed of them goes back to the
   system at once, and those that grow leave no holes. */
void pl_memory_is_short(void);

#endif
