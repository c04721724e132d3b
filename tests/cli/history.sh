# plumb history: formats, verdicts, witnesses, errors with their places.
. "$SRC/tests/cli/lib.sh"

# --- our text -------------------------------------------------------------------------
cat >good.txt <<'T'
# two threads
0 call enq 1
1 call enq 2
0 return
1 return
0 call deq
0 return 2      # the puts overlap: 2 may be first
1 call deq
1 return 1
1 call deq
1 return empty
T
expect 0 history good.txt --spec fifo --witness order.txt --json good.json
grep -q '^good.txt: 5 operations of 2 threads; spec fifo, decider queue$' out || die "$(cat out)"
grep -q '^pass, exhaustive: 5 operations explained; the order was replayed, [0-9.]* s$' out || die "$(cat out)"
[ "$(key good.json verdict)" = pass ] && [ "$(key good.json coverage)" = exhaustive ] || die "$(cat good.json)"
[ "$(key good.json command)" = history ] && [ "$(key good.json histories)" = 1 ] || die "$(cat good.json)"
[ "$(key good.json files 0 decider)" = queue ] || die "$(cat good.json)"
cat >order.expected <<'T'
# plumb history: an order that explains it; spec fifo
1 call enq 2
1 return
0 call enq 1
0 return
0 call deq
0 return 2
1 call deq
1 return 1
1 call deq
1 return empty
T
same order.expected order.txt
expect 0 history order.txt --spec queue # a witness is a history, and names have synonyms
"$PLUMB" history - --spec fifo <good.txt >out || die "standard input"
grep -q '^stdin: 5 operations' out || die "$(cat out)"

# The same as a stack: only because the pushes overlap.
expect 0 history good.txt --spec lifo
expect 0 history good.txt --spec bag
expect 0 history good.txt --spec max-pqueue
expect 1 history good.txt --spec pqueue
grep -q '^NOT LINEARIZABLE$' out || die "$(cat out)"

# --- a violation: the shortest prefix, the operations that conflict ----------------------
cat >bad.txt <<'T'
0 call enq 1
0 return
1 call enq 2
1 return
1 call enq 3
1 return
0 call deq
0 return 2
0 call deq
0 return 1
0 call deq
0 return 3
T
expect 1 history bad.txt --spec fifo --json bad.json
cat >bad.expected <<'T'
bad.txt: 6 operations of 2 threads; spec fifo, decider queue: violation

NOT LINEARIZABLE
bad.txt:7: thread 0, deq() -> 2: with this return no order of the operations explains the history

    The first 8 calls and returns have no order; without the last one they have.
    These operations conflict, and no value can be left out:
        line 1       thread 0  enq(1)                     ||
        line 3       thread 1  enq(2)                       ||
        line 7       thread 0  deq() -> 2                     ||
        line 9       thread 0  deq() -> 1                       ||

violation: not-linearizable
T
without_seconds out >bad.out
same bad.expected bad.out
[ "$(key bad.json violation kind)" = not-linearizable ] || die "$(cat bad.json)"
[ "$(key bad.json findings 0 file)" = bad.txt ] && [ "$(key bad.json findings 0 line)" = 7 ] || die "$(cat bad.json)"
[ "$(key bad.json findings 0 prefix)" = 8 ] && [ "$(key bad.json findings 0 shortest)" = True ] || die "$(cat bad.json)"
[ "$(key bad.json findings 0 operations 3 operation)" = 'deq() -> 1' ] || die "$(cat bad.json)"
expect 1 history good.txt bad.txt --spec fifo
grep -q '^violation: not-linearizable, 1 of 2 histories' out || die "$(cat out)"

# --- pending operations ------------------------------------------------------------------
printf '%s\n' '0 call enq 1' '0 crash' '0 call deq' '0 return 1' >pending.txt
expect 0 history pending.txt --spec fifo
grep -q '1 pending' out || die "$(cat out)"
printf '%s\n' '0 call enq 1' '0 return' '1 call deq' '0 call deq' '0 return empty' >pending.txt
expect 0 history pending.txt --spec fifo # the other one has it
printf '%s\n' '0 call enq 1' '0 return' '0 call deq' '0 return empty' '1 call deq' >pending.txt
expect 1 history pending.txt --spec fifo

