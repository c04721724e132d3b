/* Operations that a spec knows by other names: see check_parts.h. */
#include <stdlib.h>
#include <string.h>

#include "cli/check_parts.h"

/* Length of what the names of all calls begin with, up to an underscore: queue_put, queue_take. */
static size_t common_prefix(const struct pl_call *calls, size_t count)
{
    size_t length = count ? pl_call_name_length(&calls[0]) : 0;
    for (size_t i = 1; i < count; i++) {
        size_t same = 0;
        while (same < length && same < pl_call_name_length(&calls[i]) &&
               calls[i].shown[same] == calls[0].shown[same])
            same++;
        length = same;
    }
    while (length && calls[0].shown[length - 1] != '_')
        length--;
    return length;
}

static void add(struct pl_strbuf *map, const struct pl_call *call, size_t prefix)
{
    int length = (int)pl_call_name_length(call);
    pl_strbuf_addf(map, "%s%.*s=%.*s", map->length ? "," : "", length - (int)prefix,
                   call->shown + prefix, length, call->shown);
}

enum pl_status pl_check_complete_map(struct pl_checker *c, struct pl_error *error)
{
    const struct pl_spec *spec = c->spec ? pl_spec_find(c->spec) : NULL;
    size_t prefix = common_prefix(c->calls, c->count);
    struct pl_names names;
    struct pl_strbuf map;
    if (!spec || !prefix)
        return PL_OK;
    enum pl_status status = pl_names_make(&names, &spec->words, c->map, error);
    pl_strbuf_init(&map);
    pl_strbuf_add(&map, c->map ? c->map : "");
    for (size_t i = 0; i < c->count && !status; i++) {
        const char *name = c->calls[i].shown;
        size_t length = pl_call_name_length(&c->calls[i]);
        int with = pl_names_find(&names, name, length),
            without = pl_names_find(&names, name + prefix, length - prefix);
        if (with < 0 && without >= 0) {
            add(&map, &c->calls[i], prefix);
            pl_names_add(&names, name, length, (uint8_t)without);
        }
    }
    pl_names_release(&names);
    char *made = pl_strbuf_detach(&map);
    pl_texts_add(&c->made, made);
    c->map = made[0] ? made : c->map;
    return status;
}
