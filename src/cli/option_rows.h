/*
 * Options that several commands have, as rows of their tables: the same words everywhere. `s` is
 * what holds the member of the option's name.
 */
#ifndef PL_CLI_OPTION_ROWS_H
#define PL_CLI_OPTION_ROWS_H

#include "cli/options.h"

#define PL_ROW_JSON(s)                                                                             \
    {                                                                                              \
        "--json", "FILE", "write the result for machines, on errors too", PL_OPTION_OUTPUT,        \
            &(s)->json, 0, NULL                                                                    \
    }
#define PL_ROW_TRACE(s)                                                                            \
    {                                                                                              \
        "--trace", "short|full", "leave out steps that do not matter, or nothing", PL_OPTION_WORD, \
            &(s)->trace, 0, NULL                                                                   \
    }
#define PL_ROW_COLOUR(s)                                                                           \
    {                                                                                              \
        "--colour", "auto|always|never", "auto: on a terminal, unless NO_COLOR is set",            \
            PL_OPTION_WORD, &(s)->colour, 0, NULL                                                  \
    }
#define PL_ROW_CC(s)                                                                               \
    {                                                                                              \
        "--cc", "COMPILER", "gcc, clang or a path: its own instrumentation (default: plumb's)",    \
            PL_OPTION_TEXT, &(s)->cc, 0, NULL                                                      \
    }
#define PL_ROW_RACES(s)                                                                            \
    {                                                                                              \
        "--races", PL_RACES_WORDS, "report data races, or let them interleave, or ignore them",    \
            PL_OPTION_WORD, &(s)->races, 0, NULL                                                   \
    }
#define PL_ROW_REUSE(s)                                                                            \
    {                                                                                              \
        "--reuse", PL_REUSE_WORDS, "freed memory is given out again, or never", PL_OPTION_WORD,    \
            &(s)->reuse, 0, NULL                                                                   \
    }
#define PL_ROW_SPURIOUS(s)                                                                         \
    {                                                                                              \
        "--spurious", NULL, "condition waits and weak compare-exchange may fail spuriously",       \
            PL_OPTION_FLAG, &(s)->spurious, 0, NULL                                                \
    }
#define PL_ROW_STEPS(s)                                                                            \
    {                                                                                              \
        "--steps", "N", "limit of one execution (1000000)", PL_OPTION_NUMBER, &(s)->steps, 1, NULL \
    }
#define PL_ROW_HANG_SECONDS(s)                                                                     \
    {                                                                                              \
        "--hang-seconds", "S", "no step in so much processor time is a hang (5)",                  \
            PL_OPTION_SECONDS, &(s)->hang_seconds, 0, NULL                                         \
    }
#define PL_ROW_STACK(s)                                                                            \
    {                                                                                              \
        "--stack", "KIB", "stack of a thread (256)", PL_OPTION_NUMBER, &(s)->stack_kib, 16, NULL   \
    }
#define PL_ROW_UNROLL(s)                                                                           \
    {                                                                                              \
        "--unroll", "N", "go no further than N rounds of a loop; unknown if that cut anything",    \
            PL_OPTION_NUMBER, &(s)->unroll, 1, NULL                                                \
    }

#endif
