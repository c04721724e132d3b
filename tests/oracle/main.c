/*
 * By hand, to look at an answer of the oracles:
 *
 *     oracle FILE.litmus [MODEL]      every graph and every outcome
 *     oracle --random SEED [MODEL]    the same, of a random program
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axiomatic.h"
#include "random.h"

static void show_set(const char *what, const struct or_set *set)
{
    (void)printf("%zu %s\n", set->count, what);
    for (size_t i = 0; i < set->count; i++)
        (void)printf("%s\n", set->items[i]);
}

static void show(const struct or_program *p, enum or_model model)
{
    struct or_result r;
    or_result_init(&r);
    or_axiomatic(p, model, NULL, &r);
    (void)printf("--- %s: outcome %s%s\n", or_model_name(model), r.satisfied ? "seen" : "not seen",
                 r.racy ? ", a data race" : "");
    show_set("complete", &r.graphs);
    show_set("blocked", &r.blocked);
    show_set("outcomes", &r.outcomes);
    or_result_release(&r);
}

int main(int argc, char **argv)
{
    struct or_program p;
    struct pl_error error;
    int at = 1;
    if (argc > 2 && strcmp(argv[1], "--random") == 0) {
        or_random_program(&p, &(struct or_random_options){.seed = strtoull(argv[2], NULL, 10)});
        at = 3;
    } else if (argc < 2 || or_program_read(&p, argv[1], &error) != PL_OK) {
        (void)fprintf(stderr, "oracle: %s\n", argc < 2 ? "oracle FILE [MODEL]" : error.text);
        return 2;
    } else {
        at = 2;
    }
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    or_program_print(&p, &text);
    (void)fputs(text.text, stdout);
    pl_strbuf_release(&text);
    for (int m = 0; m < OR_MODELS; m++)
        if (argc <= at || strcmp(argv[at], or_model_name((enum or_model)m)) == 0)
            show(&p, (enum or_model)m);
    return 0;
}
