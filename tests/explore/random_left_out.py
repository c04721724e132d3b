#!/usr/bin/env python3
"""Random small programs, from a seed, with loops that wait or try again and access plain memory on
the way: there is a race exactly if there is one when every round is made, up to three of them in a
loop. Those are counted, so that none of them is void and left out.

usage: random_left_out.py PLUMB FIRST COUNT [MODEL...]
"""
import json
import os
import random
import subprocess
import sys

HEAD = """#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
void __VERIFIER_assume(int);
#ifdef ROUNDS
#define AGAIN for (int i = 0;; __VERIFIER_assume(++i < ROUNDS))
#else
#define AGAIN for (;;)
#endif
#define RLX memory_order_relaxed
#define ACQ memory_order_acquire
#define REL memory_order_release
#define SC memory_order_seq_cst
static _Atomic int x, y, z;
static int p, q;
static int sink[8];
struct node { int a, b; };
static _Atomic(struct node *) shared;
"""


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.threads = self.random.randint(2, 3)
        self.size = 3 if self.threads == 2 else 2

    def pick(self, *options):
        return self.random.choice(options)

    def load(self):
        return f"atomic_load_explicit(&{self.pick('x', 'y', 'z')}, {self.pick('RLX', 'RLX', 'ACQ', 'SC')})"

    def value(self):
        return self.random.randint(0, 2)

    def plain(self):
        return self.pick("p", "q")

    def store(self):
        return (f"atomic_store_explicit(&{self.pick('x', 'y', 'z')}, {self.random.randint(1, 2)}, "
                f"{self.pick('RLX', 'RLX', 'REL', 'SC')});")

    def access(self):
        """To plain memory, as one thread does to another's."""
        p = self.plain()
        return self.pick(f"{p} = 1;", f"{p} = 1;", f"sink[1] = {p};", f"__atomic_store_n(&{p}, 1, __ATOMIC_RELAXED);",
                         "{ struct node *n = atomic_load_explicit(&shared, RLX); if (n) n->a = 1; }",
                         "{ struct node *n = atomic_load_explicit(&shared, ACQ); if (n) sink[2] = n->b; }")

    def conditional(self):
        return f"if ({self.load()} == {self.value()}) {self.access()}"

    def body(self):
        p = self.plain()
        return self.pick("", "", f"if ({p} == 77) return 0;", f"if ({p} == 77) return 0;",
                         f"{p} = 0;", f"{{ int old = {p}; {p} = old + 1; {p} = old; }}",
                         f"(void)__atomic_load_n(&{p}, __ATOMIC_RELAXED);",
                         f"(void)atomic_fetch_add_explicit(&{self.pick('x', 'y', 'z')}, 0, RLX);",
                         "{ struct node *n = atomic_load_explicit(&shared, ACQ); if (n && n->a == 77) return 0; }")

    def wait(self):
        test = f"{self.load()} {self.pick('==', '!=')} {self.value()}"
        first = self.body()
        return f"AGAIN {{ {first} if ({test}) break; {self.body()} }}"

    def update(self):
        place, order = self.pick("x", "y", "z"), self.pick("RLX", "SC")
        fails = self.pick("", self.body())
        return (f"{{ int e = {self.load()}; AGAIN {{ if (atomic_compare_exchange_strong_explicit("
                f"&{place}, &e, e + 1, {order}, RLX)) break; {fails} }} }}")

    def push(self):
        return ("{ struct node *n = malloc(sizeof *n); n->a = 0; n->b = 0; struct node *e = NULL; "
                "AGAIN { " + self.pick("n->b = 1;", "", self.body()) +
                " if (atomic_compare_exchange_strong_explicit(&shared, &e, n, "
                + self.pick("RLX", "REL") + ", RLX)) break; " + self.body() + " } }")

    def free(self):
        return ("{ struct node *n = atomic_exchange_explicit(&shared, NULL, "
                + self.pick("RLX", "ACQ") + "); " + self.pick("free(n);", "if (n) n->a = 2;") + " }")

    def statement(self):
        return self.pick(self.store, self.store, self.conditional, self.conditional, self.wait, self.wait,
                         self.wait, self.update, self.push, self.free)()

    def chain(self):
        """The first lets the second go on, which tells the third, often by relaxed accesses; then the
        third accesses what the second has read, or not, while it waited."""
        flag = self.pick(f"atomic_store_explicit(&y, 1, {self.pick('RLX', 'RLX', 'REL')});",
                         f"(void)atomic_fetch_add_explicit(&y, 1, {self.pick('RLX', 'REL')});", self.push())
        told = self.pick("if (atomic_load_explicit(&y, RLX) != 0)", "if (atomic_load_explicit(&y, ACQ) != 0)",
                         "if (atomic_load_explicit(&shared, RLX))")
        wait = self.pick(f"AGAIN {{ {self.body()} if (atomic_load_explicit(&x, RLX)) break; {self.body()} }}",
                         f"{{ int e = 1; AGAIN {{ if (atomic_compare_exchange_weak_explicit(&x, &e, 2, RLX, RLX)) "
                         f"break; {self.body()} e = 1; }} }}")
        return [[self.pick("", self.access()), "atomic_store_explicit(&x, 1, REL);"], [wait, flag],
                [f"{told} {self.access()}", self.pick("", self.free())]]

    def text(self):
        out = [HEAD]
        if self.pick(True, False):
            bodies = self.chain()
            self.threads = 3
        else:
            bodies = [[self.statement() for _ in range(self.random.randint(1, self.size))]
                      for _ in range(self.threads)]
        for t, body in enumerate(bodies):
            out += [f"static void *t{t}(void *unused)\n{{"] + ["    " + s for s in body]
            out.append("    return unused;\n}")
        out.append("int main(void)\n{\n    pthread_t t[3];")
        for t in range(self.threads):
            out.append(f"    pthread_create(&t[{t}], NULL, t{t}, NULL);")
        for t in range(self.threads):
            out.append(f"    pthread_join(t[{t}], NULL);")
        return "\n".join(out + ["    return 0;\n}"]) + "\n"


FOUND = {"data-race", "use-after-free"}


def explore(plumb, name, model, flags):
    """Is there a race, and was everything explored?"""
    subprocess.run([plumb, "explore", name, "--model", model, "--keep-going", "--save=no", "--json", "r.json",
                    "--seconds", "20", "--", *flags], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   check=False, timeout=120)
    with open("r.json", encoding="utf-8") as f:
        result = json.load(f)
    os.remove("r.json")
    races = any(f["kind"] in FOUND for f in result.get("findings", []))
    return races, result["coverage"] == "exhaustive", result["executions"]


def main():
    plumb, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    models = sys.argv[4:] or ["sc", "rc11"]
    wrong = races = compared = 0
    for seed in range(first, first + count):
        name = f"random{seed}.c"
        with open(name, "w", encoding="utf-8") as f:
            f.write(Program(seed).text())
        for model in models:
            seen, whole, executions = explore(plumb, name, model, [])
            made, all_made, more = explore(plumb, name, model, ["-DROUNDS=3"])
            if not (seen or whole) or not (made or all_made):
                continue
            compared += 1
            races += made
            if seen != made:
                wrong += 1
                print(f"seed {seed}, {model}: {'a' if seen else 'no'} race in {executions} executions, "
                      f"{'one' if made else 'none'} in {more} with every round made")
        os.remove(name)
    print(f"seeds {first} to {first + count - 1}: {compared} compared, {races} with a race, {wrong} wrong")
    return 1 if wrong or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
