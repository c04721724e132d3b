/*
 * The pair snapshot (Qadeer, Sezgin, Tasiran; PairSnap in du Toit's thesis) that gives up when it
 * finds the first cell changed, and answers as it does for a cell that was never written: "no",
 * though both cells are there all the time.
 */
#define CHANGED return NO
#include "../correct/pair_snapshot.c"