# --- Jepsen --------------------------------------------------------------------------------
cat >queue.edn <<'E'
{:process :nemesis, :type :info, :f :kill, :value nil, :time 5}
{:process 0, :type :invoke, :f :enqueue, :value 1, :time 10, :index 0}
{:process 1, :type :invoke, :f :dequeue, :value nil, :time 11, :index 1}
{:process 0, :type :ok, :f :enqueue, :value 1, :time 12, :index 2}
{:process 1, :type :ok, :f :dequeue, :value 1, :time 13, :index 3}
{:process 1, :type :invoke, :f :dequeue, :value nil}
{:process 1, :type :fail, :f :dequeue, :value nil, :error :empty}
{:process 2, :type :invoke, :f :enqueue, :value 2}
{:process 2, :type :info, :f :enqueue, :value 2, :error :timeout}
{:process 3, :type :invoke, :f :dequeue, :value nil}
{:process 3, :type :ok, :f :dequeue, :value 2}
E
expect 0 history queue.edn --spec fifo
{ echo '['; cat queue.edn; echo ']'; } >list.edn
expect 0 history list.edn --spec fifo
{ echo '; a comment'; echo '('; sed 's/^{/#jepsen.history.Op{/' queue.edn; echo ')'; } >tagged.edn
expect 0 history tagged.edn --spec fifo
sed -i '/dequeue/s/:value 2}$/:value 3}/' queue.edn
expect 1 history queue.edn --spec fifo
cat >cas.edn <<'E'
[{:process 0 :type :invoke :f :read :value nil} {:process 0 :type :ok :f :read :value nil}
 {:process 0 :type :invoke :f :write :value 3} {:process 0 :type :ok :f :write :value 3}
 {:process 1 :type :invoke :f :cas :value [3 4]} {:process 1 :type :ok :f :cas :value [3 4]}
 {:process 1 :type :invoke :f :cas :value [4 5]} {:process 1 :type :fail :f :cas :value [4 5]}
 {:process 0 :type :invoke :f :read :value nil} {:process 0 :type :ok :f :read :value 4}]
E
expect 0 history cas.edn --spec cas-register # a failed cas did not happen
expect 1 history cas.edn --spec cas-register --failed answer
cat >keys.edn <<'E'
{:process 0 :type :invoke :f :write :value [7 3]}
{:process 0 :type :ok :f :write :value [7 3]}
{:process 0 :type :invoke :f :read :value [8 nil]}
{:process 0 :type :ok :f :read :value [8 nil]}
{:process 0 :type :invoke :f :cas :value [7 [3 4]]}
{:process 0 :type :ok :f :cas :value [7 [3 4]]}
{:process 0 :type :invoke :f :read :value [7 nil]}
{:process 0 :type :ok :f :read :value [7 4]}
E
expect 0 history keys.edn --spec cas-register --keyed --jobs 2
grep -q '2 parts' out || die "$(cat out)"
expect 0 history keys.edn --spec map
sed 's/\[7 4\]/[7 3]/' keys.edn >keys_bad.edn
expect 1 history keys_bad.edn --spec cas-register --keyed
expect 1 history keys_bad.edn --spec map

