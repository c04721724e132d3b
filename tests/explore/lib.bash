# What the scripts of this directory share. PLUMB is the command, SRC the root of the sources.
programs=$SRC/tests/explore/programs
bad=0 total=0

# lines WORD FILE: what each `// WORD: ...` at the head of FILE says.
lines() { sed -n "1,12s,^// $1: *,,p" "$2"; }

# of MODEL LINE: the value LINE has for the model, as in `-DN=2 sc=2 tso=2 rc11=3`.
of() { sed -nE "s/^(.* )?$1=([^ ]+).*/\\2/p" <<<"$2"; }

# models_of CC LINE: those that LINE has a value for; of other compilers than ours only the last, unless
# ALL is set.
models_of() {
    local model some=''
    for model in sc tso rc11; do
        [ -z "$(of "$model" "$2")" ] || some+="$model "
    done
    [ "$1" = own ] || [ -n "${ALL:-}" ] || some=$(grep -oE '[a-z0-9]+ $' <<<"$some")
    echo "$some"
}

flags_of() { grep -oE '(^| )-[^ ]+' <<<"$1" | tr -d '\n' || true; }

# explore FILE MODEL CC FLAGS...: leaves r.json and r.txt, sets $code. CC may be own, the own front
# end; $options are more options of the command.
explore() {
    local file=$1 model=$2 cc="--cc $3"
    shift 3
    code=0
    rm -f r.json
    # shellcheck disable=SC2086 # words
    "$PLUMB" explore "$file" --model "$model" ${cc#--cc own} ${options:-} --executions 100000000 \
        --save=no --json r.json -- "$@" >r.txt 2>&1 || code=$?
}

# ok NAME EXPECTED ACTUAL
ok() {
    total=$((total + 1))
    [ "$2" = "$3" ] && return
    bad=$((bad + 1))
    echo "FAILED $1: $3, not $2"
    tail -n 12 r.txt | sed 's/^/    /'
}

# outcomes_of: which numbers outcome() was told, by --keep-going; anything else that was found as it is
# named.
outcomes_of() {
    [ "$code" -le 1 ] || echo "exit code $code"
    jq -r '.findings[] | if .message | test("outcome [0-9]+\"$")
        then (.message | capture("outcome (?<n>[0-9]+)\"$").n) else .kind end' r.json |
        sort -u | sort -n | paste -sd, | tr -d '\n'
}

# found: the verdict, and which kind of finding or what coverage. A finding shows the same again, and
# reads as an interleaving if it is one.
found() {
    jq -r '.findings[0] as $f | "\(.verdict) \(if .verdict == "violation" then .violation.kind else
        .coverage end)\(if $f.unstable then ", unstable" else "" end)\(if ($f.under_sc and
        .command == "explore" and ([$f.trace[].text | select(test(", stale\\)$"))] != [])) then
        ", stale" else "" end)"' r.json
}

finish() {
    echo "$((total - bad)) as expected, $bad not"
    [ "$bad" = 0 ] && [ "$total" -gt 0 ]
}
