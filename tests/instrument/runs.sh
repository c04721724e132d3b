# Programs that check themselves mean the same with everything plumb-instrument puts in.
. "$SRC/tests/cli/lib.sh"
for program in language.c language.cc; do
    for level in -O0 -O1 -O2 -Os; do
        for races in report allow; do
            expect 0 run "$SRC/tests/instrument/programs/$program" --races=$races --executions 50 --spurious \
                -- $level -std=gnu$([ $program = language.c ] && echo 11 || echo ++17)
            [ ! -s err ] || { cat err && die "$program $level: something was said"; }
        done
    done
done
