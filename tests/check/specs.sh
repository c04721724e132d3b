# Built-in specs: matched by name or --map, "empty" seen from the object.
source "$SRC/tests/check/lib.bash"
s=$SRC/subjects
passes "$s/correct/locked_queue.c" "${queue[@]}" --spec fifo --size 2x2 --model sc
passes "$s/correct/treiber_stack.c" "${stack[@]}" --spec lifo --size 2x2
violates not-linearizable "$s/correct/locked_queue.c" "${queue[@]}" --spec lifo
grep -q 'try_take() answers 2, not 1' first || { cat first; die "a queue is no stack"; }
violates not-linearizable "$s/wrong/timeout_queue.c" "${queue[@]}" --spec fifo
# Counter2 of Line-Up: only the spec knows that inc never waits.
violates stuck "$s/wrong/counter2.c" --call 'inc()' --call 'get()' --spec counter
# Two calls, of one thread or of two: neither can go.
case $(key result.json violation test) in
'get() | inc()' | 'inc() | get()' | 'get() | get()' | 'get(),inc()' | 'get(),get()') ;;
*) die "$(key result.json violation test)" ;;
esac
cat >cell.c <<'C'
#include <stdbool.h>
static int x[9], n;
static void store(int v) { x[n++] = v; }
static bool fetch(int *v) { if (!n) return false; *v = x[--n]; return true; }
C
cell=(--call 'store(5)' --call 'store(6)' --call 'int v; bool fetch(&v) -> v' --map 'push=store,pop=fetch')
passes cell.c "${cell[@]}" --spec lifo --test 'store(5),store(6),fetch(),fetch(),fetch()'
violates not-linearizable cell.c "${cell[@]}" --spec fifo --test 'store(5),store(6),fetch(),fetch(),fetch()'
refused "there is no 'queu'" check cell.c "${cell[@]}" --spec queu
refused "which of its operations is fetch()" check cell.c --call 'int v; fetch(&v) -> v' --spec lifo
# The values of a spec are written as in C; what is not is to be written out.
for value in -2 0x10 1u 2L "'a'" "'\\n'" '(3)' '-(4)'; do
    passes cell.c --call "store($value)" --call "int v; bool fetch(&v) -> v" --map push=store,pop=fetch --spec lifo \
        --data-independent store --test "store($value),store($value),fetch(),fetch()" --model sc
done
refused "'5+1' in store(5+1) is not a number, which a spec needs: write its value" check cell.c --call 'store(5 + 1)' \
    --call 'store(6)' --spec lifo --map push=store
# Of another value as an unsigned number than as the int that it becomes.
for value in -1u 0xdeadbeef; do
    refused "'$value' in store($value) is not a number, which a spec needs: write its value" check cell.c --call "store($value)" \
        --call 'store(6)' --spec lifo --map push=store
done
# What all calls begin with need not be mapped.
sed 's/store(/cell_put(/; s/fetch(/cell_try_take(/' cell.c >prefixed.c
prefixed=(--call 'cell_put(5)' --call 'cell_put(6)' --call 'int v; bool cell_try_take(&v) -> v')
passes prefixed.c "${prefixed[@]}" --spec lifo --test 'cell_put(5),cell_put(6),cell_try_take(),cell_try_take()' --model sc
violates not-linearizable prefixed.c "${prefixed[@]}" --spec fifo --test 'cell_put(5),cell_put(6),cell_try_take()' --model sc
refused "which of its operations is cell_put(5)" check prefixed.c "${prefixed[@]}" --call 'n = 0' --spec lifo
# --map names what there is.
refused "--map: there is no operation 'stor'; there are store(5), store(6), fetch()" check cell.c "${cell[@]}" --spec lifo \
    --map push=stor,pop=fetch
refused "is not a number" check cell.c --call 'store(n)' --call 'store(6)' --spec lifo --map push=store
