# The samples of README.md are what the commands print: `    $ plumb …`, and what follows indented.
# To write them again: run the commands at the top of the sources.
. "$SRC/tests/cli/lib.sh"
cp -r "$SRC/subjects" .
awk '/^    \$ plumb / { on = 1; n++ } /^[^ ]/ { on = 0 } on { print > ("sample" n) }' "$SRC/README.md"
[ -f sample2 ] || die "fewer than two samples"
PATH=$(dirname "$PLUMB"):$PATH
seconds() { # how long it took may differ; blank lines at the end are the README's
    sed -E -e 's/, [0-9]+\.[0-9] s$/, S s/' "$1" | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'
}
for sample in sample*; do
    sed -e 's/^    //' "$sample" >text
    # the command may go on with a backslash
    awk 'NR == 1 { sub(/^\$ /, ""); more = 1 } more { print > "command"; more = /\\$/; next } { print > "expected" }' text
    bash command >printed 2>&1 || true
    seconds expected >first
    seconds printed >second
    same first second
done
