/*
 * A lock-free list without marks, as one writes it before having read Harris: to remove a node is
 * to exchange the link before it. The two errors of du Toit's LockFreeList are both here. (1) 5 and
 * 6 are neighbours and both are removed: the link from 5 to 7 is made while 5 itself is unlinked,
 * 6 stays. (2) 6 is added behind 5 while 5 is unlinked: 6 is lost.
 */
#define MARK 0
#include "../correct/harris_list.c"
