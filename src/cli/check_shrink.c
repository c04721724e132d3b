/* A wrong test made smaller, then shown: see check_parts.h. */
#include <stdlib.h>
#include <string.h>

#include "cli/check_parts.h"
#include "cli/interrupt.h"
#include "plan/distinct.h"
#include "plan/marks.h"
#include "shrink/shrink.h"

static const double SHRINK_SECONDS = 30, AGAIN_SECONDS = 300, BOUNDS_SECONDS = 10;
enum { MOST_BOUND = 6 };

struct shrinking {
    struct pl_checker *checker;
    const char *model;
    const char *signature; /* NULL: any bad history of the kind `bad` will do */
    enum pl_finding_kind bad;
    enum pl_finding_kind kind; /* a finding of this kind instead; NONE: a bad history */
    const char *place;         /* there, or NULL: anywhere */
    bool apart;                /* its values are told apart: so they stay */
    bool otherwise;            /* set: a smaller test is wrong, but in another way */
};

/* Another kind of violation is another one: a test must not be shrunk to that. */
static bool has_bad(const struct pl_trial *t, const struct shrinking *s)
{
    bool found = s->signature && pl_trial_find_within(t, s->signature);
    for (unsigned i = 0; !s->signature && i < t->bads; i++)
        found = found || t->bad[i]->kind == s->bad;
    return found;
}

static bool has_finding(struct pl_checker *c, const struct shrinking *s)
{
    const struct pl_session *session = &c->execute.session;
    bool found = session->findings && session->seen[0].finding->kind == s->kind && !s->place;
    for (size_t i = 0; s->place && !found && i < session->findings; i++) {
        char *place = pl_check_place(c, &session->seen[i]);
        found = strcmp(place, s->place) == 0;
        free(place);
    }
    return found;
}

static bool shows(struct pl_checker *c, const struct pl_trial *t, const struct shrinking *s)
{
    return s->kind == PL_FINDING_NONE ? has_bad(t, s) : has_finding(c, s);
}

static enum pl_shrink_answer is_wrong(void *context, const struct pl_test *test)
{
    struct shrinking *s = context;
    struct pl_checker *c = s->checker;
    const struct pl_session *session = &c->execute.session;
    struct pl_trial t;
    struct pl_error ignored;
    enum pl_shrink_answer answer = PL_NOT_KNOWN;
    if (pl_marks_check(test, c->calls, NULL) != PL_OK)
        return PL_IS_RIGHT; /* nobody may call it so */
    if (s->apart && pl_has_equals(test, c->calls, c->count))
        return PL_IS_RIGHT; /* no simpler: what it shows may be something else */
    if (pl_now() >= c->until || *pl_interrupt_stop())
        return PL_NOT_KNOWN;
    if (pl_check_trial(c, &t, test, s->model, &ignored) == PL_OK) {
        if (shows(c, &t, s))
            answer = PL_IS_WRONG;
        else if (session->exhausted && !t.undecided && !session->findings && !t.bads)
            answer = PL_IS_RIGHT;
        else
            s->otherwise = s->otherwise || session->findings || t.bads;
    }
    pl_trial_release(&t);
    return answer;
}

/* The end of the report. */
static void say_how(struct pl_checker *c, unsigned before, unsigned after, bool minimal,
                    bool otherwise)
{
    pl_strbuf_clear(&c->ending);
    if (c->no_shrink)
        return;
    pl_strbuf_add(&c->ending, "\n    ");
    if (after < before)
        pl_strbuf_addf(&c->ending, "Shrunk from %u operations to %u", before, after);
    if (after < before && minimal)
        pl_strbuf_add(&c->ending, ". ");
    else if (after < before)
        pl_strbuf_addf(&c->ending, ": minimal as far as explored%s.\n",
                       otherwise ? "; some smaller tests go wrong in another way" : "");
    else if (otherwise)
        pl_strbuf_add(&c->ending, "Not known to be the smallest: some smaller tests go wrong in "
                                  "another way.\n");
    else if (!minimal)
        pl_strbuf_add(&c->ending, "Not known to be the smallest: some smaller tests were not "
                                  "explored to their end.\n");
    if (minimal)
        pl_strbuf_add(&c->ending, "Nothing can be left out.\n");
}

