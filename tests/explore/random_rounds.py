#!/usr/bin/env python3
"""Random small programs with loops that wait or try again, from a seed: what comes out of them
under random schedules must be what exploring finds under sc, and be among what it finds under the
weaker models; and threads are stuck under the one if they are under the other. That threads wait
before an event that would come to nothing (PLUMB_NO_WAITING: they do not) must change neither what
is found nor the number of complete executions, none of which comes twice. And what comes out when
every round is made, up to three of them in a thread (AGAIN counts them, so that none is void), must
come out, under the weaker models. With a bound of preemptions there are as many executions from
schedule to schedule as by way of all of them (PLUMB_NO_CUT).

usage: random_rounds.py PLUMB ROUNDS_H FIRST COUNT [locks|tests|far|adds|objects|polls] [pointed]

pointed: what is a global variable otherwise is in memory of malloc, behind a pointer, and is given back.
"""
import json
import os
import random
import re
import subprocess
import sys

RUNS, STEPS, MOST = 6000, 1500, 30000
POINTED = "pointed" in sys.argv[5:]


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.locations = ["x", "y", "z"][: self.random.randint(2, 3)]
        self.threads = self.random.randint(2, 3)
        self.size = 3 if self.threads == 2 else 2
        self.registers = 0

    def pick(self, *options):
        return self.random.choice(options)

    def load_order(self):
        return "memory_order_" + self.pick("seq_cst", "acquire", "relaxed")

    def store_order(self):
        return "memory_order_" + self.pick("seq_cst", "release", "relaxed")

    def update_order(self):
        return "memory_order_" + self.pick("seq_cst", "acq_rel", "relaxed")

    def place(self):
        return self.pick(*self.locations)

    def load(self, place):
        return f"atomic_load_explicit(&{place}, {self.load_order()})"

    def compare(self, place, expected, wanted):
        strength = self.pick("weak", "strong")
        return (f"atomic_compare_exchange_{strength}_explicit(&{place}, {expected}, {wanted}, "
                f"{self.update_order()}, {self.load_order()})")

    def register(self):
        self.registers += 1
        return f"r[{self.registers - 1}]"

    # ---- statements ----

    def store(self):
        return (f"atomic_store_explicit(&{self.place()}, {self.random.randint(0, 2)}, "
                f"{self.store_order()});")

    def read(self):
        return f"{self.register()} = {self.load(self.place())};"

    def exchange(self):
        return (f"{self.register()} = atomic_exchange_explicit(&{self.place()}, "
                f"{self.random.randint(0, 2)}, {self.update_order()});")

    def add(self):
        return f"atomic_fetch_add_explicit(&{self.place()}, 1, {self.update_order()});"

    def fence(self):
        return f"atomic_thread_fence(memory_order_{self.pick('seq_cst', 'acq_rel')});"

    def wait(self):
        test = self.pick("== 0", "!= 1", "== 1", "!= 2")
        body = self.pick("", "sched_yield();", self.fence())
        return f"while ({self.load(self.place())} {test}) {{ AGAIN;\n{body} }}"

    def wait_either(self):
        return (f"while ({self.load(self.place())} != {self.random.randint(0, 2)} && "
                f"{self.load(self.place())} == {self.random.randint(0, 1)})\nAGAIN;")

    def wait_kept(self):
        r = self.register()
        return (f"do {{ AGAIN;\n{r} = {self.load(self.place())};\n}} "
                f"while ({r} == {self.random.randint(0, 1)});")

    def retry(self):
        place, r = self.place(), self.register()
        new = self.pick("old + 1", "old * 2 + 1", "2", "old")
        between = self.pick("", "", "", self.add() if self.size == 3 else "")
        return (f"{{ int old = {self.load(place)};\n{between}\nwhile (!{self.compare(place, '&old', new)})\n"
                f"AGAIN;\n{r} = old; }}")

    def retry_reload(self):
        place, r = self.place(), self.register()
        return (f"for (;;) {{ AGAIN;\nint old = {self.load(place)};\n"
                f"if ({self.compare(place, '&old', self.pick('old + 1', '1'))}) {{ {r} = old; break; }} }}")

    def retry_telling(self):
        place, r = self.place(), self.register()
        tell = self.pick(f"if (!failed) {self.store()}", "", self.store() if self.size < 3 else "")
        late = self.pick(f"if (!failed) {self.store()}", "")
        return (f"{{ int old = {self.load(place)}, failed = 0;\nfor (;;) {{ AGAIN;\n{tell if 'if' in tell else ''}\n"
                f"if ({self.compare(place, '&old', 'old + 1')}) break;\n{late}\nfailed = 1; }}\n"
                f"{r} = old * 2 + failed; }}")

    def spin_lock(self):
        place = self.place()
        return (f"while (atomic_exchange_explicit(&{place}, 1, {self.update_order()}))\nAGAIN;\n"
                f"{self.simple()}\n"
                + (f"atomic_store_explicit(&{place}, 0, {self.store_order()});"
                   if self.random.random() < 0.8 else ""))

    def compare_lock(self):
        place = self.place()
        unlock = self.pick(f"atomic_store_explicit(&{place}, 0, {self.store_order()});",
                           f"atomic_fetch_sub_explicit(&{place}, 1, {self.update_order()});",
                           f"atomic_exchange_explicit(&{place}, 0, {self.update_order()});")
        return (f"for (int zero = 0; !{self.compare(place, '&zero', '1')}; zero = 0)\nAGAIN;\n"
                f"{self.simple()}\n{unlock}")

    def tries(self):
        r = self.register()
        return (f"{{ int tries[2] = {{0, 0}};\nwhile ({self.load(self.place())} == 0 && "
                f"++tries[(int)me & 1] < 3)\n;\n{r} = tries[(int)me & 1]; }}")

    def poll_mutex(self):
        r = self.register()
        return (f"do {{ AGAIN;\npthread_mutex_lock(&mutex);\n{r} = plain;\npthread_mutex_unlock(&mutex); }} "
                f"while ({r} == {self.random.randint(0, 1)});")

    def set_mutex(self):
        return (f"pthread_mutex_lock(&mutex);\nplain = {self.random.randint(0, 2)};\n"
                f"pthread_mutex_unlock(&mutex);")

    def simple(self):
        return self.pick(self.store, self.store, self.read, self.exchange, self.add, self.fence)()

    def statement(self):
        return self.pick(self.simple, self.simple, self.wait, self.wait_either, self.wait_kept,
                         self.retry, self.retry_reload, self.retry_telling, self.spin_lock,
                         self.compare_lock, self.tries, self.poll_mutex, self.set_mutex)()

    def text(self):
        threads = []
        for t in range(self.threads):
            body = "\n".join(self.statement() for _ in range(self.random.randint(1, self.size)))
            threads.append(f"static void *thread{t}(void *argument)\n{{\nlong me = (long)argument;\n"
                           f"(void)me;\n{body}\nreturn NULL;\n}}\n")
        values = "".join(f"h = h * 7 + (unsigned)atomic_load(&{l});\n" for l in self.locations)
        return ("#include <plumb.h>\n#include <sched.h>\n#include \"rounds.h\"\n"
                "#ifdef BOUNDED\nstatic _Thread_local int rounds;\n"
                "#define AGAIN plumb_assume(++rounds <= BOUNDED)\n#else\n"
                "#define AGAIN (void)0\n#endif\n"
                "static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;\nstatic int plain;\n"
                f"static atomic_int {', '.join(self.locations)};\n"
                f"static int r[{self.registers + 1}];\n" + "".join(threads) +
                "int main(void)\n{\n" +
                "".join(f"pthread_t t{t} = start(thread{t}, {t});\n" for t in range(self.threads)) +
                "".join(f"finish(t{t});\n" for t in range(self.threads)) +
                "unsigned h = 0;\nfor (int i = 0; i < (int)(sizeof r / sizeof *r); i++)\n"
                "h = h * 5 + (unsigned)r[i];\n" + values +
                "(void)mutex, (void)plain;\noutcome((int)(h % 31));\nreturn 0;\n}\n")


