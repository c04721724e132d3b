# Pointers as responses: a block of the heap is named by its allocation, not by its address.
source "$SRC/tests/check/lib.bash"

# Freed blocks are given out again, so what address the second call gets depends on whether it found
# something to free: no serial run has a fresh one there.
cat >renew.c <<'C'
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(int *) slot;
static void setup(void) { atomic_init(&slot, malloc(sizeof(int))); }
static int *renew(void)
{
    free(atomic_exchange(&slot, NULL));
    int *mine = malloc(sizeof *mine);
    free(atomic_exchange(&slot, mine));
    return mine;
}
C
for model in sc rc11; do
    passes renew.c --setup 'setup()' --call 'renew()' --test 'renew() | renew(),renew()' --model $model
done

# Two that get the same block: by name, where its address has been another's.
cat >twice.c <<'C'
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(int *) slot;
static void *give(void)
{
    free(malloc(sizeof(int)));
    int *n = malloc(2 * sizeof *n);
    atomic_store(&slot, n + 1);
    return n;
}
static int *take(void)
{
    int *n = atomic_load(&slot);
    atomic_store(&slot, NULL);
    return n;
}
C
violates not-linearizable twice.c --call 'give()' --call 'take()' --test 'give(),take() | take()' --model sc
grep -q 'block 2 of call 1+4' first || { cat first; die "which block?"; }
grep -q 'NULL' first || die "nothing to take"

# Not of the heap: as they are. Of setup, and of a thread.
cat >fixed.c <<'C'
#include <stdlib.h>
static int *mine, x;
static void setup(void) { mine = malloc(4); }
static int *of_setup(void) { return mine; }
static int *global(void) { return &x; }
C
expect 0 check fixed.c --setup 'setup()' --call 'of_setup()' --call 'global()' --test 'of_setup() | global()' \
    --model sc --observations seen.xml
grep -q 'block 1 of setup' seen.xml || { cat seen.xml; die "no block of setup"; }
grep -q '0x4' seen.xml || { cat seen.xml; die "no address"; }

# A block that was there before main, freed and used again, is that of the call that allocates it.
cat >before.cc <<'CC'
#include <atomic>
#include <memory>
struct cell {
    std::shared_ptr<const int> p = std::make_shared<const int>(0);
    std::shared_ptr<const int> get() { return std::atomic_load(&p); }
    void set(int v) { std::atomic_store(&p, std::make_shared<const int>(v)); }
};
CC
passes before.cc --decl 'cell c' --call 'c.set(1)' --call 'c.get()' --test 'set(1),set(1) | get(),get()' --model sc