# --- JSON ----------------------------------------------------------------------------------
cat >events.json <<'J'
{"thread": 0, "event": "call", "op": "add", "args": [5]}
{"thread": "b", "event": "call", "op": "contains", "args": [5]}
{"thread": 0, "event": "return", "result": true}
{"thread": "b", "event": "return", "result": false}
J
expect 0 history events.json --spec set
grep -v '"b"' events.json >again.json
{ cat events.json; sed 's/true/false/' again.json; } >more.json
expect 0 history more.json --spec set
{ cat events.json; cat again.json; } >more.json
expect 1 history more.json --spec set
cat >times.json <<'J'
[{"ClientId": 1, "Input": {"op": "get", "key": "x"}, "Call": 30, "Output": {"value": "b"}, "Return": 40},
 {"ClientId": 0, "Input": {"op": "put", "key": "x", "value": "a"}, "Call": 0, "Output": {}, "Return": 10},
 {"ClientId": 1, "Input": {"op": "put", "key": "x", "value": "b"}, "Call": 5, "Output": null, "Return": 15}]
J
expect 0 history times.json --spec map
sed 's/"Call": 5,/"Call": -5,/; s/"Return": 15/"Return": -1/' times.json >pending.json # never returned
expect 0 history pending.json --spec map
sed 's/"Call": 0,/"Call": 16,/; s/"Return": 10/"Return": 20/' times.json >late.json
expect 1 history late.json --spec map
# At the same time two operations overlap.
echo '[{"thread":0,"op":"write","args":[1],"call":0,"return":5},{"thread":1,"op":"read","result":0,"call":5,"return":9}]' >touch.json
expect 0 history touch.json --spec register
sed 's/"call":5/"call":6/' touch.json >touch2.json
expect 1 history touch2.json --spec register
expect 1 history touch.json --spec register --initial 7

# --- names --------------------------------------------------------------------------------
sed 's/enq/my_put/; s/deq/my_get/' good.txt >mine.txt
refused "mine.txt:2:8: the spec has no operation 'my_put'; it has enq, deq" history mine.txt --spec fifo
expect 0 history mine.txt --spec fifo --map enq=my_put,deq=my_get
refused "--map: the spec has no operation 'pop_it'" history mine.txt --spec fifo --map pop_it=x
refused "--map: 'enq' is not OURS=YOURS" history mine.txt --spec fifo --map enq
refused "--map: 'x' is the name of two operations" history mine.txt --spec fifo --map enq=x,deq=x
refused "--map: 'x' is the name of two operations" history mine.txt --spec fifo --map enq=y,deq=x,enqueue=x
expect 0 history mine.txt --spec fifo --map enq=my_put,enqueue=my_put,deq=my_get

# --- bad input: the line and the column -----------------------------------------------------
bad() { # TEXT SPEC INPUT
    printf '%b' "$3" >wrong
    refused "wrong:$1" history wrong --spec "$2"
}
bad '2:1: a second call of this thread while the one of line 1' fifo '0 call enq 1\n0 call enq 2\n'
bad '1:1: this thread has no call' fifo '0 return\n'
bad '1:11: an argument' fifo '0 call enq\n'
bad '1:14: more than' fifo '0 call enq 1 2\n'
bad '2:9: the result is missing' fifo '0 call deq\n0 return\n'
bad '1:3: after the thread comes' fifo '0 calls enq 1\n'
bad '2:10: the result must be true' set '0 call add 1\n0 return maybe\n'
bad '2:12: a colon is missing' fifo '[\n {"thread" 0}]'
bad '1:12: a value is missing' fifo '{"thread": }'
bad '1:2: a text without' fifo '{"thread'
bad '2:1: a comma is missing' fifo '[{"thread":0,"event":"call","op":"enq","args":[1]}\n{"thread":0}]'
bad '1:52: a record is missing after the comma' fifo '[{"thread":0,"event":"call","op":"enq","args":[1]},]'
bad '1:47: more than the operation' fifo '[{"thread":0,"event":"call","op":"enq","args":[1,2]}]'
bad '1:44: more than the operation' register '{:process 0 :type :invoke :f :write :value [1 5]}'
bad '1:51: the list is not closed' fifo '[{"thread":0,"event":"call","op":"enq","args":[1]}'
bad '1:30: the spec has no operation' fifo '{:process 0 :type :invoke :f :frob :value 1}'
bad '1:16: the input ends inside' fifo '{"thread": 0,  '
bad '1:1: the record has no thread' fifo '{"event": "call"}'
# Values that a type cannot have: there is no order of priorities but that of numbers.
bad '3:15: what is put into a priority queue is a whole number' pqueue '0 call insert 1\n0 return\n0 call insert 0.5\n'
bad '1:15: what is put into a priority queue is a whole number' max-pqueue '0 call insert abc\n'
bad '1:15: what is put into a priority queue' pqueue '0 call insert 99999999999999999999\n'
bad '1:60: what is put into a priority queue' pqueue '{"thread": 0, "event": "call", "op": "insert",     "args": [1.5]}'
bad '1:45: what is put into a priority queue' pqueue '{:process 0 :type :invoke :f :insert :value "x"}'
bad '1:12: what is added is a whole number' counter '0 call add x\n'
bad '1:15: a place of a snapshot is a number from 0 to 4095' snapshot '0 call update -1 3\n'
bad '1:15: a place of a snapshot' snapshot '0 call update 4096 3\n'
bad '1:12: nil cannot be put' fifo '0 call enq nil\n'
bad '1:18: nil cannot be put' deque '0 call push_left nil\n'
bad '1:12: nil cannot be put' bag '0 call put empty\n'
# The end of another operation than was called.
bad '2:27: another operation of this thread' fifo \
    '{:process 0 :type :invoke :f :enqueue :value 1}\n{:process 0 :type :ok :f  :dequeue :value 1}'
