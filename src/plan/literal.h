/*
 * Integers as they are written in C and C++: 7, -2, 0x10, 0b11, 017, 1'000, 1u, 'a', '\n', true,
 * and any of them in parentheses.
 */
#ifndef PL_PLAN_LITERAL_H
#define PL_PLAN_LITERAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The value of text[0, length), which may have blanks around it; false: it is something else. */
bool pl_literal_read(const char *text, size_t length, int64_t *out);

/* The last number or character in text[0, length) that stands alone, outside of strings, with its
 * sign: its length, *at is where it starts. 0: there is none. */
size_t pl_literal_find(const char *text, size_t length, const char **at);

#endif
