/* Concurrency Kit stack (libck-dev), multiple producers and consumers: three threads that each pop
 * two entries and push the first again.
 *
 * Switches: -include plumb/compat/ck.h, which is -DCK_USE_CC_BUILTINS=1 -DCK_MD_RMO and the
 * two-word compare-and-swap that the builtins lack: without it there is no ck_stack_pop_mpmc.
 *
 * Races: needs --races=allow. pop reads the link of the top entry with a plain load before its
 * compare-and-swap; meanwhile another thread may pop that entry and push it again, writing the
 * link (the compare-and-swap then fails on the generation).
 *
 * Asserted: every entry is on the stack or with one thread, never twice, never lost, although
 * entries are pushed again (the ABA case that the generation is for).
 *
 * With -DMISUSE, what must be found: the pop without a generation, which is for entries that are
 * never pushed again.
 */
#include <assert.h>
#include <ck_stack.h>
#include <pthread.h>

#ifdef MISUSE
#define ck_stack_pop_mpmc ck_stack_pop_upmc
#endif

enum { THREADS = 3, ENTRIES = 3 };

struct entry {
    ck_stack_entry_t link; /* first: a popped link is its entry */
    int owner;             /* 0, or the thread that popped it: a plain word, as a user would have */
    int number;
};

static ck_stack_t stack __attribute__((aligned(16))) = CK_STACK_INITIALIZER;
static struct entry entries[ENTRIES];
static struct entry *kept[THREADS];

static struct entry *pop(int me)
{
    struct entry *e = (struct entry *)(void *)ck_stack_pop_mpmc(&stack);

    if (e) {
        assert(e->owner == 0);
        e->owner = me;
    }
    return e;
}

static void push(struct entry *e, int me)
{
    assert(e->owner == me);
    e->owner = 0;
    ck_stack_push_mpmc(&stack, &e->link);
}

static void *work(void *arg)
{
    struct entry **mine = arg;
    int me = (int)(mine - kept) + 1;
    struct entry *first = pop(me), *second = pop(me);

    assert(!first || first != second);
    if (first)
        push(first, me);
    *mine = second;
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int seen[ENTRIES] = {0};
    struct entry *e;

    for (int i = 0; i < ENTRIES; i++) {
        entries[i].number = i;
        ck_stack_push_mpmc(&stack, &entries[i].link);
    }
    for (int t = 0; t < THREADS; t++)
        pthread_create(&threads[t], NULL, work, &kept[t]);
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);

    for (int t = 0; t < THREADS; t++) {
        if (kept[t]) {
            assert(kept[t]->owner == t + 1);
            seen[kept[t]->number]++;
        }
    }
    while ((e = pop(99)) != NULL)
        seen[e->number]++;
    for (int i = 0; i < ENTRIES; i++)
        assert(seen[i] == 1);
    return 0;
}
