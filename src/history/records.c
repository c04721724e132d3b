/*
 * Histories as JSON or EDN: a list of records, or one record after the other.
 *
 *     events      {"thread": 0, "event": "call", "op": "enq", "args": [1]}      ours
 *                 {"thread": 0, "event": "return", "result": null}
 *                 {:process 0, :type :invoke, :f :enqueue, :value 1}            Jepsen
 *     operations  {"thread": 0, "op": "deq", "result": 1, "call": 3, "return": 9}   ours
 *                 {"ClientId": 0, "Input": {"op": "deq"}, "Call": 3,            Porcupine
 *                  "Output": {"value": 1}, "Return": 9}
 *
 * A record with a time of call is an operation; any other is an event. Fields that are not
 * known are passed over.
 */
#include <stdlib.h>
#include <string.h>

#include "history/builder.h"

enum field {
    THREAD,
    TYPE,
    NAME,
    VALUE,
    ARGUMENTS,
    RESULT,
    CALL,
    RETURN,
    INPUT,
    OUTPUT,
    KEY,
    FIRST,
    SECOND,
    UNKNOWN,
    ABSENT, /* "exists": false */
    FIELDS
};
enum { MOST_FIELDS = 200, GUESSES = 16 };

static const char *const field_names[FIELDS] = {
    [THREAD] = "thread|process|clientid|client|proc",
    [TYPE] = "type|event",
    [NAME] = "op|f|operation|name|function|method",
    [VALUE] = "value|val|v",
    [ARGUMENTS] = "args|arguments|arg",
    [RESULT] = "result|ok|success",
    [CALL] = "call|start|calltime|invoketime",
    [RETURN] = "return|end|finish|returntime|completetime",
    [INPUT] = "input",
    [OUTPUT] = "output",
    [KEY] = "key|k",
    [FIRST] = "from|old|expected|arg1",
    [SECOND] = "to|new|desired|arg2",
    [UNKNOWN] = "unknown",
    [ABSENT] = "exists|present|found",
};

struct records {
    struct pl_builder *b;
    struct pl_data data;
    struct pl_names fields;
    const struct pl_node *at[FIELDS]; /* of the record at hand; NULL: not there */
    /* Records have their fields in the same order, mostly: the n-th one of the last record. */
    struct guess {
        char text[15];
        uint8_t length;
        uint32_t known; /* as the node says */
        int field;
    } guess[GUESSES];
};

static enum pl_status fail(struct records *r, const struct pl_node *n, const char *what)
{
    return pl_input_fail(r->b->input, n->place, r->b->error, "%s", what);
}

static const struct pl_node *node(const struct records *r, uint32_t place)
{
    return place ? &r->data.node[place] : NULL;
}

static const struct pl_node *second(const struct records *r, const struct pl_node *list)
{
    return node(r, r->data.node[list->first].next);
}

static int find_field(struct records *r, const struct pl_node *key, unsigned number)
{
    const char *text = pl_node_text(&r->data, key);
    struct guess *g = &r->guess[(key->known ? key->known : number) % GUESSES];
    if (key->known && g->known == key->known)
        return g->field;
    if (g->length && g->length == key->length && memcmp(g->text, text, g->length) == 0) {
        g->known = key->known;
        return g->field;
    }
    int field = pl_names_find(&r->fields, text, key->length);
    if (field < 0 && r->fields.count < MOST_FIELDS) /* known as of no interest */
        pl_names_add(&r->fields, text, key->length, FIELDS);
    if (key->length && key->length <= sizeof g->text) {
        memcpy(g->text, text, key->length);
        g->length = (uint8_t)key->length;
        g->known = key->known;
        g->field = field;
    }
    return field;
}

static void gather(struct records *r, const struct pl_node *map)
{
    unsigned number = 0;
    for (const struct pl_node *key = node(r, map->first); key; number++) {
        const struct pl_node *value = node(r, key->next);
        if (key->kind == PL_NODE_TEXT || key->kind == PL_NODE_WORD) {
            int field = find_field(r, key, number);
            if (field >= 0 && field < FIELDS)
                r->at[field] = value;
        }
        key = node(r, value->next);
    }
}

