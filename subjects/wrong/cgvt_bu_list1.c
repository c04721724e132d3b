/*
 * BUList1: the lock-free list whose remove ignores that the mark was set, and whose search ignores
 * marks as well. It never unlinks what it passes and takes a removed node for one that is there:
 * a key can be removed twice, and one added behind a removed node is lost with it.
 *
 * The search leaves the marked nodes in; so a link that is marked is followed, and the exchange
 * behind it fails until the node is unlinked by the remove that has set the mark.
 */
#define BLIND_SEARCH
#include "cgvt_lf_list.c"
