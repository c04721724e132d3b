/*
 * The task completion source of the beta with root cause G of Line-Up (the paper does not say what
 * it was; this is ours): who comes second answers false as soon as it sees that the first has
 * reserved the task. The task is then said to be completed already, and still has no result.
 */
#define LOSER_WAITS 0
#include "../correct/lineup_task_source.c"