class Locks(Program):
    """Few locations, many who wait there for what others write."""

    def __init__(self, seed):
        super().__init__(seed)
        self.locations = ["x", "y"][: self.random.choice((1, 1, 2))]
        self.threads = self.random.choice((2, 3, 3, 3))
        self.size = 3 if self.threads == 2 else 2

    def statement(self):
        return self.pick(self.spin_lock, self.spin_lock, self.compare_lock, self.wait,
                         self.wait_kept, self.store, self.store, self.read, self.exchange,
                         self.add)()


class Tests(Locks):
    """Locks whose word is read until it looks free, and only then taken; and others who write it."""

    def test_lock(self):
        place, test = self.place(), self.pick("!= 0", "!= 0", "== 1", "> 1")
        take = self.pick(f"atomic_exchange_explicit(&{place}, 1, {self.update_order()})",
                         f"atomic_fetch_or_explicit(&{place}, 1, {self.update_order()}) & 1",
                         f"(zero = 0, !{self.compare(place, '&zero', '1')})",
                         f"{self.load(self.place())} == 1")
        unlock = self.pick(f"atomic_store_explicit(&{place}, 0, {self.store_order()});",
                           f"atomic_fetch_sub_explicit(&{place}, 1, {self.update_order()});", "")
        return (f"{{ int zero = 0; (void)zero;\ndo {{\nwhile ({self.load(place)} {test})\nAGAIN;\n"
                f"AGAIN; }} while ({take});\n{self.pick('', '', self.simple())}\n{unlock} }}")

    def flat_lock(self):
        place = self.place()
        return (f"for (;;) {{ AGAIN;\nif ({self.load(place)} == 0 && "
                f"!atomic_exchange_explicit(&{place}, 1, {self.update_order()}))\nbreak; }}\n"
                f"atomic_store_explicit(&{place}, 0, {self.store_order()});")

    def statement(self):
        return self.pick(self.test_lock, self.test_lock, self.test_lock, self.flat_lock,
                         self.spin_lock, self.store, self.exchange, self.add)()


