/*
 * Where things are in the subject's process: fixed addresses, so that saved
 * executions replay and the report can name memory.
 *
 * All memory of the subject lies in three windows of the address space whose low
 * 36 bits differ, so one mask leads to the shadow (runtime/shadow.h): the program
 * (below 4 GiB), our window, shared libraries (the top).
 */
#ifndef PL_RESULT_LAYOUT_H
#define PL_RESULT_LAYOUT_H

#include <stdint.h>

#define PL_WINDOW       0x100000000000u
#define PL_HEAP         (PL_WINDOW + 0x100000000u) /* 65 arenas of 256 MiB: see heap.c */
#define PL_ARENA_BYTES  0x10000000u
#define PL_ARENA_SKEW   (17 * 64) /* of each against the one before, within its bytes */
#define PL_HEAP_END     (PL_HEAP + 65 * (uint64_t)PL_ARENA_BYTES)
#define PL_STACKS       (PL_WINDOW + 0x600000000u) /* 64 stacks, 64 MiB apart: 4 GiB */
#define PL_STACK_STRIDE 0x4000000u
#define PL_STACKS_END   (PL_STACKS + 64 * (uint64_t)PL_STACK_STRIDE)
#define PL_TLS          (PL_WINDOW + 0x700000000u) /* 64 thread-local blocks, 4 MiB apart */
#define PL_TLS_STRIDE   0x400000u
#define PL_TLS_END      (PL_TLS + 64 * (uint64_t)PL_TLS_STRIDE)
#define PL_COVER        (PL_WINDOW + 0x7c0000000u) /* bytes of blocks that were reached: 16 MiB */
#define PL_COVER_BYTES  (1u << 24)
#define PL_MAPS         (PL_WINDOW + 0x800000000u) /* the subject's own mmaps: 28 GiB */
#define PL_MAPS_END     (PL_WINDOW + 0xf00000000u)

#endif
