// warns: asprintf wcsdup wcscmp
// expect: pass --steps 1000000000
// executions: 40
/* The malloc family: alignment, contents, zeroes, errors. */
#define _GNU_SOURCE
#include "../help.h"
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static int aligned(const void *p, size_t to)
{
    return (uintptr_t)p % to == 0;
}

static void *check(void *unused)
{
    for (size_t n = 0; n < 600; n += n < 70 ? 1 : 61) {
        unsigned char *p = malloc(n);
        assert(p && aligned(p, 16));
        assert(malloc_usable_size(p) >= n);
        memset(p, (int)(n & 255), n);
        unsigned char *z = calloc(n, 3);
        assert(z && aligned(z, 16));
        for (size_t i = 0; i < 3 * n; i++)
            assert(z[i] == 0);
        p = realloc(p, 2 * n + 1); /* grows */
        assert(p && aligned(p, 16));
        for (size_t i = 0; i < n; i++)
            assert(p[i] == (n & 255));
        p = realloc(p, n / 2 + 1); /* shrinks */
        for (size_t i = 0; i < n / 2; i++)
            assert(p[i] == (n & 255));
        memset(z, 1, 3 * n);
        free(p);
        free(z);
    }
    /* calloc gives zeroes also from a block that was used before. */
    for (int i = 0; i < 5; i++) {
        char *p = malloc(40);
        memset(p, 0xff, 40);
        free(p);
        p = calloc(1, 40);
        for (int j = 0; j < 40; j++)
            assert(p[j] == 0);
        free(p);
    }
    for (size_t a = 8; a <= 65536; a *= 2) {
        void *p = NULL;
        assert(posix_memalign(&p, a, 100) == 0 && aligned(p, a));
        memset(p, 1, 100);
        void *q = memalign(a, 33);
        assert(q && aligned(q, a));
        void *r = aligned_alloc(a, 2 * a);
        assert(r && aligned(r, a));
        memset(r, 2, 2 * a);
        r = realloc(r, 3 * a);
        assert(((char *)r)[2 * a - 1] == 2);
        free(q);
        free(p);
        free(r);
    }
    void *unchanged = &unused;
    assert(posix_memalign(&unchanged, 3, 100) == EINVAL);
    assert(posix_memalign(&unchanged, 2, 100) == EINVAL);
    void *page = valloc(10);
    assert(page && aligned(page, 4096));
    free(page);
    page = pvalloc(10);
    assert(page && aligned(page, 4096) && malloc_usable_size(page) >= 4096);
    free(page);

    free(NULL);
    void *p = realloc(NULL, 10); /* is malloc */
    assert(p);
    free(p);
    p = malloc(0);
    void *q = malloc(0);
    assert(p && q && p != q);
    free(p);
    free(q);
    assert(malloc_usable_size(NULL) == 0);

    volatile size_t huge = SIZE_MAX / 2;
    errno = 0;
    assert(launder(malloc(huge)) == NULL && errno == ENOMEM);
    errno = 0;
    assert(launder(calloc(huge, 4)) == NULL && errno == ENOMEM);
    errno = 0;
    char *keeps = malloc(8);
    strcpy(keeps, "keeps");
    assert(reallocarray(keeps, huge, 4) == NULL && errno == ENOMEM);
    assert(realloc(keeps, huge) == NULL && strcmp(keeps, "keeps") == 0);
    keeps = reallocarray(keeps, 100, 4);
    assert(keeps && strcmp(keeps, "keeps") == 0);
    free(keeps);

    char *copy = strdup("a string to copy"), *part = strndup("a string to copy", 8);
    assert(strcmp(copy, "a string to copy") == 0 && strcmp(part, "a string") == 0);
    char *text = NULL;
    assert(asprintf(&text, "%s and %d", part, 42) == 15 && strcmp(text, "a string and 42") == 0);
    wchar_t *wide = wcsdup(L"wide");
    assert(wcscmp(wide, L"wide") == 0);
    free(copy);
    free(part);
    free(text);
    free(wide);
    return unused;
}

int main(void)
{
    pthread_t a = start(check, NULL);
    check(NULL);
    finish(a);
    return 0;
}
