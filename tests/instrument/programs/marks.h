/* What marks_runtime.c notes of the loops of a program. */
#include <stdint.h>

struct marks {
    int entered, left, visits;
    uint64_t word[64]; /* of all visits, one after the other; sorted within a visit */
    int words;
};

/* What came since the last call. Every loop that was entered must have been left. */
struct marks marks_take(void);
/* The same where a jump may have left loops without a word. */
struct marks marks_take_after_jump(void);
