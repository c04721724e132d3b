/*
 * Makes histories for bench/history.sh: threads that call, take effect and return in random
 * turns, on a real object.
 *
 *   histories TYPE OPERATIONS [threads N] [overlap N] [size N] [values N] [bad] [seed N]
 *             [format text|json|edn|times] [pending N]
 *
 * TYPE      queue, stack, pqueue, set, register, cas-register, map, bag, counter
 * overlap   operations open at a time, on average about half of it (the number of threads)
 * size      of a container, about (100)
 * values    so many different ones; 0: each value once (0). A set: its elements (1000); a
 *           map has ten keys.
 * bad       one operation, nine tenths on, answers wrongly
 * pending   so many operations in a million never return (format times: they are not told of)
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/prng.h"

enum { MOST_THREADS = 1024, MOST_SKIPPED = 50, KEYS = 10 };

struct open {
    bool is_open, effective;
    char name[12];
    long argument, second, key; /* -1: none */
    long result;                /* -1 none, -2 empty, -3 false, -4 true */
    long call;
};

static struct pl_prng prng;
static long *store, head, tail;        /* container: [head, tail) */
static long current, past[64], writes; /* register */
static long room;
static const char *type, *format = "text";
static long operations, threads = 16, overlap, size = 100, values, bad_at = -1, pending, fresh;
static struct open open[MOST_THREADS];
static long now, made, printed;

static long below(long n)
{
    return (long)pl_prng_below(&prng, (uint32_t)n);
}

static bool is(const char *name)
{
    return strcmp(type, name) == 0;
}

/* --- the objects ------------------------------------------------------------------ */

static void heap_put(long v)
{
    long i = tail++;
    for (; i && store[(i - 1) / 2] > v; i = (i - 1) / 2)
        store[i] = store[(i - 1) / 2];
    store[i] = v;
}

static long heap_take(void)
{
    long top = store[0], v = store[--tail], i = 0;
    for (;;) {
        long child = 2 * i + 1;
        if (child >= tail)
            break;
        child += child + 1 < tail && store[child + 1] < store[child];
        if (store[child] >= v)
            break;
        store[i] = store[child];
        i = child;
    }
    store[i] = v;
    return top;
}

static long take(bool wrong)
{
    long v;
    if (head == tail)
        return -2;
    if (is("pqueue")) {
        long skipped[MOST_SKIPPED], count = 0;
        v = heap_take();
        while (wrong && count < MOST_SKIPPED && tail) {
            skipped[count++] = v;
            v = heap_take();
        }
        while (count)
            heap_put(skipped[--count]);
        return v;
    }
    bool first = is("queue") || is("bag");
    v = first ? store[head++ % room] : store[--tail % room];
    if (wrong && !is("bag")) { /* one that lies so deep that its put has long returned */
        long deep = tail - head <= MOST_SKIPPED ? tail - head - 1 : MOST_SKIPPED;
        long *other = first ? &store[(head + deep) % room] : &store[(tail - 1 - deep) % room];
        long second = *other;
        *other = v;
        v = second;
    } else if (wrong) {
        v = fresh + 1000000; /* never put */
    }
    return v;
}

static void map_effect(struct open *o, bool wrong)
{
    long *place = &store[o->key];
    if (o->name[0] == 'g')
        o->result = (*place ? *place : -2) + (wrong && *place ? 1 : 0);
    else
        *place = o->argument;
}

