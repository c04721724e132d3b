/*
 * What libstdc++ does to the subject's memory behind the compiler's back. Most of it
 * is templates, compiled and seen with the subject; in the library itself are
 *   the links of std::map, std::set and std::list nodes   announced here
 *   most of std::string                                   its mem* calls are announced
 *                                                         (pl_is_announced)
 *
 * A change of a tree announces a write of its header: the library's rules allow no
 * other unordered access to the container then, whatever it would really touch.
 */
#include <dlfcn.h>
#include <link.h>

#include "runtime/libc.h"

struct tree_node {
    int colour;
    struct tree_node *parent, *left, *right;
};

struct list_node {
    struct list_node *next, *previous;
};
enum { LINK = sizeof(void *) };

uint64_t pl_libstdcxx_start, pl_libstdcxx_end;

#define INSERT     "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_"
#define ERASE      "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_"
#define NEXT       "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base"
#define NEXT_CONST "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base"
#define LAST       "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base"
#define LAST_CONST "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base"
#define LIST(f)    "_ZNSt8__detail15_List_node_base" f

static struct {
    void (*insert)(bool, struct tree_node *, struct tree_node *, struct tree_node *);
    struct tree_node *(*erase)(struct tree_node *, struct tree_node *);
    struct tree_node *(*next)(struct tree_node *);
    struct tree_node *(*last)(struct tree_node *);
    void (*list_transfer)(struct list_node *, struct list_node *, struct list_node *);
    void (*list_reverse)(struct list_node *);
    void (*list_swap)(struct list_node *, struct list_node *);
} real;

static int find_range(struct dl_phdr_info *info, size_t size, void *inside)
{
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        uint64_t start = info->dlpi_addr + h->p_vaddr, end = start + h->p_memsz;
        if (h->p_type == PT_LOAD && (uint64_t)inside >= start && (uint64_t)inside < end) {
            pl_libstdcxx_start = start;
            pl_libstdcxx_end = end;
        }
    }
    return 0;
}

#define FIND(pointer, name) real.pointer = (__typeof__(real.pointer))(uintptr_t)pl_real(name)

void pl_libstdcxx_init(void)
{
    FIND(insert, INSERT);
    if (!real.insert)
        return; /* no C++ here */
    FIND(erase, ERASE);
    FIND(next, NEXT);
    FIND(last, LAST);
    FIND(list_transfer, LIST("11_M_transferEPS0_S1_"));
    FIND(list_reverse, LIST("10_M_reverseEv"));
    FIND(list_swap, LIST("4swapERS0_S1_"));
    dl_iterate_phdr(find_range, (void *)(uintptr_t)real.insert);
}

static void reads(const void *node, size_t bytes, uint64_t pc)
{
    if (pl_from_subject(pc))
        pl_read_range(node, bytes, pc);
}

static void writes(const void *node, size_t bytes, uint64_t pc)
{
    if (pl_from_subject(pc))
        pl_write_range(node, bytes, pc);
}

/* ---- trees ---- */

PL_EXPORT void pl_tree_insert(bool left, struct tree_node *node, struct tree_node *parent,
                              struct tree_node *header) __asm__(INSERT);
PL_EXPORT struct tree_node *pl_tree_erase(struct tree_node *node,
                                          struct tree_node *header) __asm__(ERASE);
PL_EXPORT struct tree_node *pl_tree_next(struct tree_node *node) __asm__(NEXT);
PL_EXPORT struct tree_node *pl_tree_next_const(struct tree_node *node) __asm__(NEXT_CONST);
PL_EXPORT struct tree_node *pl_tree_last(struct tree_node *node) __asm__(LAST);
PL_EXPORT struct tree_node *pl_tree_last_const(struct tree_node *node) __asm__(LAST_CONST);

void pl_tree_insert(bool left, struct tree_node *node, struct tree_node *parent,
                    struct tree_node *header)
{
    uint64_t pc = PL_CALLER;
    writes(node, sizeof *node, pc);
    writes(parent, sizeof *parent, pc);
    writes(header, sizeof *header, pc);
    real.insert(left, node, parent, header);
}

struct tree_node *pl_tree_erase(struct tree_node *node, struct tree_node *header)
{
    uint64_t pc = PL_CALLER;
    writes(node, sizeof *node, pc);
    writes(header, sizeof *header, pc);
    return real.erase(node, header);
}

struct tree_node *pl_tree_next(struct tree_node *node)
{
    reads(node, sizeof *node, PL_CALLER);
    return real.next(node);
}

struct tree_node *pl_tree_next_const(struct tree_node *node)
{
    reads(node, sizeof *node, PL_CALLER);
    return real.next(node);
}

struct tree_node *pl_tree_last(struct tree_node *node)
{
    reads(node, sizeof *node, PL_CALLER);
    return real.last(node);
}

struct tree_node *pl_tree_last_const(struct tree_node *node)
{
    reads(node, sizeof *node, PL_CALLER);
    return real.last(node);
}

/* ---- lists ---- */

PL_EXPORT void pl_list_hook(struct list_node *node,
                            struct list_node *before) __asm__(LIST("7_M_hookEPS0_"));
PL_EXPORT void pl_list_unhook(struct list_node *node) __asm__(LIST("9_M_unhookEv"));
PL_EXPORT void pl_list_transfer(struct list_node *before, struct list_node *first,
                                struct list_node *last) __asm__(LIST("11_M_transferEPS0_S1_"));
PL_EXPORT void pl_list_reverse(struct list_node *list) __asm__(LIST("10_M_reverseEv"));
PL_EXPORT void pl_list_swap(struct list_node *a,
                            struct list_node *b) __asm__(LIST("4swapERS0_S1_"));

void pl_list_hook(struct list_node *node, struct list_node *before)
{
    uint64_t pc = PL_CALLER;
    reads(&before->previous, LINK, pc);
    writes(node, sizeof *node, pc);
    writes(&before->previous->next, LINK, pc);
    writes(&before->previous, LINK, pc);
    node->next = before;
    node->previous = before->previous;
    before->previous->next = node;
    before->previous = node;
}

void pl_list_unhook(struct list_node *node)
{
    uint64_t pc = PL_CALLER;
    reads(node, sizeof *node, pc);
    struct list_node *next = node->next, *previous = node->previous;
    writes(&previous->next, LINK, pc);
    writes(&next->previous, LINK, pc);
    previous->next = next;
    next->previous = previous;
}

void pl_list_transfer(struct list_node *before, struct list_node *first, struct list_node *last)
{
    uint64_t pc = PL_CALLER;
    writes(before, sizeof *before, pc);
    writes(first, sizeof *first, pc);
    writes(last, sizeof *last, pc);
    real.list_transfer(before, first, last);
}

void pl_list_reverse(struct list_node *list)
{
    writes(list, sizeof *list, PL_CALLER);
    real.list_reverse(list);
}

void pl_list_swap(struct list_node *a, struct list_node *b)
{
    uint64_t pc = PL_CALLER;
    writes(a, sizeof *a, pc);
    writes(b, sizeof *b, pc);
    real.list_swap(a, b);
}
