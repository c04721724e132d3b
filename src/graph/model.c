/* The memory models by name. */
#include <string.h>

#include "graph/graph.h"

const struct pl_model *pl_model_named(const char *name)
{
    static const struct pl_model *const models[] = {&pl_model_sc, &pl_model_tso, &pl_model_rc11};
    for (unsigned i = 0; i < sizeof models / sizeof *models; i++)
        if (strcmp(models[i]->name, name) == 0)
            return models[i];
    return NULL;
}
