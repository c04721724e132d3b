# What the scripts of this directory share. PLUMB is the command, SRC the root of the sources.
subjects=$SRC/tests/subjects

# header FILE NAME: what `// NAME: text` at the head of FILE says.
header() { sed -n "1,5s,^// $2: *,,p" "$1"; }

# plumb_run FILE CC LEVEL OUT OPTIONS...: runs FILE compiled by CC (own: the own front end) at
# LEVEL. Leaves OUT.json (the result), OUT.txt (the report) and returns the exit code.
plumb_run() {
    local file=$1 cc="--cc $2" level=$3 out=$4 flags
    shift 4
    flags=$(header "$file" flags)
    # shellcheck disable=SC2086 # words
    "$PLUMB" run "$file" ${cc#--cc own} --seed 1 --save=no --json "$out.json" "$@" -- "$level" $flags \
        >"$out.txt" 2>&1
}

# each CHECK FILE... [-- FILE...]: calls CHECK FILE CC LEVEL OUT for each file, with gcc, with the own
# front end and with clang, levels taking turns; those after -- without clang, in C++ with one compiler
# (LEVELS=all: every level, every compiler). A CHECK prints what is wrong, or nothing. Ends the script
# with 1 if any printed something.
each() {
    local check=$1 levels=(-O0 -O1 -O2) i=0 file name cc turn bad=0 total=0 list compilers all=(gcc own clang) c lean=no
    shift
    mkdir -p out
    export -f "$check" plumb_run header
    list=$(for file in "$@"; do
        [ "$file" != -- ] || { [ "${LEVELS:-turns}" = all ] || lean=yes all=(gcc own) && continue; }
        name=$(basename "$(dirname "$file")")-$(basename "$file")
        compilers=$(header "$file" compilers)
        for c in "${!all[@]}"; do
            [[ $lean != yes || $file != *.cpp || $c == $((i % 2)) ]] || continue # they take long
            cc=${all[$c]}
            [ -z "$compilers" ] || [[ " ${compilers%% (*} " == *" $cc "* ]] || continue
            for turn in 0 1 2; do
                [ "${LEVELS:-turns}" = all ] || [ "$turn" = $(((i + c) % 3)) ] || continue
                echo "$check ${file#"$SRC"/} $cc ${levels[$turn]} out/$name-$cc${levels[$turn]}"
            done
        done
        i=$((i + 1))
    done)
    echo "$list" | xargs -P "${JOBS:-$(nproc)}" -d '\n' -I LINE \
        bash -uc 'set -- $1; mkdir "$5"; "$1" "$SRC/$2" "$3" "$4" "$5/result" >"$5.said" 2>&1 ||
                  echo "the check itself failed" >>"$5.said"' _ LINE
    while read -r _ file cc turn name; do
        total=$((total + 1))
        if [ ! -e "$name.said" ] || [ -s "$name.said" ]; then
            bad=$((bad + 1))
            echo "FAILED $file $cc $turn"
            sed 's/^/    /' "$name.said"
        fi
    done <<<"$list"
    echo "$((total - bad)) as expected, $bad not"
    [ "$bad" = 0 ]
}
