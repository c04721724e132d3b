// expect: pass
// compilers: own gcc (clang calls a hook before a load that it has moved out of a loop)
/* To write a bit-field is to load and store the ones beside it: those are not read. All of them are
   set in the end, and then copied, with what is between them. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

struct node {
    unsigned used : 1, kind : 3, level : 4;
    int number : 5;
    unsigned wide : 20;
    unsigned long long size : 40, rest : 24;
    volatile unsigned seen : 3, told : 9;
};
struct __attribute__((packed)) dense {
    char first;
    unsigned low : 13, high : 19;
    unsigned long long size : 50;
};

static struct node *make(int kind)
{
    struct node *node = launder(malloc(sizeof *node));
    node->used = 1;
    node->kind = (unsigned)kind & 7;
    node->level = kind > 2 ? 4 : 5;
    node->number = -kind;
    for (int i = 0; i < kind; i++)
        node->wide = (unsigned)i;
    node->size = 1000;
    node->rest = 7;
    node->seen = 2;
    node->told = 300;
    return launder(node);
}

static int right(const struct node *node)
{
    return node->used && node->kind == 3 && node->level == 4 && node->number == -3 &&
           node->wide == 2 && node->size == 1000 && node->rest == 7 && node->seen == 2 &&
           node->told == 300;
}

int main(void)
{
    struct node *node = make(3), *other = launder(malloc(sizeof *other)), copy = *node;
    memcpy(other, node, sizeof *other);
    struct dense *dense = launder(malloc(sizeof *dense));
    dense->low = 12;
    dense->high = 13;
    dense->size = 14;
    int well = right(node) && right(other) && right(launder(&copy)) && dense->low == 12 &&
               dense->high == 13 && dense->size == 14;
    node->used = 0;
    node->kind++;
    well = well && node->kind == 4 && node->level == 4 && !node->used;
    free(dense);
    free(other);
    free(node);

    /* Only a part is set, and looked at. */
    node = launder(malloc(sizeof *node));
    other = launder(malloc(sizeof *other));
    node->used = 1;
    memcpy(other, node, sizeof *other);
    well = well && node->used && other->used;
    free(other);
    free(node);
    return !well;
}
