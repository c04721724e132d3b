/* Integers as they are written in C: see literal.h. */
#include "plan/literal.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 80 }; /* 64 binary digits, a prefix, a suffix */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static void trim(const char **text, size_t *length)
{
    while (*length && isspace((unsigned char)**text))
        ++*text, --*length;
    while (*length && isspace((unsigned char)(*text)[*length - 1]))
        --*length;
}

/* u, l, ll, z in any order and case: what is no suffix the compiler refuses. */
static bool is_suffix(const char *text)
{
    return strspn(text, "uUlLzZ") == strlen(text);
}

/* With the sign before it; the least number has one more behind its sign than the greatest. */
static bool read_digits(const char *text, size_t length, bool negative, int64_t *out)
{
    char digits[LONGEST], *end;
    size_t used = 0;
    if (!length || length >= sizeof digits || !isdigit((unsigned char)text[0]))
        return false;
    for (size_t i = 0; i < length; i++)
        if (text[i] != '\'')
            digits[used++] = text[i];
    digits[used] = '\0';
    bool binary = digits[0] == '0' && (digits[1] == 'b' || digits[1] == 'B');
    if (binary && digits[2] != '0' && digits[2] != '1')
        return false;
    errno = 0;
    unsigned long long value = strtoull(digits + (binary ? 2 : 0), &end, binary ? 2 : 0);
    if (errno || value > (unsigned long long)INT64_MAX + negative || !is_suffix(end))
        return false;
    /* What is unsigned in C has another value with a sign, or as an int. */
    bool based = digits[0] == '0' && !strpbrk(end, "lL") && value > INT32_MAX;
    if ((based && value <= UINT32_MAX) || (negative && strpbrk(end, "uU")))
        return false;
    *out = (int64_t)(negative ? 0 - value : value);
    return true;
}

/* 'a', '\n', '\0', '\x1b'; not what has several characters, nor what is not ASCII. */
static bool read_character(const char *text, size_t length, int64_t *out)
{
    static const char letters[] = "abefnrtv\\'\"?", means[] = "\a\b\033\f\n\r\t\v\\'\"?";
    if (length < 3 || text[0] != '\'' || text[length - 1] != '\'')
        return false;
    text++;
    length -= 2;
    if (text[0] != '\\') {
        *out = text[0];
        return length == 1 && isprint((unsigned char)text[0]) && text[0] != '\'';
    }
    char digits[4] = "", *end;
    bool hexadecimal = length > 1 && text[1] == 'x';
    size_t start = hexadecimal ? 2 : 1;
    const char *letter = length == 2 ? strchr(letters, text[1]) : NULL;
    if (letter && *letter) {
        *out = means[letter - letters];
        return true;
    }
    if (length <= start || length - start >= sizeof digits || !isxdigit((unsigned char)text[start]))
        return false;
    memcpy(digits, text + start, length - start);
    *out = strtol(digits, &end, hexadecimal ? 16 : 8);
    return !*end && *out < 128;
}

static bool is(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

static bool read_signed(const char *text, size_t length, bool negative, int64_t *out)
{
    trim(&text, &length);
    if (length > 1 && text[0] == '(' && text[length - 1] == ')')
        return read_signed(text + 1, length - 2, negative, out);
    if (length > 1 && (text[0] == '-' || text[0] == '+') && text[1] != text[0])
        return read_signed(text + 1, length - 1, negative != (text[0] == '-'), out);
    if (read_digits(text, length, negative, out))
        return true;
    *out = is(text, length, "true");
    if (!*out && !is(text, length, "false") && !read_character(text, length, out))
        return false;
    *out = negative ? -*out : *out;
    return true;
}

bool pl_literal_read(const char *text, size_t length, int64_t *out)
{
    return read_signed(text, length, false, out);
}

/* The length of what starts here: a word or a number, a string or a character, else one. */
static size_t token(const char *text, size_t length)
{
    size_t end = 1;
    if (*text == '"' || *text == '\'') {
        while (end < length && text[end] != *text)
            end += text[end] == '\\' && end + 1 < length ? 2 : 1;
        return end < length ? end + 1 : length;
    }
    bool number = isdigit((unsigned char)*text);
    while (is_word(*text) && end < length &&
           (is_word(text[end]) || (number && strchr(".'", text[end]))))
        end++;
    return end;
}

/* Where the number starts with the sign in front of it, if that is not between two. */
static const char *with_sign(const char *text, const char *number)
{
    const char *sign = number, *before;
    while (sign > text && isspace((unsigned char)sign[-1]))
        sign--;
    if (sign == text || (sign[-1] != '-' && sign[-1] != '+'))
        return number;
    before = --sign;
    while (before > text && isspace((unsigned char)before[-1]))
        before--;
    return before == text || strchr("(,{[=?:<>|&!;", before[-1]) ? sign : number;
}

size_t pl_literal_find(const char *text, size_t length, const char **at)
{
    size_t found = 0;
    int64_t value;
    for (size_t i = 0, size; i < length; i += size) {
        size = token(text + i, length - i);
        bool is_number = isdigit((unsigned char)text[i]) || text[i] == '\'';
        if (!is_number || !pl_literal_read(text + i, size, &value))
            continue;
        *at = with_sign(text, text + i);
        found = (size_t)(text + i + size - *at);
    }
    return found;
}
