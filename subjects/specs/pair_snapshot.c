/* Cells that are written once or more, and whether two of them have been. For pair_snapshot.c. */
#include <plumb/spec.h>

struct plumb_state {
    int written[4];
};

PLUMB_STEP(write_cell)
{
    s->written[a.i[0] & 3] = 1;
    return plumb_ok();
}

PLUMB_STEP(has_pair)
{
    return plumb_int(s->written[a.i[0] & 3] && s->written[a.i[1] & 3]);
}
