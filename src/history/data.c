/* JSON and EDN: see data.h. */
#include "history/data.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64 };
enum result { GOOD, BAD, MORE }; /* MORE: the window ends inside the value */

struct parse {
    struct pl_data *data;
    struct pl_error *error;
    size_t at;
};

void pl_data_init(struct pl_data *d, struct pl_input *input, bool edn)
{
    *d = (struct pl_data){.input = input, .edn = edn};
    pl_strbuf_init(&d->decoded);
    for (const char *c = edn ? " \n\t\r," : " \n\t\r"; *c; c++)
        d->blank[(unsigned char)*c] = d->ends_atom[(unsigned char)*c] = true;
    for (const char *c = edn ? ",]}){([\";" : ",]}){([\":"; *c; c++)
        d->ends_atom[(unsigned char)*c] = true;
    d->ends_atom[0] = true; /* the end of the window; see skip */
}

void pl_data_release(struct pl_data *d)
{
    free(d->node);
    pl_strbuf_release(&d->decoded);
}

const char *pl_node_text(const struct pl_data *d, const struct pl_node *n)
{
    return (n->escaped ? d->decoded.text : d->input->text) + n->text;
}

static enum result bad(struct parse *p, size_t place, const char *what)
{
    (void)pl_input_fail(p->data->input, place, p->error, "%s", what);
    return BAD;
}

/* What to say where the window ends: more may follow, or the input is cut short. */
static enum result at_end(struct parse *p)
{
    return p->data->input->ended ? bad(p, p->at, "the input ends inside a value") : MORE;
}

/* Most of reading a history is this and read_atom: the window ends with a NUL, which is neither
 * blank nor part of a word, so that the end need not be looked for at each character. */
static inline void skip(struct parse *p)
{
    const struct pl_input *in = p->data->input;
    const bool *blank = p->data->blank;
    for (;;) {
        const char *c = in->text + p->at;
        while (blank[(unsigned char)*c])
            c++;
        p->at = (size_t)(c - in->text);
        if (*c != ';' || !p->data->edn)
            return;
        while (p->at < in->end && in->text[p->at] != '\n')
            p->at++;
    }
}

static inline uint32_t add(struct parse *p, enum pl_node_kind kind, size_t place)
{
    struct pl_data *d = p->data;
    if (d->count + 1 >= d->room) {
        d->room = d->room ? d->room * 2 : 64;
        d->node = realloc(d->node, d->room * sizeof *d->node);
        PL_ASSERT(d->node);
    }
    d->node[++d->count] = (struct pl_node){.kind = kind, .place = place};
    return d->count;
}

/* A number, if all of it is one. */
static bool read_number(const char *text, size_t length, int64_t *out)
{
    size_t i = text[0] == '-' || text[0] == '+';
    int64_t number = 0;
    if (i == length || length > 19 + i)
        return false;
    for (; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || number > INT64_MAX / 10 - 10)
            return false;
        number = number * 10 + (text[i] - '0');
    }
    if (number > ((int64_t)1 << 62) - 1)
        return false;
    *out = text[0] == '-' ? -number : number;
    return true;
}