bad '2:43: another operation' fifo \
    '{"thread":0,"event":"call","op":"enq","args":[1]}\n{"thread": 0, "event": "return",    "op": "deq"}'

# A mark of UTF-8 at the beginning, and lines as another system ends them.
printf '\357\273\277' | cat - good.txt >marked.txt
expect 0 history marked.txt --spec fifo
printf '\357\273\277[{"thread":0,"op":"enq","args":[1],"call":1,"return":2}]' >marked.json
expect 0 history marked.json --spec fifo
bad '1:8: the spec has no operation' fifo '\357\273\2770 call frob\n'
sed 's/$/\r/' good.txt >lines.txt
expect 0 history lines.txt --spec fifo
# What a pipe brings is a byte now and then: the format shows later.
{
    printf '['
    sleep 0.3
    cat cas.edn | tail -c +2
} | "$PLUMB" history - --spec cas-register >out 2>err || { cat out err && die "EDN in pieces"; }
{
    printf '#'
    sleep 0.3
    printf 'jepsen.history.Op{:process 0, :type :invoke, :f :enqueue, :value 1}'
} | "$PLUMB" history - --spec fifo >out 2>err || { cat out err && die "a tag in pieces"; }

refused 'there is no '"'fifi'; did you mean fifo?" history good.txt --spec fifi
refused 'which --spec?' history good.txt
refused 'no file given' history --spec fifo
printf '{:process 0, :type :invoke, : :enq, :value 1}\n' >nameless.edn
refused 'nameless.edn:1:1: the record has no name' history nameless.edn --spec fifo
refused 'missing.txt: No such file' history missing.txt --spec fifo
refused '--initial: a fifo starts with nothing' history good.txt --spec fifo --initial 3
refused '--witness: give one history' history good.txt bad.txt --spec fifo --witness w
refused 'nowhere/w: cannot be written' history good.txt --spec fifo --witness nowhere/w
expect 2 history missing.txt --spec fifo --json error.json
[ "$(key error.json verdict)" = error ] || die "$(cat error.json)"
rm error.json
expect 2 history good.txt --spec fifo --jobs 0 --frob --json error.json # what is wrong comes first
[ "$(key error.json verdict)" = error ] || die "$(cat error.json)"
grep -q -- '^--jobs: 0 is too small' err || die "$(cat err)"
: >empty.txt
refused 'empty.txt: no operations; is it the right file?' history empty.txt --spec fifo
printf '# nothing yet\n' >empty.txt
refused 'empty.txt: no operations' history empty.txt --spec fifo
printf '[]\n' >empty.json
refused 'empty.json: no operations' history empty.json --spec fifo
printf '{:process :nemesis, :type :info, :f :start}\n' >empty.edn
refused 'empty.edn: no operations' history empty.edn --spec fifo
"$PLUMB" history - --spec fifo </dev/null >out 2>err && die "nothing on standard input passes"
grep -q '^stdin: no operations' err || die "$(cat err)"