static bool is_nil(const struct records *r, const struct pl_node *n)
{
    return n->kind == PL_NODE_NIL ||
           (n->kind == PL_NODE_WORD && pl_is_nil(pl_node_text(&r->data, n), n->length));
}

static pl_value value_of(struct records *r, const struct pl_node *n);

static int by_value(const void *a, const void *b)
{
    pl_value x = *(const pl_value *)a, y = *(const pl_value *)b;
    return (x > y) - (x < y);
}

static pl_value list_of(struct records *r, const struct pl_node *n)
{
    pl_value *member = malloc((n->members + 1) * sizeof *member);
    PL_ASSERT(member);
    size_t count = 0;
    for (const struct pl_node *m = node(r, n->first); m; m = node(r, m->next))
        member[count++] = value_of(r, m);
    if (n->kind == PL_NODE_SET)
        qsort(member, count, sizeof *member, by_value);
    pl_value list = pl_values_list(&r->b->history->values, member, count);
    free(member);
    return list;
}

static pl_value value_of(struct records *r, const struct pl_node *n)
{
    struct pl_values *values = &r->b->history->values;
    switch (n->kind) {
    case PL_NODE_NIL:
        return PL_NIL;
    case PL_NODE_TRUE:
        return pl_values_text(values, "true", 4);
    case PL_NODE_FALSE:
        return pl_values_text(values, "false", 5);
    case PL_NODE_NUMBER:
        return n->number;
    case PL_NODE_WORD:
        if (is_nil(r, n))
            return PL_NIL;
        break;
    case PL_NODE_LIST:
    case PL_NODE_SET:
    case PL_NODE_MAP:
        return list_of(r, n);
    case PL_NODE_REAL:
    case PL_NODE_TEXT:
        break;
    }
    return pl_values_text(values, pl_node_text(&r->data, n), n->length);
}

/* Arguments out of a value that may be a list of lists: [0 [1 2]] is 0, 1, 2. What is more than the
   most is counted, unless it is nil: Jepsen's [key nil] of a read. */
static unsigned flatten(struct records *r, const struct pl_node *n, pl_value *out, unsigned count,
                        unsigned most)
{
    if (n->kind != PL_NODE_LIST) {
        if (count >= most)
            return count + !is_nil(r, n);
        out[count] = value_of(r, n);
        return count + 1;
    }
    for (const struct pl_node *m = node(r, n->first); m; m = node(r, m->next))
        count = flatten(r, m, out, count, most);
    return count;
}

static enum pl_status read_arguments(struct records *r, const struct pl_word *word,
                                     const struct pl_node *record, struct pl_operation *o)
{
    bool keyed = r->b->how->keyed;
    unsigned wanted = word->arguments + keyed, count = 0;
    pl_value all[PL_MOST_ARGUMENTS + 1] = {0};
    static const enum field sources[] = {KEY, ARGUMENTS, VALUE, FIRST, SECOND};
    for (unsigned i = 0; i < sizeof sources / sizeof sources[0]; i++)
        if (r->at[sources[i]] && count < wanted)
            count = flatten(r, r->at[sources[i]], all, count, wanted);
    if (count < wanted)
        return fail(r, record,
                    keyed ? "the key or an argument of the operation is missing"
                          : "an argument of the operation is missing");
    const struct pl_node *given = r->at[ARGUMENTS] ? r->at[ARGUMENTS] : r->at[VALUE];
    if (count > wanted)
        return fail(r, given ? given : record,
                    keyed ? "more than the operation's key and arguments"
                          : "more than the operation's arguments; if a key comes first: --keyed");
    memcpy(o->argument, all + keyed, word->arguments * sizeof all[0]);
    if (keyed)
        o->argument[PL_KEY] = all[0];
    if (!r->b->how->fits || r->b->how->fits(o))
        return PL_OK;
    return fail(r, given ? given : record, r->b->how->demand);
}

static int truth(const struct records *r, const struct pl_node *n)
{
    if (n->kind == PL_NODE_TRUE || n->kind == PL_NODE_FALSE)
        return n->kind == PL_NODE_TRUE;
    if (r->data.edn || (n->kind != PL_NODE_TEXT && n->kind != PL_NODE_NUMBER))
        return -1; /* Jepsen repeats the argument where we look for an answer */
    return pl_is_bool(r->b->input->text + n->place + (n->kind == PL_NODE_TEXT), n->length);
}

