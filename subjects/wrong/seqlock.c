/*
 * The seqlock without the reader's fence: the second look at the count may come before the words
 * are read, and sees nothing of a write that the words are in the middle of. Right on an x86.
 */
#define LOOK_AGAIN() ((void)0)
#include "../correct/seqlock.c"
