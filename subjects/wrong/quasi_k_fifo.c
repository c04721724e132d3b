/*
 * The k-FIFO queue (correct/quasi_k_fifo.c) whose put does not look whether its segment was left
 * behind meanwhile: a take finds the segment empty, the value comes, the take moves the head past
 * it. The value is never found again, which no order of the takes explains.
 */
#define UNCOMMITTED
#include "../correct/quasi_k_fifo.c"
