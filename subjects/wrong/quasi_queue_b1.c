/*
 * The queue of segments (correct/quasi_queue.c) whose take looks one cell beyond the segment: the
 * fourth value of four may be taken first, three places from where it belongs. With segments of
 * three a factor of 2 is promised.
 */
#define REACH (WIDTH + 1)
#include "../correct/quasi_queue.c"