# --- good, but one who tries first what returns first searches for long -----------------------
tr ';' '\n' >unlucky.txt <<'H'
0 call push 2; 7 call push 2; 8 call push 4; 10 call push 4; 3 call push 4; 11 call push 3;
10 return; 8 return; 3 return; 2 call push 4; 9 call push 1; 2 return; 5 call push 1;
8 call push 4; 4 call push 1; 5 return; 11 return; 7 return; 6 call pop; 3 call push 3;
6 return 1; 10 call push 2; 0 return; 1 call pop; 4 return; 11 call push 2; 7 call pop;
3 return; 9 return; 9 call push 4; 11 return; 0 call push 4; 2 call pop; 9 return; 11 call pop;
8 return; 1 return 4; 7 return 3; 0 return; 8 call push 2; 9 call push 4; 11 return 4;
10 return; 11 call push 3; 0 call push 3; 7 call pop; 2 return 4; 2 call push 3; 10 call push 2;
10 return; 5 call pop; 11 return; 5 return 2; 8 return; 8 call push 4; 5 call pop; 3 call pop;
8 return; 11 call pop; 11 return 3; 2 return; 9 return; 0 return; 5 return 3; 2 call push 4;
5 call pop; 2 return; 4 call push 3; 7 return 4; 7 call pop; 1 call pop; 4 return; 8 call pop;
6 call push 3; 9 call push 1; 5 return 4; 7 return 3; 7 call pop; 8 return 1; 9 return;
4 call pop; 8 call push 4; 11 call pop; 10 call pop; 1 return 3; 0 call pop; 6 return;
3 return 4; 3 call push 3; 1 call pop; 8 return; 5 call push 2; 11 return 3; 11 call push 3;
5 return; 5 call pop; 11 return; 8 call pop; 2 call push 1; 5 return 3; 11 call pop;
10 return 2; 10 call pop; 1 return 4; 4 return 2; 9 call pop; 0 return 2; 7 return 2;
0 call push 2; 10 return 2; 1 call pop; 7 call push 4; 1 return 4; 7 return; 9 return 1;
3 return; 8 return 4; 0 return; 11 return 1; 2 return
H
expect 0 history unlucky.txt --spec lifo --seconds 0.5

# --- a budget is kept: a search that would take for ever --------------------------------------
python3 - >hard.txt <<'P'
n = 40
for t in range(n):
    print(t, "call add", 2 ** t)
for t in range(n):
    print(t, "return")
print("r call read\nr return", 2 ** n + 1)
P
expect 3 history hard.txt --spec counter --seconds 0.5 --json hard.json
grep -q '^unknown: the time or the memory ran out; 0 of 1 histories decided' out || die "$(cat out)"
[ "$(key hard.json verdict)" = unknown ] || die "$(cat hard.json)"
code=0
"$PLUMB" history hard.txt --spec counter >out 2>err &
plumb=$!
sleep 1
kill -INT $plumb
wait $plumb || code=$?
[ "$code" = 3 ] || { cat out err && die "exit code $code after an interrupt"; }
grep -q '^unknown: interrupted' out || die "$(cat out)"

# Also while it waits for input.
mkfifo pipe
sleep 5 >pipe &
writer=$!
code=0
"$PLUMB" history - --spec fifo <pipe >out 2>err &
plumb=$!
sleep 1
kill -INT $plumb
wait $plumb || code=$?
kill $writer 2>/dev/null || true
[ "$code" = 3 ] || { cat out err && die "exit code $code after an interrupt while reading"; }
