# reset EXECUTIONS: runs programs/leaves_all.c and watches its process: memory, descriptors and
# threads at the end are what they were after the first tenth.
reset() {
    local executions=$1 plumb child='' rss fds threads early late samples=0
    local early_rss early_fds early_threads
    "$PLUMB" run "$subjects/programs/leaves_all.c" --executions "$executions" --save=no \
        --json result.json >report.txt 2>&1 &
    plumb=$!
    : >samples
    while kill -0 "$plumb" 2>/dev/null; do
        # The process of the subject is the child that is neither compiler nor linker.
        child=$(cat "/proc/$plumb/task/$plumb/children" 2>/dev/null || true)
        child=${child%% *}
        if [ -n "$child" ] && { tr '\0' '\n' <"/proc/$child/environ"; } 2>/dev/null | grep -q ^PLUMB_WIRE=; then
            rss='' threads=''
            read -r rss threads < <(awk '/^VmRSS:/ { r = $2 } /^Threads:/ { print r, $2 }' \
                "/proc/$child/status" 2>/dev/null) || true
            fds=$({ ls "/proc/$child/fd" || true; } 2>/dev/null | wc -l) # it may end just now
            [ -z "$rss" ] || [ "$fds" = 0 ] || echo "$rss $fds $threads" >>samples
        fi
        sleep 0.02
    done
    wait "$plumb" || { echo "exit code $?" && tail -30 report.txt && exit 1; }
    [ "$(jq -r '"\(.verdict) \(.executions)"' result.json)" = "pass $executions" ] ||
        { jq 'del(.findings)' result.json && exit 1; }
    samples=$(wc -l <samples)
    [ "$samples" -ge 20 ] || { echo "only $samples samples" && exit 1; }
    # The largest of each column, in the second tenth and in the last.
    early=$(sed -n "$((samples / 10 + 1)),$((samples / 5 + 2))p" samples | largest)
    late=$(tail -n $((samples / 10 + 1)) samples | largest)
    echo "memory in KiB, descriptors, threads: $early early, $late late, $samples samples"
    read -r early_rss early_fds early_threads <<<"$early"
    read -r rss fds threads <<<"$late"
    [ "$rss" -le $((early_rss + 512)) ] || { echo "memory grows" && exit 1; }
    [ "$fds" -le $((early_fds + 3)) ] || { echo "descriptors grow" && exit 1; } # 3 while it runs
    [ "$threads" -le "$early_threads" ] || { echo "threads grow" && exit 1; }
}

largest() { awk '{ for (i = 1; i <= 3; i++) if ($i > m[i]) m[i] = $i } END { print m[1], m[2], m[3] }'; }
