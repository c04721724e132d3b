/* The result as JUnit XML, which build servers read. */
#include <string.h>

#include "report/report.h"

/* A character that XML allows; the subject's own texts may be any bytes. */
static void add_character(unsigned char c, struct pl_strbuf *out)
{
    switch (c) {
    case '<':
        pl_strbuf_add(out, "&lt;");
        break;
    case '>':
        pl_strbuf_add(out, "&gt;");
        break;
    case '&':
        pl_strbuf_add(out, "&amp;");
        break;
    case '"':
        pl_strbuf_add(out, "&quot;");
        break;
    case '\n':
        pl_strbuf_add(out, "&#10;");
        break;
    default:
        if (c < 32 || c == 127)
            pl_strbuf_add(out, "?");
        else
            pl_strbuf_add_bytes(out, (const char *)&c, 1);
    }
}

/* Texts are UTF-8 as far as they come from JSON, which refuses anything else. */
static void add_attribute(const char *name, const char *text, struct pl_strbuf *out)
{
    pl_strbuf_addf(out, " %s=\"", name);
    for (; text && *text; text++)
        add_character((unsigned char)*text, out);
    pl_strbuf_add(out, "\"");
}

static const char *member(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

static void add_case(const char *class, const json_t *c, struct pl_strbuf *out)
{
    const char *state = member(c, "state");
    pl_strbuf_add(out, "    <testcase");
    add_attribute("classname", class, out);
    add_attribute("name", member(c, "name"), out);
    if (strcmp(state, "pass") == 0) {
        pl_strbuf_add(out, "/>\n");
        return;
    }
    pl_strbuf_addf(out, ">\n      <%s", state);
    if (strcmp(state, "skipped") != 0)
        add_attribute("type", member(c, "type"), out);
    add_attribute("message", member(c, "message"), out);
    pl_strbuf_add(out, "/>\n    </testcase>\n");
}

static size_t count_of(const json_t *cases, const char *state)
{
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(cases); i++)
        count += strcmp(member(json_array_get(cases, i), "state"), state) == 0;
    return count;
}

/* A command without cases of its own is one case; each finding is another. */
static json_t *default_cases(const struct pl_outcome *o)
{
    json_t *cases = json_array();
    for (size_t i = 0; i < json_array_size(o->findings); i++) {
        const json_t *finding = json_array_get(o->findings, i);
        json_array_append_new(cases,
                              json_pack("{s:s, s:s, s:s, s:s}", "name", member(finding, "kind"),
                                        "state", "failure", "type", member(finding, "kind"),
                                        "message", member(finding, "message")));
    }
    if (!json_array_size(cases)) {
        json_t *message = json_string(o->message);
        json_array_append_new(cases, json_pack("{s:s, s:s, s:s, s:o}", "name", o->command, "state",
                                               o->verdict == PL_VERDICT_PASS ? "pass" : "error",
                                               "type", pl_verdict_text(o->verdict), "message",
                                               message ? message : json_string("")));
    }
    return cases;
}

void pl_outcome_junit(const struct pl_outcome *o, const char *subject, json_t *given,
                      struct pl_strbuf *out)
{
    json_t *cases = given && o->verdict != PL_VERDICT_ERROR ? json_incref(given) : default_cases(o);
    pl_strbuf_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite");
    pl_strbuf_addf(out, " name=\"plumb %s\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\"",
                   o->command, json_array_size(cases), count_of(cases, "failure"),
                   count_of(cases, "error"));
    pl_strbuf_addf(out, " skipped=\"%zu\" time=\"%.3f\">\n", count_of(cases, "skipped"),
                   o->seconds);
    for (size_t i = 0; i < json_array_size(cases); i++)
        add_case(subject, json_array_get(cases, i), out);
    pl_strbuf_add(out, "  </testsuite>\n</testsuites>\n");
    json_decref(cases);
}
