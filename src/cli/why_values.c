/* Values of containers: see why_values.h. */
#include "cli/why_values.h"

#include <stdlib.h>
#include <string.h>

#include "spec/spec.h"

struct values {
    const struct pl_why_facts *facts;
    bool put[PL_MOST_CALLED], take[PL_MOST_CALLED];
    long long value[PL_MOST_CALLED]; /* put, or taken */
    bool has_value[PL_MOST_CALLED];
};

/* A number that is all of the text. */
static bool read_number(const char *text, size_t length, long long *out)
{
    char word[24], *end;
    if (!length || length >= sizeof word)
        return false;
    memcpy(word, text, length);
    word[length] = '\0';
    *out = strtoll(word, &end, 10);
    return *end == '\0';
}

/* Without a spec: names that other objects than containers have, too, say nothing. */
static bool is_vague(const char *name, size_t length)
{
    static const char *const vague[] = {"get", "read", "write", "remove", "insert", "publish"};
    for (size_t i = 0; i < sizeof vague / sizeof *vague; i++)
        if (strlen(vague[i]) == length && strncmp(vague[i], name, length) == 0)
            return true;
    return false;
}

static void look_at(struct values *v, struct pl_names *names, unsigned i)
{
    const struct pl_why_facts *f = v->facts;
    const char *name = f->name[i], *open = strchr(name, '(');
    if (!open || !(f->called >> i & 1))
        return;
    int code = pl_names_find(names, name, (size_t)(open - name));
    if (!f->spec && is_vague(name, (size_t)(open - name)))
        return;
    size_t inside = strcspn(open + 1, ",)");
    if (code == PL_PUT && open[1 + inside] == ')') /* of several which is the value is not known */
        v->has_value[i] = v->put[i] = read_number(open + 1, inside, &v->value[i]);
    if (code == PL_TAKE && inside == 0) {
        const char *answer = f->answer[i],
                   *last = strrchr(answer, ' '); /* a flag, then the value */
        last = last ? last + 1 : answer;
        v->take[i] = f->returned >> i & 1;
        v->has_value[i] = v->take[i] && read_number(last, strlen(last), &v->value[i]);
    }
}

static unsigned count_of(const struct values *v, const bool *which, long long value)
{
    unsigned count = 0;
    for (unsigned i = 0; i < v->facts->count; i++)
        count += which[i] && v->has_value[i] && v->value[i] == value;
    return count;
}

static const char *times(unsigned count)
{
    return count == 1 ? "once" : count == 2 ? "twice" : count == 3 ? "three times" : "many times";
}

/* More often taken than put. */
static bool taken_too_often(const struct values *v, struct pl_strbuf *out)
{
    for (unsigned i = 0; i < v->facts->count; i++) {
        unsigned puts, takes;
        if (!v->take[i] || !v->has_value[i])
            continue;
        puts = count_of(v, v->put, v->value[i]);
        takes = count_of(v, v->take, v->value[i]);
        if (puts && takes > puts) {
            pl_strbuf_addf(out, "The value %lld was put %s and taken %s.", v->value[i], times(puts),
                           times(takes));
            return true;
        }
    }
    return false;
}

/* Nothing found, though a value was in there from before its call and stayed. */
static bool overlooked(const struct values *v, struct pl_strbuf *out)
{
    const struct pl_why_facts *f = v->facts;
    for (unsigned i = 0; i < f->count; i++) {
        if (!v->take[i] || (v->has_value[i] && count_of(v, v->put, v->value[i])))
            continue;
        for (unsigned k = 0; k < f->count; k++)
            if (v->put[k] && (f->before[i] >> k & 1) && count_of(v, v->take, v->value[k]) == 0) {
                pl_strbuf_addf(out,
                               "%s answers %s, though the value %lld had been put before and was "
                               "never taken.",
                               f->name[i], f->answer[i][0] ? f->answer[i] : "nothing", v->value[k]);
                return true;
            }
    }
    return false;
}

/* A queue: in first, out last. */
static bool overtaken(const struct values *v, struct pl_strbuf *out)
{
    const struct pl_why_facts *f = v->facts;
    bool fifo = f->spec && strcmp(f->spec, "fifo") == 0;
    for (unsigned a = 0; a < f->count && fifo; a++)
        for (unsigned b = 0; b < f->count; b++) {
            if (!v->put[a] || !v->put[b] || !(f->before[b] >> a & 1) ||
                count_of(v, v->put, v->value[a]) != 1 || count_of(v, v->put, v->value[b]) != 1)
                continue;
            for (unsigned x = 0; x < f->count; x++)
                for (unsigned y = 0; y < f->count; y++)
                    if (v->take[x] && v->take[y] && v->has_value[x] && v->has_value[y] &&
                        v->value[x] == v->value[b] && v->value[y] == v->value[a] &&
                        (f->before[y] >> x & 1)) {
                        pl_strbuf_addf(out,
                                       "The value %lld was put before %lld, but taken after it.",
                                       v->value[a], v->value[b]);
                        return true;
                    }
        }
    return false;
}

void pl_why_values(const struct pl_why_facts *f, struct pl_strbuf *out)
{
    struct values v = {.facts = f};
    struct pl_names names;
    struct pl_error ignored;
    static const char *const containers[] = {"fifo", "lifo", "bag", "pqueue", "max-pqueue"};
    const struct pl_spec *spec = pl_spec_find("fifo");
    bool contains = !f->spec;
    for (size_t i = 0; i < sizeof containers / sizeof *containers; i++)
        contains = contains || strcmp(f->spec, containers[i]) == 0;
    if (!contains || !spec ||
        (pl_names_make(&names, &spec->words, f->map, &ignored) != PL_OK &&
         pl_names_make(&names, &spec->words, NULL, &ignored) != PL_OK))
        return;
    bool puts = false;
    for (unsigned i = 0; i < f->count; i++) {
        look_at(&v, &names, i);
        puts = puts || v.put[i];
    }
    pl_names_release(&names);
    if (puts)
        (void)(taken_too_often(&v, out) || overlooked(&v, out) || overtaken(&v, out));
}
