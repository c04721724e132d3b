# The rows of the gallery. Sourced; not a test.

# one MODEL SUBJECT EXPECTED ARGUMENTS...; EXPECTED: executions if it passes, unknown:EXECUTIONS, or the
# kind of the violation
one() {
    local model=$1 subject=$2 expected=$3
    shift 3
    local arguments=(check "$SRC/subjects/$subject.c" --model "$model" --json result.json --save no "$@")
    if [[ $expected = [0-9]* || $expected = unknown:* ]]; then
        expect "$([[ $expected = unknown:* ]] && echo 3 || echo 0)" "${arguments[@]}"
        local executions
        executions=$(key result.json executions)
        [[ $executions = "${expected#unknown:}" ]] || die "$subject, $model: $executions executions, not $expected"
    else
        expect 1 "${arguments[@]}"
        local kind
        kind=$(key result.json violation kind)
        [[ $kind = "$expected" ]] || { cat out; die "$subject, $model: $kind, not $expected"; }
    fi
}

# row SUBJECT SC TSO RC11 ARGUMENTS...
row() {
    local subject=$1 sc=$2 tso=$3 rc11=$4
    shift 4
    one sc "$subject" "$sc" "$@"
    one tso "$subject" "$tso" "$@"
    one rc11 "$subject" "$rc11" "$@"
}
