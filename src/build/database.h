/*
 * A JSON compilation database (compile_commands.json): how each file is really
 * compiled, and where.
 */
#ifndef PL_BUILD_DATABASE_H
#define PL_BUILD_DATABASE_H

#include "base/status.h"
#include "build/words.h"

struct pl_database;

enum pl_status pl_database_open(struct pl_database **out, const char *path, struct pl_error *error);
void pl_database_free(struct pl_database *database);

/*
 * The command that compiles `file`: its words without the compiler's name, and the
 * directory it runs in (the caller frees). The first entry of a file counts. A file
 * that is not listed is an error that names it.
 */
enum pl_status pl_database_find(const struct pl_database *database, const char *file,
                                struct pl_words *words, char **directory, struct pl_error *error);

#endif
