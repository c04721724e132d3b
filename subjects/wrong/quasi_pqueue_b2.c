/*
 * The relaxed priority queue (correct/quasi_pqueue.c) with a window of four: the largest of four
 * values may be taken first, three places from where it belongs.
 */
#define WINDOW 4
#include "../correct/quasi_pqueue.c"
