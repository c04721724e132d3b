/*
 * The skip list whose del does not ask who set the mark: two of them that find the same node both
 * say that they have removed it.
 */
#define TOO_LATE true
#include "../correct/skip_list.c"
