/* CGList with an unlocked size: see cgvt_cg_list.c. */
#define UNLOCKED_SIZE
#include "cgvt_cg_list.c"