/* Porcupine's output, or our result, or Jepsen's value: in this order. */
static const struct pl_node *result_node(struct records *r, enum pl_answer answer)
{
    if (r->at[OUTPUT] && r->at[OUTPUT]->kind != PL_NODE_MAP)
        return r->at[OUTPUT];
    bool boolean = answer == PL_ANSWER_BOOL || answer == PL_ANSWER_SUCCESS;
    if (!boolean && r->at[VALUE] && (r->data.edn || r->at[OUTPUT] || !r->at[RESULT]))
        return r->at[VALUE];
    return r->at[RESULT] ? r->at[RESULT] : r->at[VALUE];
}

static enum pl_status read_result(struct records *r, const struct pl_word *word,
                                  const struct pl_node *record, struct pl_operation *o)
{
    const struct pl_node *n = result_node(r, word->answer);
    bool keyed = r->b->how->keyed || word->arguments == 1;
    if (r->data.edn && n && n->kind == PL_NODE_LIST && n->members == 2 && keyed &&
        (word->answer == PL_ANSWER_VALUE || word->answer == PL_ANSWER_TAKE))
        n = second(r, n); /* [key value] */
    if (r->at[UNKNOWN] && r->at[UNKNOWN]->kind == PL_NODE_TRUE) {
        o->result = PL_ANY;
        return PL_OK;
    }
    switch (word->answer) {
    case PL_ANSWER_NONE:
        o->result = PL_NIL;
        return PL_OK;
    case PL_ANSWER_BOOL:
    case PL_ANSWER_SUCCESS:
        o->result = n ? truth(r, n) : -1;
        if (o->result < 0)
            o->result = word->answer == PL_ANSWER_SUCCESS ? 1 : PL_ANY;
        return PL_OK;
    case PL_ANSWER_LIST:
        if (!n || (n->kind != PL_NODE_LIST && n->kind != PL_NODE_SET))
            return fail(r, n ? n : record, "the result must be a list");
        break;
    case PL_ANSWER_TAKE:
        if (r->at[ABSENT] && r->at[ABSENT]->kind == PL_NODE_FALSE) {
            o->result = PL_NIL;
            return PL_OK;
        }
        if (!n)
            return fail(r, record, "the result is missing: a value, or nil for empty");
        break;
    case PL_ANSWER_VALUE:
        break;
    }
    o->result = n ? value_of(r, n) : PL_ANY;
    return PL_OK;
}

static const struct pl_word *read_name(struct records *r, const struct pl_node *record)
{
    const struct pl_node *n = r->at[NAME];
    if (!n || (n->kind != PL_NODE_TEXT && n->kind != PL_NODE_WORD && n->kind != PL_NODE_NUMBER)) {
        (void)fail(r, n ? n : record, "the record has no name of an operation (op, f)");
        return NULL;
    }
    return pl_builder_word(r->b, pl_node_text(&r->data, n), n->length, n->place);
}

/* Returns the thread; false for records of something else (Jepsen's nemesis). */
static bool read_thread(struct records *r, uint32_t *out)
{
    const struct pl_node *n = r->at[THREAD];
    if (n && (n->kind == PL_NODE_NUMBER || (n->kind == PL_NODE_TEXT && !r->data.edn))) {
        *out = pl_builder_thread(r->b, pl_node_text(&r->data, n), n->length);
        return true;
    }
    return false;
}

/* An end that names its operation names the one that was called. */
static bool is_end_of(struct records *r, const struct pl_word *word)
{
    const struct pl_node *n = r->at[NAME];
    if (n->kind != PL_NODE_TEXT && n->kind != PL_NODE_WORD && n->kind != PL_NODE_NUMBER)
        return true; /* nil: it does not */
    return pl_names_find(&r->b->names, pl_node_text(&r->data, n), n->length) == word->code;
}

