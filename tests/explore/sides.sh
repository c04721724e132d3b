#!/bin/bash
# A race that was found shows the same two sides in the same order when it is replayed.
set -eu
. "$SRC/tests/explore/lib.bash"

sentence() { grep -o 'threads\? .*, and nothing orders .*' "$1" || echo none; }

for name in race_sides publish_race; do
    for model in sc rc11; do
        for more in --model=$model --keep-going; do
            rm -f ./*.plumb
            "$PLUMB" explore "$programs/$name.c" --model "$model" "$more" -- -DN=2 -DRACE >r.txt 2>&1 ||
                true
            for saved in ./*.plumb; do
                [ -e "$saved" ] || continue
                "$PLUMB" replay "$saved" >again.txt 2>&1 || true
                grep -qxF "$(sentence again.txt)" <(sentence r.txt) ||
                    ok "$name $model $more" "$(sentence r.txt)" "$(sentence again.txt)"
            done
            ok "$name $model $more: something is saved" yes \
                "$([ -e "$(ls ./*.plumb 2>/dev/null | head -n 1)" ] && echo yes || echo no)"
        done
    done
done
finish