class Far(Locks):
    """Threads that look at one thing and then wait until another changes, only to look again."""

    def test(self):
        return self.pick("== 0", "!= 1", "== 1", "!= 2")

    def wait_far(self):
        first = self.pick(f"int seen = {self.load(self.place())};\n", "")
        other = self.pick("== seen", "== seen", "!= seen") if first else self.test()
        look = f"if ({self.load(self.place())} {self.test()})\nbreak;\n"
        late = self.pick("", "", "", look)
        told = self.pick("", f"{self.register()} = {self.load(self.place())};\n" if self.size < 3 else "")
        return (f"for (;;) {{ AGAIN;\n{first}{look}"
                f"while ({self.load(self.place())} {other})\nAGAIN;\n{late}{told}}}")

    def statement(self):
        return self.pick(self.wait_far, self.wait_far, self.store, self.store, self.exchange, self.add,
                         self.wait)()


class Adds(Program):
    """Locks whose readers add themselves and take it back while there is a writer; some look at more
    than they need."""

    def __init__(self, seed):
        super().__init__(seed)
        self.locations = ["x"]
        self.threads = self.random.choice((2, 3, 3))
        self.size = 2

    def update(self, what, number):
        return f"atomic_fetch_{what}_explicit(&x, {number}, {self.update_order()})"

    def share(self):
        told = self.random.random() < 0.3
        r = self.register()
        test = self.pick("& 4", "& 4", "& 12", "> 3" if self.threads == 2 else "& 4")
        back = self.pick("", "", f"{r} = " if told else "")
        taken = self.pick(self.read() if self.size == 3 else "", f"{r} = plain;", "")
        return (f"while ({self.update('add', 1)} {test}) {{ AGAIN;\n{back}{self.update('sub', 1)}; }}\n"
                f"{taken}\n{self.update('sub', 1)};")

    def own(self):
        r = self.register()
        lock = self.pick(f"for (int zero = 0; !{self.compare('x', '&zero', '4')}; zero = 0)\nAGAIN;",
                         f"while ({self.update('or', 4)} & 4)\nAGAIN;\n"
                         f"while ({self.load('x')} != 4)\nAGAIN;",
                         f"{self.update('add', 4)};")
        told = self.pick("", f"{r} = ")
        return f"{lock}\n{told}{self.update('sub', 4)};"

    def statement(self):
        return self.pick(self.share, self.share, self.own, self.read)()