static enum pl_status read_event(struct records *r, const struct pl_node *record)
{
    static const char *const types[] = {"call", "invoke", "return", "ok", "fail", "crash", "info"};
    struct pl_builder *b = r->b;
    uint32_t thread;
    unsigned type = 0;
    const struct pl_node *n = r->at[TYPE];
    const struct pl_word *word;
    enum pl_status status = PL_OK;
    if (!read_thread(r, &thread))
        return r->at[THREAD] && r->data.edn
                   ? PL_OK
                   : fail(r, record, "the record has no thread (thread, process, ClientId)");
    if (!n || (n->kind != PL_NODE_TEXT && n->kind != PL_NODE_WORD))
        return fail(r, n ? n : record,
                    "the record is neither an event (type) nor an operation "
                    "with its times (call, return)");
    const char *text = pl_node_text(&r->data, n);
    while (type < 7 && (types[type][0] != *text || strlen(types[type]) != n->length ||
                        memcmp(types[type], text, n->length) != 0))
        type++;
    if (type == 7)
        return fail(r, n,
                    "the type of an event is one of call, return, fail, crash, or of "
                    "invoke, ok, fail, info");
    if (type < 2) {
        if (!(word = read_name(r, record)))
            return b->error->status;
        struct pl_operation *o = pl_builder_call(b, thread, word, record->place);
        return o ? read_arguments(r, word, record, o) : b->error->status;
    }
    struct pl_operation *o = pl_builder_open(b, thread, record->place, &word);
    if (!o)
        return b->error->status;
    if (r->at[NAME] && !is_end_of(r, word))
        return fail(r, r->at[NAME], "another operation of this thread is under way");
    if (type < 4)
        status = read_result(r, word, record, o);
    if (status)
        return status;
    return pl_builder_end(b, o, word,
                          type < 4    ? PL_END_RETURN
                          : type == 4 ? PL_END_FAIL
                                      : PL_END_UNKNOWN,
                          record->place);
}

/* A time, whole or decimal (seconds, then), as a number that orders as it does. */
static enum pl_status read_time(struct records *r, const struct pl_node *n, int64_t *out)
{
    struct pl_builder *b = r->b;
    char text[40], *end;
    if (n->kind == PL_NODE_NUMBER && !b->real_times) {
        b->whole_times = true;
        *out = n->number;
        return PL_OK;
    }
    if (b->whole_times || (n->kind != PL_NODE_REAL && n->kind != PL_NODE_NUMBER) ||
        n->length >= sizeof text)
        return fail(r, n, "times are whole numbers, or all have a decimal point");
    memcpy(text, pl_node_text(&r->data, n), n->length);
    text[n->length] = '\0';
    double time = strtod(text, &end);
    if (*end || !(time < 9e9 && time > -9e9))
        return fail(r, n, "this is not a time");
    b->real_times = true;
    *out = (int64_t)(time * 1e9);
    return PL_OK;
}

/* Porcupine's input: {"op": …, "value": …}, or ["enq", 1], or just "deq". */
static enum pl_status open_input(struct records *r)
{
    const struct pl_node *n = r->at[INPUT];
    if (!n)
        return PL_OK;
    if (n->kind == PL_NODE_MAP) {
        gather(r, n);
    } else if (n->kind == PL_NODE_LIST && n->members) {
        struct pl_node *list = &r->data.node[n - r->data.node];
        r->at[NAME] = node(r, n->first);
        list->first = r->data.node[n->first].next; /* what is left are the arguments */
        list->members--;
        r->at[ARGUMENTS] = list;
    } else {
        r->at[NAME] = n;
    }
    return PL_OK;
}

