# tools/check-layers tells a good tree from each kind of bad one.

# fresh: a small tree that is in order
fresh() {
    rm -rf src include
    mkdir -p src/{base,explore,graph,runtime,result,cli,symbolic} include
    echo '#include <stdint.h>' >include/plumb.h
    echo '#include <stddef.h>' >src/base/arena.h
    echo '#include "base/arena.h"' >src/explore/target.h
    printf '#include "graph/graph.h"\n  #  include "explore/target.h"\n' >src/explore/dpor.h
    echo '#include "base/arena.h"' >src/graph/graph.h
    printf '#include "explore/target.h"\n#include "result/wire.h"\n#include "plumb.h"\n' >src/runtime/mutex.c
    echo '#include "base/arena.h"' >src/result/wire.h
    printf '#include "runtime/rt.h"\n// #include "nothing/at/all.h"\n/*\n#include "no.h"\n*/\n' >src/cli/main.c
    printf '#include <z3.h>\n#include <llvm-c/Core.h>\n#include "explore/target.h"\n' >src/symbolic/solver.c
}

check() { "$SRC/tools/check-layers" --root . >output 2>&1; }

# refused FILE LINE: with LINE added to FILE the check fails and names FILE
refused() {
    fresh
    echo "$2" >>"$1"
    if check; then
        echo "accepted in $1: $2"
        exit 1
    fi
    grep -q "^$1:[0-9]*: " output || { cat output; exit 1; }
}

fresh
check || { cat output; exit 1; }

refused src/base/arena.h '#include "graph/graph.h"'
refused src/base/arena.h '#include "plumb.h"'
refused src/graph/graph.h '#include "explore/target.h"'
refused src/result/wire.h '#include "explore/target.h"'
refused src/runtime/mutex.c '#include "explore/dpor.h"'
refused src/runtime/mutex.c '#include "graph/graph.h"'
refused src/runtime/mutex.c '#include "cli/main.h"'
refused src/runtime/mutex.c '/* why */ #  include "cli/main.h"'
refused src/runtime/mutex.c '#include <graph/graph.h>'
refused src/runtime/mutex.c '#include "rt.h"'
refused src/runtime/mutex.c '#include "../base/arena.h"'
refused src/runtime/mutex.c '#include "base/../graph/graph.h"'
refused src/runtime/mutex.c '#include HEADER'
refused src/runtime/mutex.c '#include <llvm-c/Core.h>'
refused src/graph/graph.h '#include <z3.h>'
refused src/cli/main.c '#include <z3.h>'
refused include/plumb.h '#include "base/arena.h"'

# A module the table does not know, and a tree with nothing in it.
fresh
mkdir src/misc
echo 'int x;' >src/misc/misc.c
if check; then
    echo "an unknown module was accepted"
    exit 1
fi
grep -q '^src/misc/misc.c:' output
rm -rf src
if check; then
    echo "a tree without sources was accepted"
    exit 1
fi
