/* "did you mean": edit distance with swaps of neighbours. */
#include <string.h>

#include "cli/options.h"

enum { LONGEST = 40 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t distance(const char *a, const char *b)
{
    size_t rows[LONGEST + 1][LONGEST + 1];
    size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST)
        return LONGEST;
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                rows[i][j] = i + j;
                continue;
            }
            size_t best = least(rows[i - 1][j], rows[i][j - 1]) + 1;
            best = least(best, rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = least(best, rows[i - 2][j - 2] + 1);
            rows[i][j] = best;
        }
    return rows[n][m];
}

const char *pl_nearest(const char *word, const char *const *words, size_t count)
{
    const char *nearest = NULL;
    size_t best = strlen(word) / 3 + 1; /* must be nearer than this */
    for (size_t i = 0; i < count; i++) {
        size_t d = distance(word, words[i]);
        if (d <= best && (!nearest || d < best)) {
            best = d;
            nearest = words[i];
        }
    }
    return nearest;
}
