/* --criterion points: see check_parts.h. */
#include <string.h>

#include "cli/check_parts.h"

enum pl_status pl_check_read_points(struct pl_checker *c, struct pl_error *error)
{
    if (c->criterion != PL_CRITERION_POINTS)
        return PL_OK;
    if (!pl_against_given(&c->against) || c->golden)
        return pl_fail(error, PL_ERR_INPUT,
                       "--criterion points executes a spec at each point: --spec or the subject's; "
                       "serial runs have no states to stop at");
    if (c->deciding.decider == PL_DECIDER_ENUMERATE)
        return pl_fail(error, PL_ERR_INPUT,
                       "--decider enumerate decides --criterion linearizable only");
    c->deciding.points = true;
    return PL_OK;
}