static bool is(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* The usual ones: up to 18 digits, and nothing else. NULL: something else. */
static const char *read_digits(const char *text, const bool *ends_atom, int64_t *out)
{
    const char *c = text;
    int64_t number = 0;
    for (; (unsigned)(*c - '0') < 10 && c - text < 18; c++)
        number = number * 10 + (*c - '0');
    *out = number;
    return c > text && *c && ends_atom[(unsigned char)*c] ? c : NULL;
}

static enum result read_atom(struct parse *p, uint32_t *out)
{
    const struct pl_input *in = p->data->input;
    const bool *ends_atom = p->data->ends_atom;
    size_t start = p->at;
    const char *text = in->text + start, *c = text, *end = in->text + in->end;
    int64_t number;
    const char *after = read_digits(text, ends_atom, &number);
    if (after) {
        *out = add(p, PL_NODE_NUMBER, start);
        struct pl_node *n = &p->data->node[*out];
        n->text = start;
        n->length = (size_t)(after - text);
        n->number = number;
        p->at = start + n->length;
        return GOOD;
    }
    if (*c == '\\' && p->data->edn && end - c > 1)
        c += 2; /* a character, whatever it is */
    do {
        while (!ends_atom[(unsigned char)*c])
            c++;
    } while (!*c && c < end && c++); /* a byte of zero is none that ends it */
    p->at = (size_t)(c - in->text);
    if (p->at == in->end && !in->ended)
        return MORE;
    size_t length = p->at - start;
    if (!length)
        return bad(p, start, "a value is missing here");
    *out = add(p, PL_NODE_WORD, start);
    struct pl_node *n = &p->data->node[*out];
    n->text = start;
    n->length = length;
    if (text[0] == ':' && p->data->edn) {
        n->text++;
        n->length--;
    } else if (read_number(text, length, &n->number))
        n->kind = PL_NODE_NUMBER;
    else if (isdigit((unsigned char)text[0]) || (text[0] == '-' && length > 1))
        n->kind = PL_NODE_REAL;
    else if (is(text, length, "true"))
        n->kind = PL_NODE_TRUE;
    else if (is(text, length, "false"))
        n->kind = PL_NODE_FALSE;
    else if (is(text, length, p->data->edn ? "nil" : "null"))
        n->kind = PL_NODE_NIL;
    else if (!p->data->edn)
        return bad(p, start, "this is not JSON: a text needs quotes");
    return GOOD;
}

/* Is the key that was in this place of the last map here again? */
static inline bool read_known_key(struct parse *p, uint32_t place, uint32_t *out)
{
    const struct pl_known_key *k = &p->data->known[place % PL_KNOWN_KEYS];
    const struct pl_input *in = p->data->input;
    const char *text = in->text + p->at;
    uint64_t here[2];
    if (!k->length || in->end - p->at <= sizeof here)
        return false;
    memcpy(here, text, sizeof here);
    if ((here[0] & k->mask[0]) != k->text[0] || (here[1] & k->mask[1]) != k->text[1])
        return false;
    bool quoted = text[0] == '"';
    if (!quoted && (!text[k->length] || !p->data->ends_atom[(unsigned char)text[k->length]]))
        return false;
    *out = add(p, quoted ? PL_NODE_TEXT : PL_NODE_WORD, p->at);
    struct pl_node *n = &p->data->node[*out];
    n->text = p->at + 1;
    n->length = k->length - 1 - quoted;
    n->known = k->number;
    p->at += k->length;
    return true;
}

static void learn_key(struct parse *p, uint32_t place, const struct pl_node *n)
{
    struct pl_known_key *k = &p->data->known[place % PL_KNOWN_KEYS];
    size_t length = n->length + 1 + (n->kind == PL_NODE_TEXT);
    if ((n->kind != PL_NODE_WORD && n->kind != PL_NODE_TEXT) || n->escaped ||
        n->text != n->place + 1 || length > sizeof k->text)
        return;
    *k = (struct pl_known_key){.length = (uint32_t)length, .number = ++p->data->learnt};
    memcpy(k->text, p->data->input->text + n->place, length);
    memset(k->mask, 0xff, length);
}

/* The character after a backslash. \uXXXX becomes UTF-8; halves of a pair stay apart. */
static bool decode(struct pl_strbuf *out, const char *text, size_t left, size_t *used)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *known = memchr(from, text[0], sizeof from - 1);
    unsigned code = 0;
    *used = 1;
    if (known) {
        pl_strbuf_add_bytes(out, &to[known - from], 1);
        return true;
    }
    if (text[0] != 'u' || left < 5)
        return false;
    for (int i = 1; i < 5; i++) {
        if (!isxdigit((unsigned char)text[i]))
            return false;
        code = code * 16 + (unsigned)(isdigit((unsigned char)text[i])
                                          ? text[i] - '0'
                                          : tolower((unsigned char)text[i]) - 'a' + 10);
    }
    *used = 5;
    unsigned char utf8[3] = {(unsigned char)(0xe0 | code >> 12),
                             (unsigned char)(0x80 | (code >> 6 & 63)),
                             (unsigned char)(0x80 | (code & 63))};
    if (code < 0x80) {
        utf8[2] = (unsigned char)code;
        pl_strbuf_add_bytes(out, &utf8[2], 1);
    } else if (code < 0x800) {
        utf8[1] = (unsigned char)(0xc0 | code >> 6);
        pl_strbuf_add_bytes(out, &utf8[1], 2);
    } else {
        pl_strbuf_add_bytes(out, utf8, 3);
    }
    return true;
}

