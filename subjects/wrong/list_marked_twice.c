/*
 * The list of Harris and Michael that sets the mark the way Java's attemptMark does: it succeeds if
 * the link still leads to the same node, also when the mark is there already. Two dels that have
 * found the same node both say that they have removed it.
 */
#define SET_MARK(link, next)                                                                       \
    (change(link, next, (next) + MARK, REMOVE) || atomic_load_explicit(link, WALK) == (next) + MARK)
#include "../correct/harris_list.c"
