/*
 * The elimination stack whose push looks whether its offer still stands and then clears the slot:
 * a pop that takes the offer between the two is not noticed, the push tries again and the value
 * is there twice.
 */
#define WITHDRAW(n)                                                                                \
    (atomic_load_explicit(&slot, memory_order_acquire) == (n)                                      \
         ? (atomic_store_explicit(&slot, NULL, memory_order_release), true)                        \
         : false)
#include "../correct/elimination_stack.c"
