/*
 * The linked list with root cause C of Line-Up (the paper does not say what it was; this is ours):
 * each end has a lock of its own, so that adding at one does not wait for adding at the other; a
 * removal holds both. But the two ends of an empty list are the same place: of two entries added
 * there at once, one is linked in one direction only, and a removal does not find it.
 */
#define ENDS_APART 1
#include "../correct/lineup_linked_list.c"