static void effect(struct open *o, bool wrong)
{
    if (is("map")) {
        map_effect(o, wrong);
    } else if (o->name[0] == 'c' && is("cas-register")) {
        bool equal = current == o->argument;
        o->result = equal != wrong ? -4 : -3;
        current = equal ? o->second : current;
    } else if (is("register") || is("cas-register")) {
        if (o->name[0] == 'w') {
            past[writes++ % 64] = current;
            current = o->argument;
        } else {
            o->result = wrong ? past[writes % 64] : current;
        }
    } else if (is("counter")) {
        o->result = current + (wrong ? 1 : 0);
        current += o->name[0] == 'i';
    } else if (is("set")) {
        bool there = store[o->argument] != 0;
        o->result = (there == (o->name[0] != 'a')) != wrong ? -4 : -3;
        if (o->name[0] != 'c')
            store[o->argument] = o->name[0] == 'a';
    } else if (o->argument >= 0) {
        if (is("pqueue"))
            heap_put(o->argument);
        else
            store[tail++ % room] = o->argument;
    } else {
        o->result = take(wrong);
    }
}

static void choose(struct open *o)
{
    long v = values ? below(values) + 1 : ++fresh;
    *o = (struct open){.is_open = true, .argument = -1, .result = -1, .call = now};
    o->second = o->key = -1;
    if (is("map")) {
        bool put = below(3) == 0;
        (void)strcpy(o->name, put ? "put" : "get");
        o->key = below(KEYS);
        o->argument = put ? v : -1;
    } else if (is("cas-register") && below(2)) {
        (void)strcpy(o->name, "cas");
        o->argument = current; /* it succeeds unless another comes between */
        o->second = v;
    } else if (is("register") || is("cas-register")) {
        bool write = below(4) == 0;
        (void)strcpy(o->name, write ? "write" : "read");
        o->argument = write ? v : -1;
    } else if (is("counter")) {
        (void)strcpy(o->name, below(4) ? "inc" : "read");
    } else if (is("set")) {
        static const char *const names[] = {"add", "remove", "contains"};
        (void)strcpy(o->name, names[below(3)]);
        o->argument = below(values ? values : 1000);
    } else {
        long filled = tail - head;
        bool put = below(2 * size + 1) >= filled;
        (void)strcpy(o->name, put           ? is("stack")   ? "push"
                                              : is("queue") ? "enq"
                                                            : "put"
                              : is("stack") ? "pop"
                              : is("queue") ? "deq"
                                            : "take");
        o->argument = !put ? -1 : is("pqueue") && !values ? v * 7919 % 1000003 * 1000000 + v : v;
    }
}

/* --- the formats ------------------------------------------------------------------ */

static void print_result(const char *before, const char *none, const char *empty, long result)
{
    if (result == -1)
        (void)fputs(none, stdout);
    else if (result == -2)
        (void)printf("%s%s", before, empty);
    else if (result < 0)
        (void)printf("%s%s", before, result == -4 ? "true" : "false");
    else
        (void)printf("%s%ld", before, result);
}

/* Those that there are: key, argument, second. */
static void print_arguments(const struct open *o, const char *before, const char *between)
{
    const long all[] = {o->key, o->argument, o->second};
    for (int i = 0; i < 3; i++)
        if (all[i] >= 0) {
            (void)printf("%s%ld", before, all[i]);
            before = between;
        }
}

static void print_edn_value(const struct open *o)
{
    bool several = o->key >= 0 || o->second >= 0;
    (void)fputs(several ? "[" : o->argument < 0 ? "nil" : "", stdout);
    print_arguments(o, "", " ");
    (void)fputs(several ? "]" : "", stdout);
}

