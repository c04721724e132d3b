/* Responses as they come over the wire, each once: a number stands for one. */
#ifndef PL_CLI_RESPONSES_H
#define PL_CLI_RESPONSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

struct pl_responses {
    struct pl_response_text {
        uint8_t *bytes;
        uint8_t length;
        char *text; /* as it is shown: "-1", "true 7", "" */
    } * at;
    size_t count, room;
};

/* The caller's to free. */
char *pl_response_text(const uint8_t *bytes, unsigned length);

void pl_responses_release(struct pl_responses *responses);
size_t pl_responses_number(struct pl_responses *responses, const uint8_t *bytes, uint8_t length);
/* Does it begin with a value: no void, no list of lists? */
bool pl_response_has_value(const struct pl_response_text *response);
/* Has it an address that is not of the heap, so that it is another one in another program? */
bool pl_response_has_address(const struct pl_response_text *response);

#endif
