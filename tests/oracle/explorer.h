/*
 * The explorer on the small programs of the oracles: an interpreter of or_program as its
 * target, and its graphs in the oracles' words.
 */
#ifndef OR_EXPLORER_H
#define OR_EXPLORER_H

#include "explore/sample.h"
#include "graph.h"

struct or_explored {
    const char *failure; /* why it did not end by itself; NULL if it did */
    unsigned long executions, blocked, runs, beyond;
    bool astray; /* symmetry: it cannot be used, and what was found is worth nothing */
};

/* Adds to an initialised result; `repeated` counts complete graphs given more than once. */
struct or_explored or_explore(const struct or_program *p, enum or_model model,
                              struct or_result *result);

/* The first threads are the same: each graph as the first of those that differ only in their names.
 * symmetry: explored so, too. */
struct or_explored or_explore_twins(const struct or_program *p, enum or_model model, int twins,
                                    bool symmetry, struct or_result *result);

/* Under sc, with at most so many preemptions; with a main that creates the threads and joins them.
 */
struct or_explored or_explore_bounded(const struct or_program *p, int most, bool with_main,
                                      struct or_result *result);

/* The same in pieces, by several explorers in turn: after each run one of the ways is put aside. */
struct or_explored or_explore_in_pieces(const struct or_program *p, enum or_model model,
                                        struct or_result *result);

/* About how many complete graphs there are, by so many walks. */
double or_estimate(const struct or_program *p, enum or_model model, unsigned long walks);

/* The same by so many random samples instead. */
struct or_explored or_sample(const struct or_program *p, enum or_model model, unsigned long samples,
                             enum pl_sample_kind kind, struct or_result *result);

/* Every complete graph, as it is in the explorer, with its outcome as text. */
typedef void or_each_graph(void *context, const struct pl_graph *g, const char *outcome);
struct or_explored or_explore_each(const struct or_program *p, enum or_model model,
                                   or_each_graph *each, void *context);

#endif
