/* The replay strategy: the choices of an earlier execution, in order. */
#include "explore/target.h"

static void begin(struct pl_strategy *strategy, uint64_t seed)
{
    (void)seed;
    struct pl_replay *self = (struct pl_replay *)strategy;
    self->next = 0;
    self->diverged = 0;
}

static unsigned pick(struct pl_strategy *strategy, uint64_t threads, unsigned current)
{
    (void)current;
    struct pl_replay *self = (struct pl_replay *)strategy;
    if (self->next < self->count) {
        unsigned thread = self->choices[self->next++];
        if (thread < 64 && (threads >> thread & 1))
            return thread;
        self->diverged = 1;
    }
    return (unsigned)__builtin_ctzll(threads);
}

static unsigned choose(struct pl_strategy *strategy, unsigned n)
{
    struct pl_replay *self = (struct pl_replay *)strategy;
    if (self->next < self->count) {
        unsigned answer = self->choices[self->next++];
        if (answer < n)
            return answer;
        self->diverged = 1;
    }
    return 0;
}

void pl_replay_init(struct pl_replay *self, const uint8_t *choices, uint64_t count)
{
    self->strategy = (struct pl_strategy){begin, pick, choose};
    self->choices = choices;
    self->count = count;
    self->next = 0;
    self->diverged = 0;
}