static enum result read_text(struct parse *p, uint32_t *out)
{
    const struct pl_input *in = p->data->input;
    size_t start = p->at++, end;
    bool escaped = false;
    for (end = p->at; end < in->end && in->text[end] != '"'; end++)
        if (in->text[end] == '\\') {
            escaped = true;
            end++;
        }
    if (end >= in->end) {
        p->at = start;
        return in->ended ? bad(p, start, "a text without its closing quote") : MORE;
    }
    *out = add(p, PL_NODE_TEXT, start);
    struct pl_node *n = &p->data->node[*out];
    n->text = p->at;
    n->length = end - p->at;
    if (escaped) {
        struct pl_strbuf *decoded = &p->data->decoded;
        n->escaped = true;
        n->text = decoded->length;
        for (size_t i = p->at; i < end; i++) {
            size_t used;
            if (in->text[i] != '\\') {
                pl_strbuf_add_bytes(decoded, &in->text[i], 1);
                continue;
            }
            if (!decode(decoded, &in->text[i + 1], end - i - 1, &used))
                return bad(p, i, "an escape that does not exist");
            i += used;
        }
        n->length = decoded->length - n->text;
    }
    p->at = end + 1;
    return GOOD;
}

static enum result read_value(struct parse *p, unsigned depth, uint32_t *out);
static enum result read_here(struct parse *p, unsigned depth, uint32_t *out);

/* In JSON: the comma between members, or the end. */
static enum result separate(struct parse *p, char close, bool first)
{
    const struct pl_input *in = p->data->input;
    skip(p);
    if (p->at == in->end)
        return at_end(p);
    if (p->data->edn || first || in->text[p->at] == close)
        return GOOD;
    if (in->text[p->at] != ',')
        return bad(p, p->at, "a comma or the closing bracket is missing here");
    p->at++;
    skip(p);
    if (p->at < in->end && in->text[p->at] == close)
        return bad(p, p->at, "a member is missing after the comma");
    return p->at == in->end ? at_end(p) : GOOD;
}

static enum result read_members(struct parse *p, enum pl_node_kind kind, char close, unsigned depth,
                                uint32_t *out)
{
    const struct pl_input *in = p->data->input;
    uint32_t last = 0, count = 0;
    *out = add(p, kind, p->at++);
    for (;; count++) {
        bool value = kind == PL_NODE_MAP && count % 2 == 1;
        uint32_t member = 0;
        enum result r;
        if (value && !p->data->edn) {
            skip(p);
            if (p->at == in->end)
                return at_end(p);
            if (in->text[p->at] != ':')
                return bad(p, p->at, "a colon is missing here");
            p->at++;
            skip(p);
            if (p->at == in->end)
                return at_end(p);
        } else if ((r = separate(p, close, count == 0)) != GOOD) {
            return r;
        }
        if (!value && in->text[p->at] == close) {
            p->at++;
            break;
        }
        bool key = kind == PL_NODE_MAP && !value;
        uint32_t place = count / 2 + depth * 11; /* of a key: those inside others are others */
        if (!key || !read_known_key(p, place, &member)) {
            if ((r = read_here(p, depth + 1, &member)) != GOOD)
                return r;
            if (key)
                learn_key(p, place, &p->data->node[member]);
        }
        if (kind == PL_NODE_MAP && !value && p->data->node[member].kind != PL_NODE_TEXT &&
            !p->data->edn)
            return bad(p, p->data->node[member].place, "the name of a member is a quoted text");
        *(last ? &p->data->node[last].next : &p->data->node[*out].first) = member;
        last = member;
    }
    p->data->node[*out].members = count;
    return GOOD;
}

