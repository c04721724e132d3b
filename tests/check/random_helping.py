"""Random objects whose threads help each other, with --helping=fold and with --helping=explore.

    random_helping.py PLUMB FIRST COUNT

An owner announces something (x) and then moves t; a helper that sees the announcement does the same, in a
loop; a third operation looks on. Around that there are random accesses in random orders, some of which make
it matter who moved t. Both ways must end alike, with the same kinds of findings, and every history of
explore must be covered by one of fold (dominated.py). Prints FAILED and the program where that is not so,
and at the end in how many programs something was folded.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
HEAD = """#include <stdatomic.h>
#define LOAD(x, o) atomic_load_explicit(&(x), memory_order_##o)
#define STORE(x, v, o) atomic_store_explicit(&(x), v, memory_order_##o)
#define ADD(x, o) atomic_fetch_add_explicit(&(x), 1, memory_order_##o)
#define CAS(x, from, to, o) do { int e = from; \\
    atomic_compare_exchange_strong_explicit(&(x), &e, to, memory_order_##o, memory_order_relaxed); } while (0)
static _Atomic int t, x, d, y;
static int plain;
static void setup(void) { plain = 0; }
"""


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.weak = self.random.choice([0.05, 0.2, 0.5])
        self.plain = self.random.random() < 0.5

    def loads(self):
        return "relaxed" if self.random.random() < self.weak else "acquire"

    def stores(self):
        return "relaxed" if self.random.random() < self.weak else "release"

    def updates(self):
        r = self.random.random()
        return "relaxed" if r < self.weak else "acq_rel" if r < 0.7 else "release"

    def step(self):
        r, where = self.random.random(), self.random.choice(["t", "x", "d", "y"])
        if r < 0.45:
            return f"a = a * 4 + LOAD({where}, {self.loads()});"
        if r < 0.6:
            return f"STORE({self.random.choice('dy')}, {self.random.randint(1, 2)}, {self.stores()});"
        if r < 0.7:
            return f"ADD({self.random.choice('dy')}, {self.updates()});"
        if r < 0.76:
            return f"if (LOAD(t, {self.loads()}) == 1) STORE(t, {self.random.randint(0, 3)}, {self.stores()});"
        if r < 0.82:
            return f"atomic_thread_fence(memory_order_{self.random.choice(['acquire', 'release'])});"
        if not self.plain:
            return f"a = a * 4 + LOAD({where}, acquire);"
        guard = f"if (LOAD({where}, {self.loads()}) == 1) "
        return self.random.choice(["", guard, guard]) + self.random.choice(["plain = 2;", "a = a * 4 + plain;"])

    def steps(self, most):
        return " ".join(self.step() for _ in range(self.random.randint(0, most)))

    def published(self):
        """What the owner does first and last, and what looks for it: it may matter then who moved t."""
        chance = self.random.random
        if chance() < 0.4:
            return "", "", ""
        data, see = self.random.choice([("plain = 1;", "plain"), ("STORE(d, 1, relaxed);", "LOAD(d, relaxed)")])
        fence = "atomic_thread_fence(memory_order_release);" if chance() < 0.3 else ""
        again = self.random.choice(["", "", "STORE(t, 2, relaxed);", "ADD(t, relaxed);"])
        return data + fence, again, f"if (LOAD(t, acquire) == {2 if again else 1}) a = a * 4 + 1 + {see};"

    def text(self):
        first, again, look = self.published()
        move = f"CAS(t, 0, 1, {self.updates()});"
        link = self.random.choice([f"STORE(x, 1, {self.stores()});", f"ADD(x, {self.updates()});"])
        between = self.step() if self.random.random() < 0.1 else ""
        extra = f"if (LOAD({self.random.choice('dy')}, {self.loads()}) == 3) return 9;" if self.random.random() < 0.3 else ""
        return f"""{HEAD}
int own(void) {{ int a = 0; {first} {self.steps(1)} {link} {between} {move} {again} {self.steps(1)} return a; }}
int help(void)
{{
    int a = 0;
    {self.steps(1)}
    while (!LOAD(t, {self.loads()})) {{
        if (!LOAD(x, {self.loads()}))
            return 8;
        {extra}
        {move}
    }}
    {self.steps(1)}
    return a;
}}
int third(void) {{ int a = 0; {self.steps(2)} {look or self.step()} return a; }}
"""


def check(plumb, where, model, helping):
    told, result = os.path.join(where, "told." + helping), os.path.join(where, "r.json")
    for name in told, result:
        if os.path.exists(name):
            os.unlink(name)
    code = subprocess.run(
        [plumb, "check", "p.c", "--setup", "setup()", "--call", "own()", "--call", "help()", "--call", "third()",
         "--test", "own() | help() | third()", "--model", model, "--helping", helping, "--decider", "enumerate",
         "--keep-going", "--no-shrink", "--save=no", "--seconds", "30", "--json", result],
        cwd=where, env=dict(os.environ, PLUMB_TELL_HISTORIES=told), capture_output=True).returncode
    with open(result, encoding="utf-8") as f:
        found = json.load(f)
    return code, {f["kind"] for f in found["findings"]}, found["executions"]


def differs(plumb, where, model):
    """What is wrong, or None; and whether something was folded."""
    explored, folded = check(plumb, where, model, "explore"), check(plumb, where, model, "fold")
    fewer = folded[2] < explored[2]
    if explored[0] not in (0, 1) or folded[0] != explored[0]:
        return f"exit codes {explored[0]}, {folded[0]}", fewer
    races = "data-race" in explored[1]  # then a wrong history may be shown as the race that it has, too
    if races != ("data-race" in folded[1]) or (not races and explored[1] != folded[1]):
        return f"findings {explored[1]}, {folded[1]}", fewer
    covered = subprocess.run([sys.executable, os.path.join(HERE, "dominated.py"), "told.explore", "told.fold"],
                             cwd=where, capture_output=True, text=True)
    return (covered.stderr if covered.returncode and not races else None), fewer


def main():
    plumb, first, count = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    failed = folded = 0
    with tempfile.TemporaryDirectory() as where:
        for seed in range(first, first + count):
            text = Program(seed).text()
            with open(os.path.join(where, "p.c"), "w", encoding="utf-8") as f:
                f.write(text)
            for model in "sc", "tso", "rc11":
                wrong, fewer = differs(plumb, where, model)
                folded += fewer
                if wrong:
                    failed += 1
                    print(f"FAILED seed {seed}, {model}: {wrong}\n{text}", flush=True)
    print(f"seeds {first} to {first + count - 1}: {folded} of {3 * count} with fewer executions, {failed} wrong")
    sys.exit(1 if failed or (count >= 10 and not folded) else 0)


if __name__ == "__main__":
    main()
