/*
 * The lazy list without the look at the marks once the locks are held: a node is added behind one
 * that has been removed in the meantime, and is lost with it.
 */
#define STILL_THERE(n) 1
#include "../correct/lazy_list.c"
