/*
 * A spec instead of the object's own serial runs. A built-in one: which of its operations each call
 * is, and what an answer means in its words. Or one that the user wrote.
 *
 * Ownership: pl_against_release.
 */
#ifndef PL_CLI_AGAINST_H
#define PL_CLI_AGAINST_H

#include "check/behaviour.h"
#include "cli/responses.h"
#include "cli/written.h"
#include "plan/call.h"
#include "result/wire.h"
#include "spec/relaxation.h"

enum { PL_OBJECTS = 4 };

struct pl_against {
    char *object;               /* name of the object that is meant; NULL: there is only one */
    struct pl_against *next;    /* of another object; owned */
    struct pl_written *written; /* then nothing else counts; or NULL */
    const struct pl_spec *spec;
    struct pl_relaxation relaxation;
    const char *map; /* as given; NULL: none */
    pl_value initial;
    struct pl_history history; /* values of arguments */
    struct pl_meant {
        struct pl_operation operation; /* code and arguments */
        const struct pl_word *word;    /* NULL: of another object */
        bool outs;                     /* it answers a flag first, then what it took */
        bool blocking;                 /* it waits instead of failing */
    } * meant;                         /* of each call */
    size_t count;
    bool empty_given; /* as a number */
    pl_value empty_number;
    unsigned
        unfit; /* 1 + a call whose answers are several values where the spec has one; 0: none */
    bool has_empty;
    uint8_t empty[PL_CHECK_RESPONSE]; /* what a take answers that finds nothing */
    uint8_t empty_length;
};

/* Errors: PL_ERR_INPUT: no such spec, a call that is none of its operations. */
/* Has --map only names that calls have? `objects`: of several objects. Errors: PL_ERR_INPUT. */
enum pl_status pl_against_check_map(const char *map, const struct pl_call *calls, size_t count,
                                    bool objects, struct pl_error *error);
enum pl_status pl_against_init(struct pl_against *out, const char *spec, const char *map,
                               const char *initial, const struct pl_call *calls, size_t count,
                               struct pl_error *error);
/* The same of several objects, `q1=fifo,q2=lifo`: a call is of the object whose name is in it. */
enum pl_status pl_against_init_objects(struct pl_against *out, const char *specs, const char *map,
                                       const char *initial, const struct pl_call *calls,
                                       size_t count, struct pl_error *error);
static inline bool pl_against_given(const struct pl_against *against)
{
    return against->spec || against->written;
}
void pl_against_release(struct pl_against *against);

/* The call whose answer, on a fresh object, shows what "empty" looks like; -1: none needed. */
int pl_against_take(const struct pl_against *against);
void pl_against_set_empty(struct pl_against *against, unsigned call, const uint8_t *bytes,
                          uint8_t length);

/* No call puts in what looks like nothing, or it is an error; a spare one is not used then. */
enum pl_status pl_against_check_empty(struct pl_against *against, struct pl_call *calls,
                                      struct pl_error *error);

/* What the operation answers that found nothing to do: empty, false; PL_ANY: there is no such
 * answer. */
pl_value pl_against_failing(const struct pl_against *against, unsigned call);

bool pl_against_is_failing(const struct pl_against *against, unsigned call, pl_value response);

/* The value at `at` of a response as a number; PL_NIL: nothing, NULL, empty. */
pl_value pl_against_number(const uint8_t *bytes, unsigned length, unsigned at);
/* The last one: that of a flag with an out-parameter is the latter. */
pl_value pl_against_last(const uint8_t *bytes, unsigned length);

/* The call that answers a list, of which a fresh object shows how long it is; -1: none needed. */
int pl_against_scan(const struct pl_against *against);
void pl_against_set_scan(struct pl_against *against, unsigned call, const uint8_t *bytes,
                         uint8_t length);

/* A response of a call in the words of the spec. */
pl_value pl_against_value(struct pl_against *against, unsigned call, const uint8_t *bytes,
                          uint8_t length);
void pl_against_print(const struct pl_against *against, pl_value value, struct pl_strbuf *out);

#endif
