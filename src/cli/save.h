/*
 * A finding in a file: all that is needed to run its execution again.
 *
 * Ownership: a pl_saved owns its JSON; the settings' texts point into it.
 * Errors: PL_ERR_INPUT, "FILE: …", for a file that is not one of ours.
 */
#ifndef PL_CLI_SAVE_H
#define PL_CLI_SAVE_H

#include <jansson.h>

#include "base/status.h"
#include "base/strbuf.h"
#include "cli/settings.h"
#include "result/wire.h"

/* A saved finding as JSON; the caller owns it. The report's text is added later, for it names
   the file. */
json_t *pl_save_make(const struct pl_settings *settings, const struct pl_wire *wire,
                     const struct pl_wire_finding *finding, const char *message);

/* The file to write it to: `--save FILE`, or NAME-N.plumb after the first input with the first
   N that is free or holds this very finding. NULL: it is not to be saved. */
char *pl_save_name(const struct pl_settings *settings, const json_t *saved, size_t number);
enum pl_status pl_save_write(json_t *saved, const char *report, const char *file,
                             struct pl_error *error);

struct pl_saved {
    json_t *json;
    struct pl_settings settings;
    uint64_t execution;
    bool has_choices; /* no: the process died; its execution is found by number and seed */
    uint8_t *choices;
    uint32_t choice_count;
    const char *kind, *message;
    struct pl_report_check report; /* of check; else empty */
    const char **names, **responses;
    uint8_t thread[PL_CHECK_OPERATIONS], event[2 * PL_CHECK_OPERATIONS];
    uint32_t returned;        /* of a history: bit per call */
    const char *steps, *spec; /* again.h */
};

enum pl_status pl_saved_read(struct pl_saved *out, const char *file, struct pl_error *error);
void pl_saved_release(struct pl_saved *saved);

/* Appends a line for each source that is not as it was. */
void pl_saved_changes(const struct pl_saved *saved, struct pl_strbuf *out);

/* choices.c: one byte a choice <-> a compact text. */
void pl_choices_text(const uint8_t *choices, size_t count, struct pl_strbuf *out);
bool pl_choices_parse(const char *text, uint8_t **choices, uint32_t *count);

#endif