class Objects(Program):
    """Objects that threads wait for, in all their ways."""

    def __init__(self, seed):
        super().__init__(seed)
        self.locations = ["x"]
        self.threads = self.random.choice((2, 2, 3))
        self.size = 3 if self.threads == 2 else 2

    def number(self):
        return self.random.randint(0, 2)

    def inside(self, plain):
        return self.pick(f"{plain} = {self.number()};", f"{self.register()} = {plain};",
                         f"{plain} = {plain} * 2 + 1;")

    def mutex(self):
        take = self.pick("pthread_mutex_lock(&mutex);", "pthread_mutex_lock(&mutex);",
                         f"if (!pthread_mutex_trylock(&mutex)) {{ {self.register()} = 1;")
        end = "pthread_mutex_unlock(&mutex);" + ("}" if "{" in take else "")
        return f"{take}\n{self.inside('plain')}\n{end}"

    def rwlock(self):
        how = self.pick("rd", "rd", "wr")
        take = self.pick(f"pthread_rwlock_{how}lock(&rwlock);",
                         f"if (!pthread_rwlock_try{how}lock(&rwlock)) {{ {self.register()} = 1;")
        body = self.inside("shared") if how == "wr" else f"{self.register()} = shared;"
        end = "pthread_rwlock_unlock(&rwlock);" + ("}" if "{" in take else "")
        return f"{take}\n{body}\n{end}"

    def semaphore(self):
        return self.pick("sem_post(&sem);", "sem_post(&sem);", "sem_wait(&sem);",
                         f"{self.register()} = sem_trywait(&sem);",
                         f"sem_getvalue(&sem, &{self.register()});")

    def condition(self):
        if self.random.random() < 0.5:
            return (f"pthread_mutex_lock(&mutex);\nwhile (plain == {self.number()})\n"
                    "pthread_cond_wait(&cond, &mutex);\n"
                    f"{self.inside('plain')}\npthread_mutex_unlock(&mutex);")
        tell = self.pick("signal", "broadcast")
        return (f"pthread_mutex_lock(&mutex);\nplain = {self.number()};\n"
                f"pthread_cond_{tell}(&cond);\npthread_mutex_unlock(&mutex);")

    def barrier(self):
        return f"{self.register()} = pthread_barrier_wait(&barrier) != 0;"

    def once(self):
        return f"pthread_once(&once, init);\n{self.register()} = initial;"

    def spin(self):
        return f"pthread_spin_lock(&spin);\n{self.inside('spun')}\npthread_spin_unlock(&spin);"

    def statement(self):
        return self.pick(self.mutex, self.rwlock, self.semaphore, self.condition, self.barrier,
                         self.once, self.spin, self.simple)()

    def text(self):
        return super().text().replace("static int plain;\n", """static int plain, shared, spun, initial;
#include <semaphore.h>
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static sem_t sem;
static void init(void) { initial++; }
""").replace("int main(void)\n{\n", """int main(void)
{
sem_init(&sem, 0, 0);
pthread_barrier_init(&barrier, NULL, 2);
pthread_spin_init(&spin, 0);
(void)init, (void)once, (void)rwlock, (void)cond;
""").replace("(void)mutex,", "h = h * 3 + (unsigned)(plain + 5 * shared + 7 * spun);\n(void)mutex,")


