// expect: pass --steps 1000000000
// executions: 2
/* String and memory functions of every length from 0 to 1000 against naive loops, on heap blocks
 * of exactly that length (a read past the end would be seen). */
#define _GNU_SOURCE
#include "../help.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int n)
{
    return n < 0 ? -1 : n > 0;
}

static int naive_compare(const unsigned char *a, const unsigned char *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static void fill(unsigned char *p, size_t n, unsigned salt)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (unsigned char)(1 + (i * 31 + salt) % 250);
}

static void memory(size_t n)
{
    unsigned char *a = malloc(n), *b = malloc(n), *naive = malloc(n);
    fill(a, n, (unsigned)n);
    assert(memcpy(b, a, n) == b && naive_compare(a, b, n) == 0 && memcmp(a, b, n) == 0);
    assert(mempcpy(b, a, n) == b + n);
    if (n > 0) {
        b[n - 1] ^= 1;
        assert(sign(memcmp(a, b, n)) == naive_compare(a, b, n));
        b[n - 1] ^= 1;
        b[n / 2] ^= 128;
        assert(sign(memcmp(a, b, n)) == naive_compare(a, b, n));
        assert(memchr(a, a[n - 1], n) != NULL && memchr(a, 0, n) == NULL);
        assert(memrchr(a, a[0], n) != NULL);
        a[n - 1] = 0;
        assert(memchr(a, 0, n) == a + n - 1 && rawmemchr(a, 0) == a + n - 1);
        fill(a, n, (unsigned)n);
    }
    size_t shift = n / 3;
    memcpy(b, a, n);
    for (size_t i = 0; i < n; i++)
        naive[i] = i < shift ? a[i] : a[i - shift];
    memmove(b + shift, b, n - shift); /* overlaps forward */
    assert(naive_compare(b, naive, n) == 0);
    memcpy(b, a, n);
    for (size_t i = 0; i < n; i++)
        naive[i] = i < n - shift ? a[i + shift] : a[i];
    memmove(b, b + shift, n - shift); /* and backward */
    assert(naive_compare(b, naive, n) == 0);
    assert(memset(b, 0xa5, n) == b);
    for (size_t i = 0; i < n; i++)
        assert(b[i] == 0xa5);
    bzero(b, n);
    for (size_t i = 0; i < n; i++)
        assert(b[i] == 0);
    if (n >= 8)
        assert(memmem(a, n, a + n - 4, 4) != NULL);
    free(a);
    free(b);
    free(naive);
}

static void strings(size_t n)
{
    char *a = malloc(n + 1), *b = malloc(n + 1), *c = malloc(2 * n + 1);
    fill((unsigned char *)a, n, 7);
    a[n] = 0;
    assert(strlen(a) == n && strnlen(a, n + 1) == n && strnlen(a, n / 2) == n / 2);
    assert(strcpy(b, a) == b && naive_compare((void *)a, (void *)b, n + 1) == 0);
    assert(strcmp(a, b) == 0 && strncmp(a, b, n + 5) == 0 && stpcpy(b, a) == b + n);
    assert(strcat(strcpy(c, a), b) == c && strlen(c) == 2 * n);
    c[0] = 0;
    strncat(c, a, n / 2);
    assert(strlen(c) == n / 2);
    memset(c, 'x', 2 * n);
    strncpy(c, a, 2 * n); /* pads with zeroes */
    for (size_t i = n; i < 2 * n; i++)
        assert(c[i] == 0);
    assert(strchr(a, 0) == a + n && strchrnul(a, 0) == a + n && strrchr(a, 0) == a + n);
    assert(strchr(a, 255) == NULL && strspn(a, a) == n && strcspn(a, "\xfe\xff") == n);
    assert(strstr(a, "") == a && strstr(a, b) == a && strpbrk(a, "\xfe\xff") == NULL);
    if (n > 0) {
        assert(strchr(a, a[0]) == a && *strrchr(a, a[n - 1]) == a[n - 1]);
        b[n - 1] ^= 1;
        assert(sign(strcmp(a, b)) == naive_compare((void *)a, (void *)b, n));
        assert(strncmp(a, b, n - 1) == 0);
        assert(strstr(a, a + n - 1) != NULL);
        char *copy = strdup(a), *part = strndup(a, n - 1);
        assert(strcmp(copy, a) == 0 && strlen(part) == n - 1);
        free(copy);
        free(part);
    }
    for (size_t i = 0; i < n; i++)
        b[i] = (char)toupper(a[i] = (char)('a' + i % 26));
    assert(strcasecmp(a, b) == 0 && strncasecmp(a, b, n) == 0);
    free(a);
    free(b);
    free(c);
}

int main(void)
{
    for (size_t n = 0; n <= 1000; n++) {
        memory(n);
        strings(n);
    }
    return 0;
}
