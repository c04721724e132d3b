# determinism SEEDS: each seed twice, byte-identical results; different seeds, different traces.
determinism() {
    local seeds=$1 seed run bad=0
    # Compiled once: what is repeated is the run.
    gcc -g -O1 -fsanitize=thread -c "$subjects/programs/always_fails.c" -o program.o
    for seed in $(seq 1 "$seeds"); do
        for run in 1 2; do
            "$PLUMB" run program.o --seed "$seed" --executions 1 --save=no --trace=full \
                --json "$run.json" >"$run.txt" 2>&1 && code=0 || code=$?
            [ "$code" = 1 ] || { echo "seed $seed: exit code $code" && cat "$run.txt" && exit 1; }
            jq 'del(.seconds)' "$run.json" >"$run.result"
            [ "$(jq '.findings[0].trace | length' "$run.result")" -gt 20 ] ||
                { echo "seed $seed: no trace" && exit 1; }
        done
        cmp 1.result 2.result || { echo "seed $seed: two results" && bad=$((bad + 1)); }
        jq -c '[.findings[0].trace[] | del(.step)]' 1.result | md5sum >>traces
    done
    [ "$bad" = 0 ] || exit 1
    # Two schedules of so many steps are hardly ever the same.
    [ "$(sort -u traces | wc -l)" -gt $((seeds * 9 / 10)) ] ||
        { echo "only $(sort -u traces | wc -l) traces from $seeds seeds" && exit 1; }
}
