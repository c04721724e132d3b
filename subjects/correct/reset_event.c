/* The manual reset event, repaired: the new state comes from the value that is compared. */
#define SECOND_LOAD(old) (old)
#include "../wrong/reset_event.c"
