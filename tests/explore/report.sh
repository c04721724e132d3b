#!/bin/bash
# What a stranger reads: for each step the thread, the line, the access with its order and value, for
# a read which write it read and whether that is stale; what does not matter is left out.
set -eu
. "$SRC/tests/cli/lib.sh"
programs=$SRC/tests/explore/programs rounds=$SRC/tests/explore/rounds

# shows TEXT...: each is in the report.
shows() {
    local text
    for text in "$@"; do
        grep -qF -- "$text" out || { cat out && die "no word of: $text"; }
    done
}
# shows_not TEXT...
shows_not() {
    local text
    for text in "$@"; do
        ! grep -F -- "$text" out || die "$text"
    done
}

expect 1 explore "$programs/mp_assert.c" --save=no
shows 'Not under sc: it takes a weaker memory model.' 'mp_assert.c:17  data.store relaxed 1' \
    'flag.load relaxed = 1 (from step 6)' 'data.load relaxed = 0 (the initial value, stale)' \
    '2 accesses to memory that only one thread uses not shown (--trace=full)'
shows_not 'read threads[0]'
expect 1 explore "$programs/mp_assert.c" --save=no --trace=full
shows 'read threads[0]'
shows_not 'not shown'

# An execution that is one of sc is shown as an interleaving, with as few preemptions as it has.
expect 1 explore "$programs/lost_update.c" --save=no
shows 'Under sc, too.' ', 1 preemption):' '— thread 1 runs —' 'count.store seq_cst 1'
shows_not stale

# What the program had made of it before, by plain writes, is a source like others.
expect 1 explore "$programs/use_after_free.c" --save=no
shows 'slot.load seq_cst = block#1 (from step 3)' 'free(block#1)' 'main allocated it:'

expect 1 explore "$programs/uninitialised.c" --save=no
shows 'block#1.load seq_cst, never written'

expect 1 explore "$programs/abba.c" --save=no
shows 'thread 1 waits in lock of a, held by thread 2; thread 2 waits in lock of b, held by thread 1' \
    'thread 1 is blocked in lock a, held by thread 2:' 'abba.c:11  blocks on a'

# A wake-up that nobody gets.
expect 1 explore "$rounds/futex.c" --save=no -- -DLOST -DCOUNT
shows 'thread 1 waits in futex wait of word' 'word.compare_exchange seq_cst fails, finds 1 (from step' \
    'futex.c:23  blocks on word'

expect 1 explore "$rounds/stuck.c" --save=no -- -DCIRCLE
shows 'thread 1 waits in a loop that changes nothing; thread 2 waits in a loop that changes nothing' \
    'b.load seq_cst = 0' 'goes round again: nothing has changed'

# Where one thread spins another still goes on.
expect 1 explore "$rounds/held.c" --save=no -- -DSEMAPHORE
shows 'held.c:23: thread 1 waits in a loop that changes nothing; main waits for the end of thread 1' \
    'flag.exchange seq_cst = 1, now 1' 'goes round again: nothing has changed' 'semaphore wait semaphore'
shows_not 'did not show'

# A store that lost against one made before it says so: the step shown above it is the newer one.
expect 1 explore "$rounds/stuck.c" --save=no --json r.json -- -DOVERTAKEN
step=$(jq -r '.findings[0].trace[] | select(.text | test("a.store relaxed 1")) | .step' r.json)
shows 'Not under sc' "a.store relaxed 0 (overwritten by step $step)"
[ "$(jq '[.findings[0].trace[] | select(.overwritten_by == '"$step"')] | length' r.json)" = 1 ] ||
    die "overwritten_by"
