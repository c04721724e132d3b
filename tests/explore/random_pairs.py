#!/usr/bin/env python3
"""Random programs of loops that load a value and exchange it for another, from a seed: what the
explorer does with pairs (src/explore/pairs.c) must change neither the number of complete
executions, none of which comes twice, nor what is found. PLUMB_NO_PAIRS: it does nothing with them.
Values are few, so that they come back; nodes of stacks are popped and pushed again.

usage: random_pairs.py PLUMB FIRST COUNT [numbers|values|stacks|waits|mixed]

values: of one location only. waits: loops that wait for a value before they exchange it, as a semaphore's.
"""
import json
import os
import random
import subprocess
import sys

MOST = 60000


class Program:
    """Threads of statements over a few locations; `me` is 0, 1, …"""

    def __init__(self, seed, kind):
        self.random = random.Random(seed)
        self.kind = kind if kind != "mixed" else self.pick("numbers", "values", "stacks", "waits")
        self.threads = 3 if self.kind in ("values", "waits") else self.pick(2, 2, 3)
        self.locations = ["x"] if self.kind in ("values", "waits") else ["x", "y", "z"][: self.pick(1, 2, 2, 3)]
        self.registers = 0
        self.stores = self.kind != "values" and self.random.random() < 0.2 # where something is stored otherwise there are no pairs

    def pick(self, *options):
        return self.random.choice(options)

    def load_order(self):
        return "memory_order_" + self.pick("seq_cst", "acquire", "acquire", "relaxed")

    def store_order(self):
        return "memory_order_" + self.pick("seq_cst", "release", "release", "relaxed")

    def update_order(self):
        return "memory_order_" + self.pick("seq_cst", "acq_rel", "release", "relaxed")

    def register(self):
        self.registers += 1
        return f"r[{self.registers - 1}]"

    def load(self, place):
        return f"atomic_load_explicit(&{place}, {self.load_order()})"

    def compare(self, place, new):
        return (f"atomic_compare_exchange_{self.pick('weak', 'strong', 'strong')}_explicit(&{place}, "
                f"&old, {new}, {self.update_order()}, memory_order_{self.pick('relaxed', 'acquire')})")

    # ---- numbers ----

    def between(self, place):
        """A statement between the two, and what it lets the new value be."""
        other = self.pick(*self.locations)
        if self.kind in ("values", "waits"):
            return self.pick(("", "0"), ("", "0"), ("atomic_thread_fence(memory_order_seq_cst);", "0"))
        return self.pick(("", "0"), ("", "0"), (f"seen = {self.load(other)};", "seen"),
                         (f"atomic_store_explicit(&own[me], old, {self.store_order()});", "0"),
                         (f"atomic_thread_fence(memory_order_{self.pick('seq_cst', 'acq_rel')});", "0"),
                         (f"seen = {self.load('own[1 - me % 2]')};", "seen"))

    def retry(self):
        place, r = self.pick(*self.locations), self.register()
        between, seen = self.between(place)
        new = self.pick("(old + 1) % 2", "1 - old", "(old + 1) % 3", "2", f"({seen} + 1) % 3", "old + 1")
        leave = self.pick("", "", f"if (old == {self.random.randint(0, 2)}) break;")
        late = self.pick("", "", f"if ({seen} == 2) continue;") if seen != "0" else ""
        if self.random.random() < 0.5:
            return (f"{{ int old, seen = 0;\nfor (;;) {{\nold = {self.load(place)};\n{leave}\n{between}\n{late}\n"
                    f"if ({self.compare(place, new)}) break;\n}}\n{r} = old * 4 + seen; }}")
        return (f"{{ int seen = 0, old = {self.load(place)};\ndo {{\n{leave}\n{between}\n}} "
                f"while (!{self.compare(place, new)});\n{r} = old * 4 + seen; }}")

    def simple(self):
        place = self.pick(*self.locations)
        store = f"atomic_store_explicit(&{place}, {self.random.randint(0, 2)}, {self.store_order()});"
        return self.pick(
            lambda: store if self.stores else f"atomic_fetch_or_explicit(&{place}, 2, {self.update_order()});",
            lambda: f"{self.register()} = {self.load(place)};",
            lambda: f"{self.register()} = atomic_exchange_explicit(&{place}, {self.random.randint(0, 2)}, "
                    f"{self.update_order()});",
            lambda: f"atomic_fetch_add_explicit(&{place}, {self.pick(1, -1)}, {self.update_order()});",
            lambda: f"{self.register()} = {self.load('x' if self.kind == 'values' else 'own[1 - me % 2]')};")()

    # ---- waits ----

    def acquire(self):
        wanted = self.pick("old > 0", "old > 0", "old == 1", "old != 2")
        between, _ = self.between("x")
        return (f"{{ int old;\nfor (;;) {{\nold = {self.load('x')};\n{between}\n"
                f"if ({wanted} && {self.compare('x', self.pick('old - 1', 'old - 1', '0', '2'))}) break;\n}}\n"
                f"{self.register()} = old; }}")

    def release(self):
        return self.pick(f"atomic_fetch_add_explicit(&x, 1, {self.update_order()});",
                         f"{self.register()} = atomic_exchange_explicit(&x, 1, {self.update_order()});",
                         f"atomic_store_explicit(&x, 1, {self.store_order()});" if self.stores else
                         f"atomic_fetch_or_explicit(&x, 1, {self.update_order()});",
                         f"while (!{self.load('x')}) ;", f"while ({self.load('x')} > 1) ;")

    # ---- stacks ----

    def push(self):
        node = self.pick("mine", "mine", "got ? got : mine")
        return (f"{{ struct node *n = {node}, *old;\nfor (;;) {{\nold = {self.load('top')};\n"
                f"atomic_store_explicit(&n->next, old, {self.store_order()});\n"
                f"if ({self.compare('top', 'n')}) break;\n}} mine = got && n == got ? mine : &extra[me]; }}")

    def pop(self):
        r = self.register()
        return (f"{{ struct node *old;\nfor (;;) {{\nold = {self.load('top')};\nif (!old) break;\n"
                f"struct node *next = {self.load('old->next')};\nif ({self.compare('top', 'next')}) break;\n}}\n"
                f"got = old; {r} = old ? old->number : 9; }}")

    # ---- all of it ----

    def statement(self):
        if self.kind == "waits":
            return self.pick(self.acquire, self.acquire, self.release, self.release)()
        if self.kind == "stacks":
            return self.pick(self.push, self.push, self.pop, self.pop)()
        return self.pick(self.retry, self.retry, self.retry, self.simple)()

    def text(self):
        most = 2 if self.threads == 3 else 3
        bodies = []
        for i in range(self.threads):
            statements = [self.statement() for _ in range(self.random.randint(1, most))]
            if self.kind == "stacks" and i == 0:
                statements[0] = self.push()
            bodies.append(f"static void *work{i}(void *argument)\n{{\nlong me = {i};\nint *r = result[{i}];\n"
                          "struct node *mine = &node[me], *got = NULL;\n(void)argument, (void)me, (void)r, "
                          "(void)mine, (void)got;\n" + "\n".join(statements) + "\nreturn NULL;\n}\n")
        joined = "".join(f"pthread_join(t[{i}], NULL);\n" for i in range(self.threads))
        created = "".join(f"pthread_create(&t[{i}], NULL, work{i}, NULL);\n" for i in range(self.threads))
        wrong = self.random.randrange(self.threads), self.random.randrange(max(1, self.registers))
        return f"""#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
struct node {{ int number; struct node *_Atomic next; }};
static struct node node[3] = {{{{0, NULL}}, {{1, NULL}}, {{2, NULL}}}}, extra[3] = {{{{3, NULL}}, {{4, NULL}}, {{5, NULL}}}};
static struct node *_Atomic top;
static atomic_int x{self.pick("", " = 1") if self.kind == "waits" else ""}, y, z, own[3];
static int result[3][{self.registers + 1}];
{"".join(bodies)}
int main(void)
{{
pthread_t t[3];
(void)&x, (void)&y, (void)&z, (void)top, (void)extra[0], (void)node[0];
{created}{joined}assert(result[{wrong[0]}][{wrong[1]}] != {self.random.randint(0, 9)});
return 0;
}}
"""


