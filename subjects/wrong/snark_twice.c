/*
 * Snark with its first error mended: a pop that finds the node under its hat out looks whether the
 * hat is still there, before it says "empty". What is left is the second error, a node popped from
 * both sides. Before the test the deque is 4, 5. A pop on the left has read both hats, 4 and 5,
 * and the link between; 5 is popped, 7 is pushed on the left of 4. A pop on the right reads both
 * hats, 7 and 4; 7 is popped. Now each of the two pops moves its own hat over 4.
 */
#define STILL(node, end) (hat(end) == (node))
#include "snark_deque.c"