class Polls(Objects):
    """Threads that take a lock again and again to see whether something has happened; and others
    who look at the lock, or write it, without having it."""

    def __init__(self, seed):
        super().__init__(seed)
        self.locations = ["x", "y"]
        self.size = 2

    def lock(self):
        store = f"atomic_store_explicit(&x, 0, memory_order_{self.pick('seq_cst', 'release', 'release', 'relaxed')});"
        spin = f"while (atomic_exchange_explicit(&x, 1, {self.update_order()}))\nAGAIN;"
        test = f"do {{ AGAIN;\nwhile ({self.load('x')})\nAGAIN;\n}} while (atomic_exchange_explicit(&x, 1, {self.update_order()}));"
        compare = f"for (int zero = 0; !{self.compare('x', '&zero', '1')}; zero = 0)\nAGAIN;"
        back = self.pick(store, store, store, f"atomic_fetch_sub_explicit(&x, 1, {self.update_order()});")
        return self.pick((spin, back), (spin, back), (test, back), (compare, back),
                         ("pthread_spin_lock(&spin);", "pthread_spin_unlock(&spin);"),
                         ("pthread_mutex_lock(&mutex);", "pthread_mutex_unlock(&mutex);"))

    def poll(self):
        take, leave = self.lock()
        r = self.register()
        what = self.pick("y", "y", "x") if "&x" not in take else "y"
        first = self.pick("", "", f"if ({self.load('y')} == 2)\nbreak;\n")
        return (f"for (;;) {{ AGAIN;\n{first}{take}\n{r} = {self.load(what)};\n{leave}\n"
                f"if ({r} {self.pick('== 1', '!= 0', '== 2')})\nbreak; }}")

    def hold(self):
        take, leave = self.lock()
        return f"{take}\n{self.pick(self.store, self.add, self.read)()}\n{leave}"

    def look(self):
        return self.pick(f"{self.register()} = {self.load('x')};",
                         f"{self.register()} = pthread_mutex_trylock(&mutex);",
                         f"{self.register()} = atomic_exchange_explicit(&x, 1, {self.update_order()});",
                         self.store(), self.store())

    def statement(self):
        return self.pick(self.poll, self.poll, self.hold, self.hold, self.look, self.store)()


def pointed(text, locations):
    """The same program with its locations in the heap."""
    names = ", ".join(locations)
    text = text.replace(f"static atomic_int {names};\n",
                        f"#include <stdlib.h>\nstatic struct cells {{ atomic_int {names}; }} *cells;\n")
    text = text.replace("(void)me;\n", "(void)me;\nstruct cells *c = cells;\n(void)c;\n")
    text = text.replace("int main(void)\n{\n", "int main(void)\n{\nstruct cells *c = cells = malloc(sizeof *c);\n"
                        + "".join(f"atomic_init(&c->{l}, 0);\n" for l in locations))
    text = text.replace("(void)mutex,", "free(c);\n(void)mutex,")
    return re.sub(rf"&({'|'.join(locations)})\b", r"&c->\1", text)


def call(plumb, include, arguments, flags=(), environment=()):
    """The result, or a sentence."""
    path = "random.json"
    if os.path.exists(path):
        os.remove(path)
    done = subprocess.run([plumb, *arguments, "--save=no", "--keep-going", "--json", path, "--",
                           "-I" + include, *flags], capture_output=True, text=True, check=False,
                          env={**os.environ, **dict(environment)})
    if done.returncode == 2 or not os.path.exists(path):
        return "error: " + done.stderr.strip().splitlines()[-1] if done.stderr else "error"
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def count(plumb, include, waiting, *arguments):
    """How many complete executions, and what is found; None if not everything was explored."""
    environment = {"PLUMB_PROVE": "1"} if waiting else {"PLUMB_NO_WAITING": "1"}
    result = call(plumb, include, arguments, ["-DCOUNT"], environment)
    if isinstance(result, str):
        return None if "longer than there is room" in result else result
    if result["cut"] or result["executions"] + result["blocked"] >= MOST:
        return None
    kinds = {finding["kind"] for finding in result["findings"]}
    return f"{result['executions']} {' '.join(sorted(kinds))}".strip()


def few(plumb, include, way, most, *arguments):
    """How many executions need few preemptions; what is found, and what of it with so few: by
    schedules or by all."""
    result = call(plumb, include, [*arguments, "--preemptions", most], ["-DCOUNT"],
                  {"PLUMB_NO_CUT": "1"} if way else {})
    if isinstance(result, str) or result["cut"] or result["verdict"] == "unknown":
        return None
    findings = result["findings"]
    return (f"{result['executions']} {result['bound']}", {f["kind"] for f in findings},
            {f["kind"] for f in findings if f["preemptions"] <= int(most)})


def bounded(plumb, include, name, most):
    """What is wrong with a bound: by all, others than those within it are found, too. A bound that
    fails is the last: what a greater one would have shown of loops that wait is not known then, so
    there may be fewer executions that need no more."""
    schedules, every = [few(plumb, include, way, most, "explore", name, "--model", "sc",
                            "--seconds", "3") for way in (False, True)]
    if not schedules or not every:
        return []
    same = schedules[0] == every[0] or (schedules[1] and
                                        schedules[0].split()[1] == every[0].split()[1])
    if same and schedules[1] <= every[1] and every[2] <= schedules[1]:
        return []
    return [f"{most} preemptions: {schedules} by schedules, {every} by all"]


