/* --criterion points: see check_parts.h. */
#include <string.h>

#include "cli/check_parts.h"
#include "cli/inferred.h"

/* --infer-points: under sc, where an execution has an order in time. */
static enum pl_status begin_inferring(struct pl_checker *c, struct pl_error *error)
{
    if (c->criterion != PL_CRITERION_LINEARIZABLE || c->deciding.relaxed)
        return pl_fail(error, PL_ERR_INPUT,
                       "--infer-points goes with --criterion linearizable: it proposes points, it "
                       "does not check those that are marked");
    if (!c->model || strcmp(c->model, "sc") != 0)
        return pl_fail(error, PL_ERR_INPUT,
                       "--infer-points needs an order in time, which only sc has: add --model sc");
    if (c->settings.jobs > 1)
        return pl_fail(error, PL_ERR_INPUT,
                       "--infer-points looks at one test after the other: without --jobs");
    c->deciding.inferred = c->inferred = pl_inferred_new();
    return PL_OK;
}

void pl_check_print_points(struct pl_checker *c)
{
    if (!c->inferred || c->shown)
        return;
    json_t *result = pl_inferred_json(c->inferred, &c->execute);
    pl_inferred_print(c->inferred, result);
    json_object_set_new(c->execute.more, "points", result);
}

enum pl_status pl_check_read_points(struct pl_checker *c, struct pl_error *error)
{
    if (c->infer_points)
        return begin_inferring(c, error);
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
