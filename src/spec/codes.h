/*
 * The numbers of the operations of the built-in specs: pl_operation.code. What each means
 * is said at the head of the spec's file; `nil` is an empty take or an absent key.
 */
#ifndef PL_SPEC_CODES_H
#define PL_SPEC_CODES_H

/* Containers share the first two: put a value, take one (nil: empty). */
enum { PL_PUT, PL_TAKE };

/* deque: the right end is the first pair */
enum { PL_DEQUE_PUSH_RIGHT, PL_DEQUE_POP_RIGHT, PL_DEQUE_PUSH_LEFT, PL_DEQUE_POP_LEFT };

/* set: answers true or false; READ answers the list of members in ascending order, SIZE how many */
enum { PL_SET_ADD, PL_SET_REMOVE, PL_SET_CONTAINS, PL_SET_READ, PL_SET_SIZE };

/* register and cas-register */
enum { PL_REGISTER_READ, PL_REGISTER_WRITE, PL_REGISTER_CAS, PL_REGISTER_SWAP };

/* map: the same with a key before the other arguments, and REMOVE (true: it was there) */
enum { PL_MAP_GET, PL_MAP_PUT, PL_MAP_CAS, PL_MAP_SWAP, PL_MAP_REMOVE };

/* counter: INC and ADD answer the value before */
enum { PL_COUNTER_INC, PL_COUNTER_ADD, PL_COUNTER_READ };

enum { PL_SEMAPHORE_ACQUIRE, PL_SEMAPHORE_RELEASE, PL_SEMAPHORE_TRY };

enum { PL_LOCK_LOCK, PL_LOCK_UNLOCK, PL_LOCK_TRY };

enum {
    PL_RWLOCK_READ_LOCK,
    PL_RWLOCK_READ_UNLOCK,
    PL_RWLOCK_WRITE_LOCK,
    PL_RWLOCK_WRITE_UNLOCK,
    PL_RWLOCK_TRY_READ,
    PL_RWLOCK_TRY_WRITE
};

/* snapshot: UPDATE(place, value), SCAN answers the list of all places */
enum { PL_SNAPSHOT_UPDATE, PL_SNAPSHOT_SCAN };

enum { PL_EVENT_SET, PL_EVENT_RESET, PL_EVENT_WAIT, PL_EVENT_IS_SET };

enum { PL_COUNTDOWN_SIGNAL, PL_COUNTDOWN_WAIT, PL_COUNTDOWN_COUNT };

/* once: RUN answers true to exactly one caller */
enum { PL_ONCE_RUN, PL_ONCE_DONE };

#endif
