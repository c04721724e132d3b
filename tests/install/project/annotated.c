#include <plumb.h>

int annotated(void);
int annotated(void)
{
    return 0;
}
