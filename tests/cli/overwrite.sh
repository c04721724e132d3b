# Nothing that is read is overwritten, by whatever name it is given: refused, and the file is as it was.
. "$SRC/tests/cli/lib.sh"
right_program right.c
race_program race.c
printf '0 call enq 1\n0 return\n1 call deq\n1 return 1\n' >run.txt
sed 's/return 1/return 2/' run.txt >bad.txt
echo 'race:nothing' >supp.txt
echo 'enq(1) | deq()' >tests.txt
cp "$SRC/subjects/correct/queue_table.c" queue.c
ln -s run.txt link.txt
ln run.txt hard.txt
ln -s race.c race_link.c
ln -s queue.c queue_link.c
mkdir sub
"$PLUMB" run race.c --save race.plumb >out 2>err </dev/null || true
[ -s race.plumb ] || die "no saved finding"
sha256sum -- *.c *.txt *.plumb >sums

# spared TEXT ARGUMENTS...: refused, and every file is as it was.
spared() {
    refused "$@"
    sha256sum --quiet -c sums || die "plumb ${*:2}: a file was overwritten"
}
read='it is read, too'

for name in run.txt ./run.txt link.txt hard.txt "$PWD/run.txt" sub/../run.txt; do
    spared "--witness $name: $read (run.txt), and would be overwritten" history run.txt --spec fifo --witness "$name"
    spared "--json $name: $read" history run.txt --spec fifo --json "$name"
    spared "--json $name: $read" history bad.txt run.txt --spec fifo --json="$name"
done
spared 'unknown option --frobnicate' history --json run.txt --frobnicate run.txt # the error is not written there, either
spared 'there is no' history run.txt --spec fofo --json out.json
spared '--witness and --json: one file cannot be both (new.out)' history run.txt --spec fifo --json new.out --witness new.out
code=0
"$PLUMB" history - --spec fifo --witness run.txt <run.txt >out 2>err || code=$?
[ "$code" = 2 ] && grep -q "$read (standard input)" err || die "standard input: $code, $(cat err)"
sha256sum --quiet -c sums || die "standard input was overwritten"

for command in run explore; do
    for option in --json --junit --save; do
        spared "$option race_link.c: $read (race.c)" $command race.c $option race_link.c
        spared "$option supp.txt: $read" $command race.c --suppressions supp.txt $option supp.txt
    done
    spared '--json right.c: ' $command race.c --json right.c -- -DX right.c
done
spared "--checkpoint right.c: $read" explore right.c --checkpoint right.c
spared "--json race.plumb: $read" replay race.plumb --json race.plumb
spared "--json race_link.c: $read (race.c)" replay race.plumb --json race_link.c
for option in --json --junit --save --observations; do
    spared "$option queue_link.c: $read (queue.c)" check queue.c $option queue_link.c
    spared "$option tests.txt: $read (tests.txt)" check queue.c --test @tests.txt $option tests.txt
    spared "$option right.c: $read" check queue.c --golden right.c $option right.c
    spared "$option right.c: $read" check queue.c --spec right.c $option right.c
done
for option in --json --save --history; do
    spared "$option queue_link.c: $read (queue.c)" stress queue.c $option queue_link.c
done
for option in --json --save; do
    spared "$option hard.txt: $read (run.txt)" localise queue.c --history run.txt $option hard.txt
    spared "$option queue.c: $read" localise queue.c --history bad.txt $option queue.c
done

# What has nothing to lose may be named twice, and a checkpoint may go on in its own file.
expect 0 history run.txt --spec fifo --json /dev/null --witness /dev/null
expect 0 explore right.c --checkpoint c --json r.json
rm -f c && : >no
expect 1 run race.c --save no --json r.json --arg no
[ ! -s no ] || die "--save no"
