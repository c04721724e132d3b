/*
 * The bag of the preview with root cause E of Line-Up (the paper does not say what it was; this is
 * ours): a thread takes from its own list without the lock while the list is long, since those who
 * steal take at the other end. "Long" was meant to leave an item between the two; here one item is
 * long enough, and the owner and a thief both take it.
 *
 * Root cause J is in this one, too: see correct/lineup_bag.c.
 */
#define OWNER_IS_ALONE(list) ((list)->first < (list)->end)
#include "../correct/lineup_bag.c"
