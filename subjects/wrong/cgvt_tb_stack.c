/* TBStack: a pop that ignores whether it has exchanged top; see cgvt_k_stack.c. */
#define DEAF_POP
#include "cgvt_k_stack.c"