/* #{…} is a set; #tag value is its value; #_ value is not there: too rare, refused. */
static enum result read_tagged(struct parse *p, unsigned depth, uint32_t *out)
{
    const struct pl_input *in = p->data->input;
    size_t start = p->at++;
    if (p->at == in->end)
        return at_end(p);
    if (in->text[p->at] == '{')
        return read_members(p, PL_NODE_SET, '}', depth, out);
    if (in->text[p->at] == '_')
        return bad(p, start, "#_ is not read; remove what it comments out");
    while (p->at < in->end && !p->data->ends_atom[(unsigned char)in->text[p->at]])
        p->at++;
    return p->at == in->end ? at_end(p) : read_value(p, depth + 1, out);
}

static enum result read_value(struct parse *p, unsigned depth, uint32_t *out)
{
    skip(p);
    return p->at == p->data->input->end ? at_end(p) : read_here(p, depth, out);
}

/* The value that starts with the next character. */
static enum result read_here(struct parse *p, unsigned depth, uint32_t *out)
{
    const struct pl_input *in = p->data->input;
    if (depth > DEEPEST)
        return bad(p, p->at, "values inside values, more than 64 deep");
    switch (in->text[p->at]) {
    case '{':
        return read_members(p, PL_NODE_MAP, '}', depth, out);
    case '[':
        return read_members(p, PL_NODE_LIST, ']', depth, out);
    case '"':
        return read_text(p, out);
    case '(':
        if (p->data->edn)
            return read_members(p, PL_NODE_LIST, ')', depth, out);
        break;
    case '#':
        if (p->data->edn)
            return read_tagged(p, depth, out);
        break;
    default:
        break;
    }
    return read_atom(p, out);
}

/* The input moves on to `at`; lines are counted on the way. */
static void move_to(struct pl_input *in, size_t at)
{
    for (const char *c = in->text + in->at;
         (c = memchr(c, '\n', (size_t)(in->text + at - c))) != NULL; c++) {
        in->line++;
        in->line_start = (size_t)(c - in->text) + 1;
    }
    in->at = at;
}

enum pl_status pl_data_peek(struct pl_data *d, char *next, struct pl_error *error)
{
    struct pl_input *in = d->input;
    for (;;) {
        struct parse p = {d, error, in->at};
        skip(&p);
        if (p.at < in->end) {
            move_to(in, p.at);
            *next = in->text[p.at];
            return PL_OK;
        }
        if (in->ended) {
            move_to(in, p.at);
            *next = '\0';
            return PL_OK;
        }
        enum pl_status status = pl_input_more(in, error);
        if (status)
            return status;
    }
}

void pl_data_done(struct pl_data *d)
{
    move_to(d->input, d->after);
}

void pl_data_pass(struct pl_data *d)
{
    PL_ASSERT(d->input->at < d->input->end);
    move_to(d->input, d->input->at + 1);
}

enum pl_status pl_data_read(struct pl_data *d, struct pl_error *error)
{
    for (;;) {
        struct parse p = {d, error, d->input->at};
        uint32_t node = 0;
        d->count = 0;
        pl_strbuf_clear(&d->decoded);
        enum result r = read_value(&p, 0, &node);
        if (r == GOOD) {
            PL_ASSERT(node == 1);
            d->after = p.at;
            return PL_OK;
        }
        if (r == BAD)
            return error->status;
        enum pl_status status = pl_input_more(d->input, error);
        if (status)
            return status;
    }
}
