/*
 * The blocking collection of the preview, with root causes D and K of Line-Up.
 *
 * D (the paper does not say what it was; this is ours): complete_adding marks the collection and
 * returns without waiting for the adders under way. Whoever called it finds nothing in the
 * collection, into which nothing more may come, and then an item comes after all.
 *
 * K: cancelling is done by the first who asks for it. Who asks while that is under way returns at
 * once, and its next take is not cancelled yet: the effect comes after the return. That is meant,
 * and the class is still not linearizable.
 */
#define COMPLETE_WAITS 0
#define CANCEL_WAITS   0
#include "../correct/lineup_blocking_collection.c"
