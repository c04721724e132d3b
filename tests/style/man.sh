# The manual pages are shown without a warning, and name every option the command knows.
for page in "$SRC"/docs/man/*.1; do
    LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" >/dev/null 2>warnings
    [[ ! -s warnings ]] || { cat warnings; exit 1; }
done
# names COMMAND PAGES...: explore, stress and localise refer to the pages of run and check.
names() {
    local command=$1
    shift
    (cd "$SRC/docs/man" && cat plumb.1 "$@") | tr -d '\\' >pages # groff writes a hyphen as \-
    "$PLUMB" "$command" --help | grep -oE -- '(^|[ ,[])--[a-z][a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u >options
    [[ -s options ]]
    while read -r option; do
        grep -qE -e "$option([^a-z-]|$)" pages || { echo "no word on $option of plumb $command"; exit 1; }
    done <options
}
for command in run check replay history bench; do
    names $command plumb-$command.1
done
names explore plumb-explore.1 plumb-run.1
names stress plumb-stress.1 plumb-check.1
names localise plumb-localise.1 plumb-check.1
# No page without a command.
for page in "$SRC"/docs/man/plumb-*.1; do
    command=${page##*/plumb-}
    "$PLUMB" "${command%.1}" --help >/dev/null || { echo "${page##*/}: no such command"; exit 1; }
done
