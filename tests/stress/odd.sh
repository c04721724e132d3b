# timeout: 300
# Subjects that end in other ways than a fault.
. "$SRC/tests/check/lib.bash"
s=$SRC/tests/stress/subjects/odd.c
# finds KIND TEXT FLAG
finds() {
    expect 1 stress "$s" --threads 3 --rounds 50 --seconds 60 --no-localise --json result.json -- "-D$3"
    [ "$(jq -r '.findings[0].kind' result.json)" = "$1" ] || die "$3: $(cat out)"
    jq -r '.findings[0].message' result.json | grep -Eq -- "$2" || die "$3: $(cat out)"
}
expect 0 stress "$s" --threads 3 --rounds 50 --seconds 60

# An end that looks like success; one that nobody but the system saw; a stack that is used up.
finds exit 'ended itself with exit code 0; .*is in enq' EXITS
finds crash '^a signal ended the program: Killed; .*is in enq' KILLED
finds crash '^a signal ended the program: Terminated; .*is in enq' TERMINATED
finds crash 'odd.c:[0-9]*: thread [123] in enq\(.*: Segmentation fault' DEEP
