/* See scan_words.h. */
#include "build/scan_words.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/strbuf.h"

struct remedy {
    const char *prefixes[4]; /* of a part of the file's path, or of the function */
    const char *assembly;    /* what to do about assembly in its headers */
    const char *calls;       /* about calls into it; NULL: nothing special */
};

/* The libraries' own switches; docs/frontends.md has them too. */
static const struct remedy remedies[] = {
    {{"ck_"},
     "compile with -DCK_USE_CC_BUILTINS=1 -DCK_MD_RMO or -include plumb/compat/ck.h",
     NULL},
    {{"urcu", "uatomic", "cds_", "_cds_"},
     "compile with -D_LGPL_SOURCE -include plumb/compat/urcu.h, see docs/frontends.md",
     "compile with -D_LGPL_SOURCE, which has its functions inline, see docs/frontends.md"},
    {{"rte_"}, "compile with -DRTE_USE_C11_MEM_MODEL", NULL},
};

static bool fits(const struct remedy *r, const char *name)
{
    for (size_t i = 0; i < 4 && r->prefixes[i]; i++)
        if (strncmp(name, r->prefixes[i], strlen(r->prefixes[i])) == 0)
            return true;
    return false;
}

static const struct remedy *remedy_of(const struct pl_scan_finding *f)
{
    for (size_t i = 0; i < sizeof remedies / sizeof *remedies; i++) {
        if (fits(&remedies[i], f->what) || fits(&remedies[i], f->where))
            return &remedies[i];
        for (const char *p = strchr(f->where, '/'); p; p = strchr(p + 1, '/'))
            if (fits(&remedies[i], p + 1))
                return &remedies[i];
    }
    return NULL;
}

/* The name as the source has it. libstdc++ is there if the subject is C++; without it the
   mangled name must do. */
static char *demangled(const char *name)
{
    typedef char *demangle(const char *, char *, size_t *, int *);
    char *text = NULL;

    if (strncmp(name, "_Z", 2) == 0) {
        void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
        demangle *function = NULL;
        if (library)
            *(void **)&function = dlsym(library, "__cxa_demangle");
        if (function)
            text = function(name, NULL, NULL, NULL);
        if (library)
            dlclose(library);
    }
    return text ? text : strdup(name);
}

static bool same(const struct pl_scan_finding *a, const struct pl_scan_finding *b)
{
    if (a->odd != b->odd || a->known != b->known)
        return false;
    if (a->odd != PL_ODD_NOT)
        return strcmp(a->where, b->where) == 0;
    if (a->known == PL_KNOWN_CONTAINER) /* the tree, or the list */
        return strncmp(a->what, b->what, 5) == 0;
    return strcmp(a->what, b->what) == 0;
}

static bool first_of_its_kind(const struct pl_scan_findings *list, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (same(&list->at[j], &list->at[i]))
            return false;
    return true;
}

/* "lock cmpxchg, mfence": all that stands in this place. */
static void add_mnemonics(struct pl_strbuf *text, const struct pl_scan_findings *list, size_t first)
{
    struct pl_words said = {0};

    for (size_t i = first; i < list->count; i++) {
        const struct pl_scan_finding *f = &list->at[i];
        if (!same(f, &list->at[first]) || pl_words_has(&said, f->what))
            continue;
        pl_strbuf_addf(text, "%s%s", said.count ? ", " : "", f->what);
        pl_words_add(&said, f->what);
    }
    pl_words_release(&said);
}

