/* What the deciders counted: see check_parts.h. */
#include <stdio.h>

#include "cli/check_parts.h"

/* A number and what it is of. */
static void line(const char *what, uint64_t number)
{
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    pl_report_count(&text, number);
    (void)printf("  %-47s %14s\n", what, text.text);
    pl_strbuf_release(&text);
}

static json_int_t whole(uint64_t number)
{
    return (json_int_t)number;
}

void pl_check_print_stats(struct pl_checker *c)
{
    const struct pl_trial_stats *s = &c->sums.stats;
    const struct pl_enumerate_stats *n = &s->enumerate;
    bool lists = c->deciding.decider == PL_DECIDER_ENUMERATE;
    const char *decider = c->deciding.relaxed  ? "quasi"
                          : c->deciding.points ? "points"
                          : lists              ? "enumerate"
                                               : "walk";
    (void)printf("statistics, decider %s\n", decider);
    line("serial histories", s->serial);
    line("executions, each with another order or answers", s->histories);
    line("of them with a history that is wrong", s->bad);
    json_t *json =
        json_pack("{s:s, s:I, s:I, s:I, s:I}", "decider", decider, "serial", whole(s->serial),
                  "orders_given", whole(s->histories), "wrong", whole(s->bad), "explained_at_once",
                  whole(s->explained)); /* depends on how fast we are: not for people */
    PL_ASSERT(json);
    if (lists) {
        line("histories generated", n->generated);
        line(n->full ? "distinct (at least: memory was used up)" : "distinct", n->distinct);
        line("checked", n->checked);
        line(c->deciding.relaxed ? "sequentialisations tried" : "orders tried", n->orders);
        if (c->deciding.relaxed)
            line("permutations of these", n->permutations);
        json_object_update_new(
            json, json_pack("{s:I, s:I, s:I, s:I, s:b, s:b}", "generated", whole(n->generated),
                            "distinct", whole(n->distinct), "checked", whole(n->checked), "orders",
                            whole(n->orders), "lazy_reads", (int)!c->deciding.no_lazy, "hash",
                            (int)!c->deciding.no_hash));
        if (c->deciding.relaxed)
            json_object_update_new(json,
                                   json_pack("{s:I, s:b}", "permutations", whole(n->permutations),
                                             "skip_known", (int)!c->deciding.no_skip));
    } else if (c->deciding.relaxed) {
        line("orders of operations decided", s->quasi.orders);
        line("configurations", s->quasi.configurations);
        json_object_update_new(json, json_pack("{s:I, s:I}", "checked", whole(s->quasi.orders),
                                               "configurations", whole(s->quasi.configurations)));
    } else if (c->deciding.points) {
        line("points taken", s->points.points);
        line("answers asked of the spec", s->points.steps);
        json_object_update_new(json, json_pack("{s:I, s:I}", "points", whole(s->points.points),
                                               "steps", whole(s->points.steps)));
    } else {
        line("downsets walked", s->walk.downsets);
        line("of them left out, known already", s->walk.pruned);
        line("configurations", s->walk.configurations);
        json_object_update_new(json,
                               json_pack("{s:I, s:I, s:I}", "downsets", whole(s->walk.downsets),
                                         "pruned", whole(s->walk.pruned), "configurations",
                                         whole(s->walk.configurations)));
    }
    if (s->clients.sets) {
        line("sets of synchronisation looked at", s->clients.sets);
        json_object_set_new(json, "client_sets", json_integer(whole(s->clients.sets)));
    }
    json_object_set_new(c->execute.more, "stats", json);
}
