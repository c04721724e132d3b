/* Findings of the scan to warnings for people. Private to src/build/scan*.c. */
#ifndef PL_BUILD_SCAN_WORDS_H
#define PL_BUILD_SCAN_WORDS_H

#include "build/scan_object.h"
#include "build/words.h"

/* The most warnings that are worded; the rest is counted in one more. */
enum { PL_SCAN_WARNINGS_MAX = 10 };

/* One warning for each place or function, not for each occurrence. */
void pl_scan_word(struct pl_words *warnings, const struct pl_scan_object *objects, size_t count,
                  const struct pl_scan_findings *findings);

#endif
