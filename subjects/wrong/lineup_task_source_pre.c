/*
 * The task completion source of the preview with root cause F of Line-Up (the paper does not say
 * what it was; this is ours): the state is published before the result or the exception is stored.
 * Who has waited for the task and then asks for its exception finds none.
 */
#define STORE_FIRST 0
#include "../correct/lineup_task_source.c"
