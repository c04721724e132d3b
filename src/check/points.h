/*
 * Linearization points (Vechev, Yahav, Yorsh; du Toit's thesis, section 3.1): the program says
 * where an operation takes effect, and the spec is executed at that moment.
 *
 *     enq(1)  ├────●───────────┤           ● a point: the operation takes effect here
 *     deq()        ├──●──────┤
 *     deq()=empty     ├────────────┤       none: some moment between call and return must do
 *
 * P1  A point is at an event of the execution. Points, calls and returns are partially ordered; in
 *     every order that respects this, each operation that passed a point must get its answer from
 *     the spec at the last of its points, which must lie between its call and its return (it
 *     may have been passed by another thread, which helped).
 * P2  An operation that passed none must get its answer, and leave the state as it is, at some
 *     moment between its call and its return. (If it changes the state there is no telling when:
 *     that is a mismatch, too.) So where it is placed changes nothing for others, and each is
 * looked at by itself. Keys are not looked at: the spec is asked in each state, which serves an
 *     operation on a key and one on all of them, as an empty take, alike.
 * P3  Which moments? Let A be the points that come before its return, B those that come after its
 *     call. In an order of the points let a be the last of A, b the first of B. If a comes after b,
 *     all histories of this order have the moments from just before b to just after a in common,
 * and some has no other: one of them must do. If not, a history may have call and return in any one
 *     gap from a to b: each gap must do.
 * P4  Without a global clock (weak models) the operation may be at any moment that does not
 *     contradict what happens before its call and after its return: one must do, and those without
 * a point that happen before each other must not be the other way round. The earliest for each is
 *     as good as any.
 * P5  There, a client that synchronises its calls (clients.h) makes another execution of which P1,
 *     P2 and P4 are asked: points come after those that its edges bring before them, and those of
 *     two operations in the order of the operations. pl_points_clients looks at all clients.
 * P6  Marks that were passed at one access (an elimination marks both its operations) are points
 * one after the other: no other point comes between them, nor is anything called there or returns.
 * P7  The last mark of an operation counts: one that comes before another of the same operation,
 *     whatever the order, is no point. (With a clock it does no harm.)
 *
 * So one order of the points costs as many steps of the spec as it has points, and one for each
 * moment of an operation without a point; nothing is searched. Points that are not ordered are
 * tried in every order, but a set of points in a state only once.
 *
 * If all is well every history is linearizable: the points are the witness. A stuck history:
 * pending operations have no effect, and each must block in the last state. Otherwise a pending
 * operation took effect if it passed a point.
 */
#ifndef PL_CHECK_POINTS_H
#define PL_CHECK_POINTS_H

#include "check/clients.h"

enum { PL_MOST_POINTS = 64 };

struct pl_point {
    uint8_t operation;
    uint64_t before, after; /* events of the behaviour that come before it, that come after it */
    uint64_t earlier;       /* points that come before it: transitive */
    uint64_t with;          /* P6: the others of its access; they are in order in `earlier` */
    uint64_t past, future;  /* P5: events that come before it, after it, in the order of points */
};

struct pl_points {
    unsigned count;
    struct pl_point at[PL_MOST_POINTS];
    bool clocked;                     /* P3; else P4 */
    uint64_t dropped;                 /* P7: these are none */
    uint64_t reach[PL_CALLED_EVENTS]; /* P5: of each event those before it in the order of points */
};

enum pl_mismatch_kind {
    PL_MISMATCH_NONE,
    PL_MISMATCH_CYCLE,   /* `point` and `other` come before each other */
    PL_MISMATCH_OUTSIDE, /* `point` is not between call and return of its operation */
    PL_MISMATCH_ANSWER,  /* at its point the operation has another answer */
    PL_MISMATCH_MOMENT,  /* it passed no point, and at no moment it has its answer */
    PL_MISMATCH_CHANGE,  /* it passed no point, and where it has its answer it changes the state */
    PL_MISMATCH_WAITS,   /* it never returned, but does not block in the last state */
};

enum { PL_MISMATCH_EVENTS = PL_CALLED_EVENTS + PL_MOST_POINTS };

struct pl_mismatch {
    enum pl_mismatch_kind kind;
    unsigned operation;
    unsigned point, other; /* PL_MOST_POINTS: none */
    pl_value answer;       /* ANSWER, MOMENT: what the spec says there last; PL_ANY: it blocks */
    /* A history up to there: calls and returns, and points as 64 + number; without a clock points
       only. */
    uint8_t event[PL_MISMATCH_EVENTS];
    unsigned events;
};

/* Added to. */
struct pl_points_stats {
    uint64_t behaviours, points, steps; /* points taken, answers asked of the spec */
};

/* P4: where the operations without a point were placed. */
struct pl_moments {
    bool single;                   /* there was one order of the points, and so this is about it: */
    uint8_t order[PL_MOST_POINTS]; /* the points */
    unsigned points;
    uint8_t loose[PL_MOST_CALLED]; /* operations without a point, first to last */
    uint8_t after[PL_MOST_CALLED]; /* of each of these, how many points come before it */
    unsigned count;
};

/*
 * The order of the behaviour need not be closed. NEITHER: the
 * budget ran out, or the spec has several next states for one answer (out->kind is NONE).
 */
enum pl_decision pl_points_decide(struct pl_machine *machine, const struct pl_behaviour *behaviour,
                                  const struct pl_points *points, const struct pl_budget *budget,
                                  struct pl_mismatch *out, struct pl_points_stats *stats);
/* The same, where `dropped` is set; moments may be NULL. */
enum pl_decision pl_points_place(struct pl_machine *machine, const struct pl_behaviour *behaviour,
                                 const struct pl_points *points, const struct pl_budget *budget,
                                 struct pl_mismatch *out, struct pl_moments *moments,
                                 struct pl_points_stats *stats);

/* P5, all clients of an execution without a clock, that one included which does not synchronise.
 * BAD: the client says which, without an edge that could go, the mismatch what is wrong for it.
 * NEITHER: as above, or there were too many. only_search: without the shortcut, for tests. */
struct pl_points_found {
    struct pl_client *client;
    struct pl_mismatch *mismatch;
    struct pl_points_stats *stats;
    struct pl_clients_stats *sets;
};
enum pl_decision pl_points_clients(struct pl_machine *machine, const struct pl_behaviour *behaviour,
                                   const struct pl_points *points, const struct pl_allowed *allowed,
                                   const struct pl_budget *budget,
                                   const struct pl_points_found *out, bool only_search);

/* P7: points that another one of their operation always follows. */
uint64_t pl_points_superseded(const struct pl_points *points);

#endif
