/*
 * The blocking collection of the beta, with root causes H, I and K of Line-Up: all three are meant,
 * and documented, but no deterministic spec allows them.
 *
 * H: count takes no lock. It reads how many items were ever added, then how many were taken; if in
 * between one is added and another taken, it answers 0 though there was always an item.
 *
 * I: an item is put into the queue first and then counted. While the first of two adders has not
 * counted its item, a take gets that item on account of the other one, which stays in the queue
 * uncounted: who added it sees its own try_take find nothing. Three threads.
 *
 * K: as in lineup_blocking_collection_pre.c.
 */
#define COUNT_LOCKS     0
#define ADD_IS_ONE_STEP 0
#define CANCEL_WAITS    0
#include "../correct/lineup_blocking_collection.c"