static enum pl_status read_operation(struct records *r, const struct pl_node *record)
{
    struct pl_builder *b = r->b;
    uint32_t thread;
    int64_t call = 0, ret = 0;
    if (!read_thread(r, &thread))
        return fail(r, record, "the record has no thread (thread, process, ClientId)");
    const struct pl_node *done = r->at[RETURN], *failed = r->at[TYPE];
    bool pending =
        !done || done->kind == PL_NODE_NIL || (done->kind == PL_NODE_NUMBER && done->number < 0);
    enum pl_status status = read_time(r, r->at[CALL], &call);
    if (!status && !pending)
        status = read_time(r, done, &ret);
    if (!status)
        status = open_input(r);
    if (status)
        return status;
    if (!pending && ret < call)
        return fail(r, done, "the operation returns before it is called");
    const struct pl_word *word = read_name(r, record);
    if (!word)
        return b->error->status;
    struct pl_operation *o = pl_history_add(b->history);
    o->code = word->code;
    o->thread = thread;
    o->line = b->input->line;
    status = read_arguments(r, word, record, o);
    if (status)
        return status;
    pl_builder_stamp(b, call, (b->history->count - 1) * 2);
    if (pending)
        return PL_OK;
    pl_builder_stamp(b, ret, (b->history->count - 1) * 2 + 1);
    if (failed && failed->length == 4 && memcmp(pl_node_text(&r->data, failed), "fail", 4) == 0) {
        pl_builder_settle(b, o, word, PL_END_FAIL);
        return PL_OK;
    }
    if (r->at[OUTPUT]) { /* what was the input's is not the output's */
        r->at[VALUE] = r->at[RESULT] = NULL;
        if (r->at[OUTPUT]->kind == PL_NODE_MAP)
            gather(r, r->at[OUTPUT]);
    } else if (r->at[RESULT]) {
        r->at[VALUE] = NULL;
    }
    return read_result(r, word, record, o);
}

static enum pl_status read_record(struct records *r)
{
    const struct pl_node *record = &r->data.node[1];
    if (record->kind != PL_NODE_MAP)
        return fail(r, record, "a record in braces should be here");
    memset(r->at, 0, sizeof r->at);
    gather(r, record);
    const struct pl_node *call = r->at[CALL];
    if (call && call->kind != PL_NODE_NUMBER && call->kind != PL_NODE_REAL)
        return fail(r, call, "the time of the call is not a number");
    if (call && r->b->time)
        return fail(r, record, "an operation with its times after events without");
    if (!call && r->b->stamps)
        return fail(r, record, "an event without a time after operations with theirs");
    return call ? read_operation(r, record) : read_event(r, record);
}

static enum pl_status read_all(struct records *r)
{
    struct pl_builder *b = r->b;
    char c, close = 0;
    bool first = true, comma = true, any = false;
    for (;;) {
        enum pl_status status = pl_data_peek(&r->data, &c, b->error);
        if (status)
            return status;
        if (b->how->stop && *b->how->stop)
            return pl_fail(b->error, PL_ERR_LIMIT, "interrupted");
        if (c == '\0') {
            if (b->input->at < b->input->end || close)
                return pl_input_fail(b->input, b->input->at, b->error,
                                     close ? "the list is not closed" : "a byte of zero");
            return PL_OK;
        }
        if (close && c == close) {
            if (comma && any && !r->data.edn)
                return pl_input_fail(b->input, b->input->at, b->error,
                                     "a record is missing after the comma");
            pl_data_pass(&r->data);
            close = 0;
            comma = true;
            continue;
        }
        if (first && (c == '[' || c == '(')) {
            first = false;
            close = c == '[' ? ']' : ')';
            pl_data_pass(&r->data);
            continue;
        }
        if (c == ',' && !comma) {
            pl_data_pass(&r->data);
            comma = true;
            continue;
        }
        if (close && !comma && !r->data.edn)
            return pl_input_fail(b->input, b->input->at, b->error, "a comma is missing here");
        status = pl_data_read(&r->data, b->error);
        if (!status)
            status = read_record(r);
        if (status)
            return status;
        pl_data_done(&r->data);
        first = comma = false;
        any = true;
    }
}

enum pl_status pl_read_records(struct pl_builder *b, bool edn)
{
    struct records r = {.b = b};
    pl_data_init(&r.data, b->input, edn);
    pl_names_init(&r.fields);
    for (unsigned i = 0; i < FIELDS; i++)
        for (const char *name = field_names[i]; *name;) {
            size_t length = strcspn(name, "|");
            pl_names_add(&r.fields, name, length, (uint8_t)i);
            name += length + (name[length] == '|');
        }
    enum pl_status status = read_all(&r);
    pl_names_release(&r.fields);
    pl_data_release(&r.data);
    return status;
}
