/* What the files of the explorer's target share: model.c and model_*.c. */
#ifndef PL_RUNTIME_MODEL_INTERNAL_H
#define PL_RUNTIME_MODEL_INTERNAL_H

#include "runtime/loops.h"
#include "runtime/model.h"

/* ---- model.c ---- */
extern struct pl_model_state {
    struct pl_trust *explorer; /* of the run under way: the search, or one beside it */
    struct pl_trust *search;
    struct pl_sample sample;
    bool keeps_rounds;      /* those that write something in passing are not void */
    bool keeps_stores;      /* nor those that take it back by a store */
    bool left;              /* it is no longer part of a search that processes share */
    bool looks_into_rounds; /* the search is for races with void ones: left_out.h */
    /* Bit per thread: */
    uint64_t could_time_out; /* it sleeps or waits, and could give that up */
    uint64_t spinning;       /* it stands at the end of a void round */
} pl_model;
void pl_model_after(uint64_t pc); /* the event that the running thread has just made */
bool pl_model_searches(void);     /* every execution: no sample, no replay */

/* ---- model_share.c ---- */
bool pl_model_shares(void); /* is the search under way shared with other processes? */
void pl_model_give_if_wanted(void);

/* ---- model_objects.c ---- */
void pl_model_objects_begin(void); /* of an execution */
void pl_model_objects_keep(void);  /* station.h */

/* ---- model_rounds.c ---- */
void pl_model_rounds_begin(void); /* of an execution */
void pl_model_rounds_keep(void);  /* station.h */
void pl_model_rounds_end(void);
void pl_model_disturb(const struct pl_node *event); /* who stands still and minds it goes on */
/* The running thread stands still in this graph, in the round since then, until somebody minds. */
void pl_model_stand(unsigned since, bool same, uint64_t pc);
void pl_model_go_on(unsigned thread); /* it no longer stands */
/* Could the thread, which is blocked, go on by itself: by a time-out, or because somebody minds? */
bool pl_model_may_stir(unsigned thread);

/* model.c: rounds that take back by a store, which were made, have no end; begins again. */
void pl_model_leave_out_stores(void);

/* model_atomic.c: the location that the access is to now, after others have moved. */
void pl_model_refresh(struct pl_trust_access *a);

/* ---- model_await.c ---- */
enum { PL_AWAIT_VALUES = 16 };
struct pl_awaiting {
    uint64_t value[PL_AWAIT_VALUES], idle[PL_AWAIT_VALUES];
    struct pl_trial idle_round[PL_AWAIT_VALUES], round;
    unsigned values, idle_count;
    bool update;
    bool vain; /* with the newest value nothing comes of the round, but the thread may get stuck */
    /* A load: with every outdated value that is not idle an update of the same location comes next,
     * this one; bit per value: with it the round is void then. */
    bool leads_to_update;
    struct pl_trust_access next;
    uint32_t next_idle;
};
void pl_await_init(void);
void pl_await_begin(void); /* of an execution */
void pl_await_keep(void);  /* station.h */
bool pl_await_is_off(void);
bool pl_await_applies(void);
/* Before an atomic operation of a loop that waits: returns when the thread is to make its event,
 * and the access knows which values are idle. True: a trial, and *trial is what to return. */
bool pl_await(struct pl_awaiting *w, struct pl_trust_access *a, uint64_t *trial, uint64_t pc);
bool pl_await_is_idle(const struct pl_awaiting *w, uint64_t value); /* does it end a void round? */
/* After the read: if its value does the thread stands here; when it comes back, its
 * read is to be made again. */
bool pl_await_stands(const struct pl_awaiting *w, uint64_t value, uint64_t pc);
/* Before a write: while somebody stands at a read there, the others go first. Did they? */
bool pl_await_be_late(uint64_t address, uint64_t pc);
/* After it. True: the graph has changed, and the next event is that of another thread. */
bool pl_await_written(uint64_t address);
void pl_await_go_on(unsigned thread); /* it has an event to repeat, and need not wait */
uint64_t pl_await_stir(void);         /* nobody else can go on: somebody who waits, or nobody */

#endif
