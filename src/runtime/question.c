/* The tool asks, this process answers (result/wire.h): the written spec, sequences of calls. */
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/harness.h"

bool pl_wait_for_question(void)
{
    struct pl_wire_question *q = &rt.wire->question;
    uint32_t answered = q->answered;
    while (__atomic_load_n(&q->asked, __ATOMIC_ACQUIRE) == answered)
        syscall(SYS_futex, &q->asked, FUTEX_WAIT, answered, NULL, NULL, 0);
    return !rt.wire->stop;
}

void pl_answer(void)
{
    struct pl_wire_question *q = &rt.wire->question;
    __atomic_store_n(&q->answered, q->answered + 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &q->answered, FUTEX_WAKE, 1, NULL, NULL, 0);
}
