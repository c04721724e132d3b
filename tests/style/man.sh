# The manual pages are shown without a warning, and name every option the command knows.
for page in "$SRC"/docs/man/*.1; do
    LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" >/dev/null 2>warnings
    [[ ! -s warnings ]] || { cat warnings; exit 1; }
done
cat "$SRC"/docs/man/*.1 | tr -d '\\' >pages # groff writes a hyphen as \-
for command in run explore replay history stress localise bench; do
    "$PLUMB" $command --help | grep -oE -- '(^|[ ,[])--[a-z][a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u >options
    [[ -s options ]]
    while read -r option; do
        grep -qe "$option" pages || { echo "no word on $option of plumb $command"; exit 1; }
    done <options
done