def ask(plumb, include, *arguments, flags=()):
    """The outcomes, and "stuck"; None if not everything was explored."""
    result = call(plumb, include, arguments, flags)
    if isinstance(result, str):
        return None if "longer than there is room" in result else {result}
    found = set()
    for finding in result["findings"]:
        text = finding["message"]
        if '"outcome ' in text:
            found.add(int(text.split('"outcome ')[1].split('"')[0]))
        elif finding["kind"] in ("livelock", "deadlock", "hang"):
            found.add("stuck")
        else:
            found.add(finding["kind"])
    if arguments[0] == "run":
        if result["cut"]:
            found.add("stuck")
    elif result["coverage"] == "partial" or result["executions"] + result["blocked"] >= MOST:
        return None
    return found


def show(found):
    return "not all" if found is None else " ".join(sorted(str(f) for f in found))


def check(plumb, include, kind, seed):
    name = f"random{seed}.c"
    with open(name, "w", encoding="utf-8") as file:
        program = kind(seed)
        text = program.text()
        file.write(f"/* seed {seed} */\n" + (pointed(text, program.locations) if POINTED else text))
    run = ask(plumb, include, "run", name, "--executions", str(RUNS), "--steps", str(STEPS))
    limit = ["--executions", str(MOST), "--seconds", "20"]
    by = {m: ask(plumb, include, "explore", name, "--model", m, *limit)
          for m in ("sc", "tso", "rc11")}
    problems = []
    for model in ("sc", "rc11"):
        counts = [count(plumb, include, w, "explore", name, "--model", model, *limit)
                  for w in (True, False)]
        if None not in counts and counts[0] != counts[1]:
            problems.append(f"{model}: {counts[0]} with waiting, {counts[1]} without")
    for most in ("0", "2"):
        problems += bounded(plumb, include, name, most)
    if by["sc"] is None and not problems:
        return "open"
    if by["sc"] is not None and run != by["sc"]:  # a rare one?
        run |= ask(plumb, include, "run", name, "--executions", str(50 * RUNS), "--steps",
                   str(STEPS), "--seed", "2")
    if by["sc"] is not None and run != by["sc"]:
        problems.append(f"run: {show(run)}; sc: {show(by['sc'])}")
    for model in ("tso", "rc11"):  # under sc the runs have shown it
        # do-while and for loops count their first round, too
        all_rounds = ask(plumb, include, "explore", name, "--model", model, *limit,
                         flags=["-DBOUNDED=3"])
        if by[model] is not None and all_rounds is not None and not all_rounds <= by[model]:
            problems.append(f"{model}: {show(all_rounds)} with every round, {show(by[model])}")
    for stronger, weaker in (("sc", "tso"), ("tso", "rc11")):
        if by[stronger] is not None and by[weaker] is not None and not by[stronger] <= by[weaker]:
            problems.append(f"{stronger}: {show(by[stronger])}; {weaker}: {show(by[weaker])}")
    if problems:
        print(f"FAILED seed {seed}: " + "; ".join(problems))
        return "failed"
    os.remove(name)
    return "fine"


def main():
    plumb, include, first, count = sys.argv[1:5]
    kind = {"locks": Locks, "tests": Tests, "far": Far, "adds": Adds, "objects": Objects,
            "polls": Polls}.get(" ".join(a for a in sys.argv[5:] if a != "pointed"), Program)
    results = {"fine": 0, "open": 0, "failed": 0}
    for seed in range(int(first), int(first) + int(count)):
        results[check(plumb, include, kind, seed)] += 1
    print(f"seeds {first}..{int(first) + int(count) - 1}: {results['fine']} as expected, "
          f"{results['open']} not fully explored, {results['failed']} not")
    sys.exit(results["failed"] > 0 or results["open"] * (2 if kind in (Adds, Polls) else 5) > int(count))


if __name__ == "__main__":
    main()
