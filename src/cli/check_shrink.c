/* A wrong test made smaller, then shown: see check_parts.h. */
#include "cli/check_parts.h"
#include "shrink/shrink.h"

static const double SHRINK_SECONDS = 30;

struct shrinking {
    struct pl_checker *checker;
    const char *model;
    const char *signature; /* NULL: any violation will do */
};

static bool is_wrong(void *context, const struct pl_test *test)
{
    const struct shrinking *s = context;
    struct pl_trial t;
    struct pl_error ignored;
    bool wrong = pl_check_trial(s->checker, &t, test, s->model, &ignored) == PL_OK && t.bads &&
                 (!s->signature || pl_trial_find(&t, s->signature));
    s->checker->sums.interrupted |= s->checker->execute.session.interrupted;
    pl_trial_release(&t);
    return wrong;
}

/* The smallest test like this one that is wrong, too, is shown. */
enum pl_status pl_check_show_smallest(struct pl_checker *c, const struct pl_item *item,
                                      const char *signature, struct pl_error *error)
{
    struct shrinking shrinking = {c, item->model, c->keep_going ? signature : NULL};
    struct pl_test small = item->test;
    struct pl_trial t;
    double until = c->until;
    c->until = pl_now() + SHRINK_SECONDS;
    if (!c->no_shrink)
        pl_shrink(&small, is_wrong, &shrinking);
    c->until = 0; /* it is known to be wrong; what shrinking has used up must not hide that */
    enum pl_status status = pl_check_trial(c, &t, &small, item->model, error);
    c->until = until;
    if (!status) {
        const struct pl_bad *bad = pl_trial_find(&t, signature);
        if (!bad && t.bads)
            bad = t.bad[0];
        if (bad)
            status = pl_check_show_bad(c, &t, bad, error);
    }
    pl_trial_release(&t);
    return status;
}