static void word_instruction(struct pl_strbuf *text, const struct pl_scan_findings *list, size_t i)
{
    const struct pl_scan_finding *f = &list->at[i];
    const struct remedy *remedy = remedy_of(f);
    char *function = demangled(f->function);

    pl_strbuf_addf(text, "%s: warning: %s (", f->where,
                   f->odd == PL_ODD_SIZE ? "an access" : "assembly");
    add_mnemonics(text, list, i);
    pl_strbuf_add(text, ")");
    if (*function)
        pl_strbuf_addf(text, " in %s", function);
    free(function);
    if (f->odd == PL_ODD_ATOMIC)
        pl_strbuf_addf(text, " is an atomic access or a fence that plumb cannot see; %s",
                       remedy ? remedy->assembly
                              : "replace it by C11 atomics, see docs/frontends.md");
    else if (f->odd == PL_ODD_SIZE)
        pl_strbuf_add(text, " is of a size that clang does not instrument; compile with gcc");
    else if (f->odd == PL_ODD_CHANCE)
        pl_strbuf_add(text, " gives another value in every run, which cannot be replayed; "
                            "use clock_gettime or rand, see docs/frontends.md");
    else
        pl_strbuf_add(text, " calls the system past the runtime; call the function of the "
                            "C library or syscall() instead");
}

static void word_call(struct pl_strbuf *text, const struct pl_scan_finding *f)
{
    const struct remedy *remedy = remedy_of(f);
    char *name = demangled(f->what);

    pl_strbuf_addf(text, "%s: warning: ", f->where);
    if (f->known == PL_KNOWN_CONTAINER)
        pl_strbuf_addf(text,
                       "the nodes of a std::%s are linked inside libstdc++, where plumb cannot "
                       "see: races on them may be missed, see docs/frontends.md",
                       strncmp(f->what, "_ZSt", 4) == 0 ? "map or std::set" : "list");
    else if (f->known == PL_KNOWN_LIBC)
        pl_strbuf_addf(text,
                       "what %s of the C library does to memory is not seen; give it memory of "
                       "one thread only, see docs/frontends.md",
                       name);
    else
        pl_strbuf_addf(text,
                       "what %s does to memory is not seen, its library is not "
                       "instrumented; %s",
                       name,
                       remedy && remedy->calls
                           ? remedy->calls
                           : "compile the library with -fsanitize=thread, see docs/frontends.md");
    free(name);
}

/* Objects without instrumentation: one warning for a file, however many members it has. */
static void word_objects(struct pl_words *all, const struct pl_scan_object *objects, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct pl_scan_object *o = &objects[i];
        struct pl_strbuf file;

        if (o->shared || o->instrumented || !o->has_code)
            continue;
        const char *member = strrchr(o->name, '(');
        pl_strbuf_init(&file);
        pl_strbuf_add_bytes(&file, o->name, member ? (size_t)(member - o->name) : strlen(o->name));
        pl_strbuf_add(&file, ": warning: not instrumented, nothing it does to memory is seen; "
                             "compile it with -fsanitize=thread");
        if (!pl_words_has(all, file.text))
            pl_words_add(all, file.text);
        pl_strbuf_release(&file);
    }
}

void pl_scan_word(struct pl_words *warnings, const struct pl_scan_object *objects, size_t count,
                  const struct pl_scan_findings *findings)
{
    struct pl_words all = {0};
    struct pl_strbuf text;

    word_objects(&all, objects, count);
    pl_strbuf_init(&text);
    for (size_t i = 0; i < findings->count; i++) {
        if (!first_of_its_kind(findings, i))
            continue;
        pl_strbuf_clear(&text);
        if (findings->at[i].odd != PL_ODD_NOT)
            word_instruction(&text, findings, i);
        else
            word_call(&text, &findings->at[i]);
        pl_words_add(&all, text.text);
    }
    pl_strbuf_release(&text);
    for (size_t i = 0; i < all.count && i < PL_SCAN_WARNINGS_MAX; i++)
        pl_words_add(warnings, all.at[i]);
    if (all.count > PL_SCAN_WARNINGS_MAX)
        pl_words_addf(warnings, "warning: and %zu more places that plumb cannot see",
                      all.count - PL_SCAN_WARNINGS_MAX);
    pl_words_release(&all);
}