static void print_event(long t, const struct open *o, bool returns)
{
    if (strcmp(format, "edn") == 0) {
        (void)printf("{:process %ld, :type :%s, :f :%s, :value ", t, returns ? "ok" : "invoke",
                     o->name);
        if (returns && o->result != -1)
            print_result("", "nil", "nil", o->result);
        else
            print_edn_value(o);
        (void)printf(", :time %ld, :index %ld}\n", now * 1000, now);
    } else if (strcmp(format, "json") == 0) {
        (void)printf("{\"thread\": %ld, \"event\": \"%s\"", t, returns ? "return" : "call");
        if (!returns) {
            (void)printf(", \"op\": \"%s\"", o->name);
            if (o->argument >= 0 || o->key >= 0) {
                print_arguments(o, ", \"args\": [", ", ");
                (void)putchar(']');
            }
        } else {
            print_result(", \"result\": ", "", "null", o->result);
        }
        (void)puts("}");
    } else if (strcmp(format, "times") == 0) {
        if (!returns)
            return;
        (void)printf("%s{\"ClientId\": %ld, \"Input\": {\"op\": \"%s\"", printed++ ? ",\n" : "", t,
                     o->name);
        if (o->second >= 0 || o->key >= 0) {
            print_arguments(o, ", \"args\": [", ", ");
            (void)putchar(']');
        } else {
            print_arguments(o, ", \"value\": ", "");
        }
        (void)printf("}, \"Call\": %ld, \"Output\": ", o->call);
        print_result("", "null", "null", o->result);
        (void)printf(", \"Return\": %ld}", now);
    } else if (!returns) {
        (void)printf("%ld call %s", t, o->name);
        print_arguments(o, " ", " ");
        (void)putchar('\n');
    } else {
        (void)printf("%ld return", t);
        print_result(" ", "", "empty", o->result);
        (void)putchar('\n');
    }
}

/* Nobody hears of it again; the thread goes on. */
static void print_crash(long t, const struct open *o)
{
    if (strcmp(format, "edn") == 0)
        (void)printf("{:process %ld, :type :info, :f :%s}\n", t, o->name);
    else if (strcmp(format, "json") == 0)
        (void)printf("{\"thread\": %ld, \"event\": \"crash\"}\n", t);
    else if (strcmp(format, "text") == 0)
        (void)printf("%ld crash\n", t);
}

static void run(void)
{
    long opened = 0;
    while (made < operations || opened) {
        long t = below(threads);
        struct open *o = &open[t];
        if (!o->is_open) {
            if (made == operations || opened >= overlap || (opened && below(2)))
                continue;
            choose(o);
            print_event(t, o, false);
            made++;
            opened++;
            now++;
        } else if (!o->effective) {
            bool answers = o->argument < 0 || is("set");
            bool wrong =
                bad_at >= 0 && made >= bad_at && answers && (head == tail || tail - head > 1);
            effect(o, wrong);
            if (wrong && o->result != -2)
                bad_at = -1;
            o->effective = true;
        } else {
            o->is_open = false;
            opened--;
            if (below(1000000) < pending) {
                print_crash(t, o);
            } else {
                print_event(t, o, true);
                now++;
            }
        }
    }
}

int main(int argc, char **argv)
{
    uint64_t seed = 1;
    bool bad = false;
    if (argc < 3)
        return 2;
    type = argv[1];
    operations = strtol(argv[2], NULL, 10);
    for (int i = 3; i < argc; i++) {
        const char *next = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "bad") == 0) {
            bad = true;
            continue;
        }
        long number = strtol(next, NULL, 10);
        if (strcmp(argv[i], "threads") == 0)
            threads = number < MOST_THREADS ? number : MOST_THREADS;
        else if (strcmp(argv[i], "overlap") == 0)
            overlap = number;
        else if (strcmp(argv[i], "size") == 0)
            size = number;
        else if (strcmp(argv[i], "values") == 0)
            values = number;
        else if (strcmp(argv[i], "pending") == 0)
            pending = number;
        else if (strcmp(argv[i], "seed") == 0)
            seed = (uint64_t)number;
        else if (strcmp(argv[i], "format") == 0)
            format = next;
        else
            return 2;
        i++;
    }
    overlap = overlap ? overlap : threads;
    bad_at = bad ? operations / 10 * 9 : -1;
    room = 2 * operations + 1024;
    store = calloc((size_t)room + (size_t)values, sizeof *store);
    if (!store)
        return 2;
    pl_prng_init(&prng, seed);
    if (strcmp(format, "times") == 0)
        (void)puts("[");
    run();
    if (strcmp(format, "times") == 0)
        (void)puts("]");
    free(store);
    return 0;
}
