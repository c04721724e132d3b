/*
 * C++ exceptions shared through std::exception_ptr. Their reference count is changed
 * by code of libstdc++ that no instrumentation reaches, so that an exception which one
 * thread has looked at and another destroys would seem a race. Each function that
 * changes the count is therefore an acquire and a release on it:
 *
 *   exception_ptr::_M_addref, _M_release    copies and ends of exception_ptr
 *   __cxa_end_catch                         the end of a handler of rethrow_exception
 *
 *   thrown object:  [ … header, count … | object ]     the record is found at the
 *                                  ▲ KEY              header, always part of it
 */
#include "runtime/model.h"
#include "runtime/objects.h"

enum { KEY = 16 };
/* Last byte of an exception class: an exception that refers to another ("C++\1"). */
enum { DEPENDENT = 1 };

/* What libstdc++ keeps per thread, and the part of its exceptions that we read. */
struct globals {
    struct caught *caught;
    unsigned uncaught;
};
struct caught {
    void *primary; /* the object, in a dependent exception */
    void *others[9];
    uint64_t class_; /* first word of the unwinder's part */
};

typedef void method(void **self);
static method *real_addref, *real_release;
static void (*real_end_catch)(void);
extern struct globals *__cxa_get_globals(void) __attribute__((weak)); /* a C program has none */

/* While the library is loaded: nothing is looked up in a step. */
__attribute__((constructor)) static void find(void)
{
    if (!__cxa_get_globals)
        return;
    real_addref = (method *)(uintptr_t)pl_real("_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv");
    real_release =
        (method *)(uintptr_t)pl_real("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");
    real_end_catch = (void (*)(void))(uintptr_t)pl_real("__cxa_end_catch");
}

static void count_changes(void *object, uint64_t pc)
{
    if (!object || !rt.active)
        return;
    if (rt.exploring) { /* what happens before what is the graph's to say */
        const struct pl_model_step step = {.object = (char *)object - KEY,
                                           .op = PL_OP_ADD,
                                           .operand = 1,
                                           .order = PL_ORDER_ACQ_REL,
                                           .order_fail = PL_ORDER_ACQ_REL};
        (void)pl_model_object_update(&step, NULL, pc);
        return;
    }
    pl_point(pc);
    struct pl_sync *s = pl_sync_object(PL_SYNC_ATOMIC, (char *)object - KEY, pc, NULL);
    pl_acquire(s->release);
    pl_release_join(s->release);
    pl_changed();
}

PL_EXPORT void _ZNSt15__exception_ptr13exception_ptr9_M_addrefEv(void **self);
PL_EXPORT void _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(void **self);
PL_EXPORT void __cxa_end_catch(void);

void _ZNSt15__exception_ptr13exception_ptr9_M_addrefEv(void **self)
{
    uint64_t pc = PL_CALLER;
    count_changes(*self, pc);
    real_addref(self);
}

void _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(void **self)
{
    uint64_t pc = PL_CALLER;
    count_changes(*self, pc);
    real_release(self);
}

void __cxa_end_catch(void)
{
    uint64_t pc = PL_CALLER;
    const struct caught *caught = rt.active ? __cxa_get_globals()->caught : NULL;
    if (caught && (caught->class_ & 255) == DEPENDENT)
        count_changes(caught->primary, pc);
    real_end_catch();
}