def explore(plumb, name, model, pairs):
    """Executions, what is found, and how many were given up; None: not everything was explored."""
    path = name + ".json"
    environment = {"PLUMB_PROVE": "1", **({} if pairs else {"PLUMB_NO_PAIRS": "1"})}
    done = subprocess.run([plumb, "explore", name, "--model", model, "--save=no", "--keep-going", "--seconds", "20",
                           "--executions", str(MOST), "--symmetry=off", "--json", path, "--", "-O1"],
                          capture_output=True, text=True, check=False, env={**os.environ, **environment})
    if done.returncode == 2 or not os.path.exists(path):
        if "longer than there is room" in done.stderr:
            return None
        return "error: " + (done.stderr.strip().splitlines() or ["?"])[-1], 0
    with open(path, encoding="utf-8") as file:
        result = json.load(file)
    os.remove(path)
    if result["coverage"] == "partial" or result["executions"] + result["blocked"] >= MOST:
        return None
    found = sorted({f"{f['kind']} {f['message']}" for f in result["findings"]})
    return f"{result['executions']} {result['verdict']} {found}", result["blocked"]


def main():
    plumb, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    kind = sys.argv[4] if len(sys.argv) > 4 else "mixed"
    compared = fewer = failed = 0
    for seed in range(first, first + count):
        name = f"pairs{seed}.c"
        with open(name, "w", encoding="utf-8") as file:
            file.write(f"/* seed {seed} */\n" + Program(seed, kind).text())
        fine = True
        for model in ("sc", "tso", "rc11"):
            with_pairs, without = (explore(plumb, name, model, p) for p in (True, False))
            if with_pairs is None or without is None:
                continue
            compared += 1
            fewer += with_pairs[1] < without[1]
            if with_pairs[0] != without[0]:
                print(f"FAILED seed {seed} {model}: {with_pairs[0]} with pairs, {without[0]} without")
                fine = False
        failed += not fine
        if fine:
            os.remove(name)
    print(f"seeds {first}..{first + count - 1}: {compared} compared, {fewer} with fewer given up, "
          f"{failed} seeds not as expected")
    sys.exit(failed > 0 or compared < count or fewer == 0)


if __name__ == "__main__":
    main()