/* The bad history of the signature, else one of the kind; NULL: there is none. */
static const struct pl_bad *find_bad(const struct pl_trial *t, const char *signature,
                                     enum pl_finding_kind kind)
{
    const struct pl_bad *bad = signature ? pl_trial_find_within(t, signature) : NULL;
    for (unsigned i = 0; !bad && signature && i < t->bads; i++)
        bad = t->bad[i]->kind == kind ? t->bad[i] : NULL;
    return bad;
}

/* The test that is known to be wrong once more: among its executions with no preemption, with one,
 * and so on; then, whatever shrinking has used up, among all. With --keep-going the whole test is
 * explored. */
static enum pl_status find_again(struct pl_checker *c, const struct pl_test *test,
                                 struct pl_trial *t, const struct shrinking *s,
                                 struct pl_error *error)
{
    uint32_t *bound = &c->execute.options->preemptions, given = *bound;
    enum pl_status status = PL_OK;
    bool found = false;
    c->until = pl_now() + BOUNDS_SECONDS;
    for (unsigned most = 0; most < MOST_BOUND && !found && !*pl_interrupt_stop(); most++) {
        if (strcmp(s->model, "sc") != 0 || c->no_shrink || pl_now() >= c->until ||
            (given && most + 1 >= given))
            break;
        *bound = most + 1;
        status = pl_check_trial(c, t, test, s->model, error);
        found = status || shows(c, t, s);
        if (!found)
            pl_trial_release(t);
    }
    *bound = given;
    c->until = c->keep_going ? pl_now() + AGAIN_SECONDS : 0;
    return found ? status : pl_check_trial(c, t, test, s->model, error);
}

static bool is_another(const struct pl_bad *bad, const char *signature)
{
    return signature && strcmp(bad->signature, signature) != 0;
}

enum pl_status pl_check_show_smallest(struct pl_checker *c, const struct pl_item *item,
                                      const struct pl_bad *wrong, enum pl_finding_kind kind,
                                      const char *place, struct pl_error *error)
{
    const char *signature = wrong ? wrong->signature : NULL;
    enum pl_finding_kind bad_kind = wrong ? wrong->kind : PL_FINDING_NONE;
    struct shrinking shrinking = {.checker = c,
                                  .model = item->model,
                                  .signature = c->keep_going ? signature : NULL,
                                  .bad = bad_kind,
                                  .kind = kind,
                                  .place = place,
                                  .apart = !pl_has_equals(&item->test, c->calls, c->count)};
    struct pl_test small = item->test;
    struct pl_trial t;
    double until = c->until;
    bool minimal = false;
    c->until = pl_now() + SHRINK_SECONDS;
    c->shrinking = true;
    if (!c->no_shrink)
        /* Under weak models what a client synchronises is to be seen, not made the order of one
         * thread. */
        minimal = pl_shrink(&small, c->calls, strcmp(item->model, "sc") == 0, is_wrong, &shrinking);
    c->shrinking = false;
    say_how(c, pl_test_count(&item->test), pl_test_count(&small), minimal,
            shrinking.otherwise && !minimal);
    pl_interrupt_bear(true); /* what is known to be wrong is shown, though not made smaller */
    enum pl_status status = find_again(c, &small, &t, &shrinking, error);
    c->until = until;
    const struct pl_bad *bad = status ? NULL : find_bad(&t, signature, bad_kind);
    if (bad && is_another(bad, signature) && c->keep_going && pl_check_is_known(c, bad->signature))
        ; /* it was shrunk to one that was shown already */
    else if (bad)
        status = pl_check_show_bad(c, &t, bad, error);
    else if (!status && c->execute.session.findings)
        status = pl_check_show_other(c, &t, place, error);
    else if (!status)
        status = pl_check_tell(c, &small, item->model, wrong ? bad_kind : kind, error);
    pl_interrupt_bear(false);
    pl_trial_release(&t);
    return status;
}
