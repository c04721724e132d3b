/*
 * The same question as the walk's, answered as du Toit's thesis does (sections 3.2 and 3.5): all
 * histories of the execution, for each history all orders of its operations that keep the
 * real-time order, each order run against the spec from its beginning, until one is right. It
 * shares no code with the walk and is its oracle in the field; exponential twice over.
 *
 * Its two optimisations:
 * - hash: a history that was met before, in this execution or another, is not checked again.
 *   Histories are compared in full.
 * - lazy reads: only operations that change the state are put in order; a read must be right
 *   at some place between those it comes after and those it comes before. The thesis asks
 *   this of each read by itself; two reads one after the other could then see a change the
 *   wrong way round, so here the places of reads keep their real-time order, too.
 */
#ifndef PL_CHECK_ENUMERATE_H
#define PL_CHECK_ENUMERATE_H

#include "check/quasi.h"

struct pl_enumerate_options {
    bool lazy_reads, hash;
    bool skip;     /* pl_enumerate_quasi: an order that was met before is not looked at again */
    bool all;      /* goes on after a bad history, to count them all; the first is reported */
    size_t memory; /* for the histories met; 0: 1 GiB */
};

struct pl_enumerate_stats {
    uint64_t generated;    /* histories */
    uint64_t distinct;     /* of them; at least, if `full` */
    uint64_t checked;      /* an order was looked for; with `hash` once each */
    uint64_t orders;       /* tried; of quasi linearizability, sequentialisations */
    uint64_t permutations; /* of these, within the factors */
    bool full;             /* the memory was used up */
};

struct pl_enumerate; /* remembers the histories of all behaviours decided with it */

struct pl_enumerate *pl_enumerate_new(const struct pl_enumerate_options *options);
void pl_enumerate_free(struct pl_enumerate *enumerate);

/*
 * As pl_walk. `reads` is the set of operations that, with the answer they gave, change no state
 * of the spec they are legal in; 0 is always right. (In a tree of serial runs every operation
 * leads to another node: there it has to be 0.)
 */
enum pl_decision pl_enumerate(struct pl_enumerate *enumerate, struct pl_machine *machine,
                              const struct pl_behaviour *behaviour, uint32_t reads,
                              const struct pl_budget *budget, struct pl_refuted *out);

/*
 * The order itself as the one history, as pl_serial_order: under a weak memory model. Here the
 * hash remembers nothing.
 */
enum pl_decision pl_enumerate_order(struct pl_enumerate *enumerate, struct pl_machine *machine,
                                    const struct pl_behaviour *behaviour, uint32_t reads,
                                    const struct pl_budget *budget, struct pl_refuted *out);

/*
 * Quasi linearizability as Round-Up's Algorithms 1 and 2 decide it: all sequentialisations, of each
 * all permutations within the factors. `hash` is the second of the paper's optimisations (section
 * VI.C), `skip` the third, of sequentialisations and of permutations. (The first is about a spec
 * that is a list of serial histories: the machine's, cli/sequences.h.)
 */
enum pl_decision pl_enumerate_quasi(struct pl_enumerate *enumerate, const struct pl_quasi *quasi,
                                    struct pl_machine *machine,
                                    const struct pl_behaviour *behaviour,
                                    const struct pl_budget *budget, struct pl_refuted *out);

const struct pl_enumerate_stats *pl_enumerate_stats(const struct pl_enumerate *enumerate);

#endif
