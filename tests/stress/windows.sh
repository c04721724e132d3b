# Rounds of many windows: the object lives on, and what goes wrong late in its life is found.
. "$SRC/tests/check/lib.bash"
lives=$SRC/tests/stress/subjects/lives.c

# What is right passes, whatever state is carried over the cuts.
for object in QUEUE STACK COUNTER REGISTER SET EVENT; do
    for seed in 1 2; do
        "$PLUMB" stress "$lives" --rounds 2 --windows 30 --threads 4 --operations 200 --seed $seed \
            --json right.json -- -D$object >right.txt || die "$object, seed $seed: $(cat right.txt)"
        [ "$(jq -r .verdict right.json)" = pass ] || die "$object: verdict"
        [ "$(jq -r .windows.decided right.json)" = 60 ] || die "$object: $(jq -c .windows right.json)"
        [ "$(jq -r .windows.cuts right.json)" -ge 14 ] || die "$object: $(jq -c .windows right.json)"
    done
done

# What goes wrong after 100,000 calls. The history begins where the state was known, and is bad by
# itself; a round of one window does not come so far.
for object in QUEUE STACK COUNTER REGISTER SET EVENT; do
    code=0
    "$PLUMB" stress "$lives" --rounds 1 --windows 3000 --threads 4 --operations 1000 --no-localise \
        --history late.history --json late.json -- -D$object -DLATE >late.txt || code=$?
    [ $code = 1 ] || die "$object: exit code $code: $(cat late.txt)"
    [ "$(jq -r .violation.kind late.json)" = not-linearizable ] || die "$object: kind"
    again=$(sed -n 's/^ *Decide it again:  plumb //p' late.txt)
    code=0
    # shellcheck disable=SC2086
    "$PLUMB" $again >again.txt || code=$?
    [ $code = 1 ] || die "$object: $again says $code: $(cat again.txt)"
    [ "$(grep -c ' call ' late.history)" -lt 100000 ] || die "$object: the whole round was kept"
done
"$PLUMB" stress "$lives" --rounds 4 --threads 4 --operations 1000 -- -DQUEUE -DLATE >short.txt ||
    die "a short life of the queue: $(cat short.txt)"
code=0
"$PLUMB" stress "$lives" --seconds 60 --no-localise -- -DCOUNTER -DLATE >late.txt || code=$?
[ $code = 1 ] || die "not found without --windows: $(cat late.txt)"

# A round that went wrong is over: nothing is said of windows whose state is not known any more.
code=0
"$PLUMB" stress "$lives" --rounds 2 --windows 1000000000 --seconds 100 --threads 4 --operations 1000 \
    --no-localise --keep-going --history late.history --json late.json -- -DCOUNTER -DLATE >late.txt || code=$?
[ $code = 1 ] || die "twice: exit code $code"
[ "$(jq '.findings | length' late.json)" = 2 ] || die "not once a round: $(cat late.txt)"

# The end of a round in one of its later windows is a finding as ever.
box=$SRC/tests/stress/subjects/box.c
for end in crash:CRASH assertion:ABORT exit:LEAVE hang:HANG invariant:BROKEN; do
    code=0
    "$PLUMB" stress "$box" --windows 1000 --operations 4 --threads 2 --hang-seconds 1 --seconds 20 \
        --json end.json -- -D"${end#*:}" >end.txt || code=$?
    [ $code = 1 ] || die "$end: exit code $code: $(cat end.txt)"
    [ "$(jq -r .violation.kind end.json)" = "${end%:*}" ] || die "$end: $(jq -c .violation end.json)"
done

# Without an end, the time ends it, and the windows so far count.
"$PLUMB" stress "$lives" --windows 1000000000 --seconds 1 --operations 200 --json endless.json -- \
    -DQUEUE >endless.txt || die "an endless round: $(cat endless.txt)"
[ "$(jq -r .windows.decided endless.json)" -gt 10 ] || die "$(jq -c .windows endless.json)"

code=0
"$PLUMB" stress "$lives" --windows 2 --strategy random -- -DQUEUE >out.txt 2>&1 || code=$?
[ $code = 2 ] || die "--windows with --strategy: $code"
grep -q -- '--windows: only of real threads' out.txt || die "$(cat out.txt)"
