/* What the programs of this directory share: each says one number below 32 with outcome(). */
#include <errno.h>
#include <time.h>

#include "../rounds/rounds.h"
