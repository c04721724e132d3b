/* Plain and volatile accesses: which hook, and which have none. */
#include <string.h>

struct packed {
    char c;
    int i;
    long l;
} __attribute__((packed));
struct big {
    long a[5];
};
struct node {
    struct node *next;
    int locked;
};
typedef int v8 __attribute__((vector_size(32)));

// expect read1: read1 !write1
char read1(char *p)
{
    return *p;
}
// expect read2: read2
short read2(short *p)
{
    return *p;
}
// expect read4: read4
int read4(int *p)
{
    return *p;
}
// expect read8: read8
long read8(long *p)
{
    return *p;
}
// expect read16: read16
__int128 read16(__int128 *p)
{
    return *p;
}
// expect write1: write1
void write1(char *p)
{
    *p = 1;
}
// expect write2: write2
void write2(short *p)
{
    *p = 1;
}
// expect write4: write4
void write4(float *p)
{
    *p = 1;
}
// expect write8: write8
void write8(double *p)
{
    *p = 1;
}
// expect write16: write16
void write16(__int128 *p)
{
    *p = 1;
}
// expect count: read4 write4 read4,write4
void count(int *p)
{
    (*p)++;
}
// expect unaligned: unaligned_read4 unaligned_write8 write1 !write8
int unaligned(struct packed *p)
{
    p->c = 1;
    p->l = 2;
    return p->i;
}
// expect extended: write_range(i6410) !write16
void extended(long double *p)
{
    *p = 1;
}
// expect vectors: read_range(i6432) write_range(i6432)
// compile: -mavx
void vectors(v8 *p, v8 *q)
{
    *p = *q;
}

// expect volatile_read: volatile_read4 !read4
int volatile_read(volatile int *p)
{
    return *p;
}
// expect volatile_write: volatile_write8 !write8
void volatile_write(volatile long *p)
{
    *p = 1;
}
// expect volatile_unaligned: unaligned_volatile_read4
int volatile_unaligned(volatile struct packed *p)
{
    return p->i;
}
// expect volatile_read --volatile-values: volatile_load(i644) !volatile_read4
// expect volatile_write --volatile-values: volatile_store(i648) !volatile_write8
// expect volatile_unaligned --volatile-values: unaligned_volatile_read4

// expect read1 --plain-values: load(i641) !read1
// expect read2 --plain-values: load(i642)
// expect read8 --plain-values: load(i648)
// expect write4 --plain-values: store(i644) !write4
// expect write8 --plain-values: store(i648)
// expect write16 --plain-values: write16
// expect count --plain-values: load,store
// expect unaligned --plain-values: store(i641) unaligned_read4
// expect pointer --plain-values: load store !read8
void pointer(struct node **p, struct node **q)
{
    *p = *q;
}
// expect boolean --plain-values: load store
void boolean(_Bool *p, _Bool *q)
{
    *p = *q;
}

// expect fill: memset !write8
void fill(struct big *p)
{
    __builtin_memset(p, 0, 800);
}
// expect copy: memcpy
void copy(struct big *p, struct big *q)
{
    __builtin_memcpy(p, q, 800);
}
// expect move: memmove
void move(struct big *p, struct big *q)
{
    __builtin_memmove(p, q, 800);
}
// expect assign: memcpy
void assign(struct big *p, struct big *q)
{
    *p = *q;
}
// expect called: call(@memcpy)
void called(struct big *p, struct big *q)
{
    memcpy(p, q, sizeof *p);
}

void by_value(struct big b);
// expect pass: read_range(i6440) call(@by_value)
void pass(struct big *p)
{
    by_value(*p);
}

static const int table[] = {3, 1, 4, 1, 5};
static int variable[5];
static __thread int own;
// expect constant: none
int constant(int i)
{
    return table[i];
}
// expect global: read4 write4
int global(int i)
{
    variable[i] = 1;
    return variable[1];
}
// expect thread_local_: read4
int thread_local_(void)
{
    return own;
}

// expect local: none
int local(int n)
{
    int a[4] = {1, 2, 3, 4};
    a[n & 3] = 7;
    return a[n & 1];
}
// expect volatile_local: none
int volatile_local(int n)
{
    volatile int v = n;
    return v;
}
void use(struct node *);
// expect escaped: write4 write8 read4
int escaped(void)
{
    struct node n;
    n.next = 0;
    n.locked = 1;
    use(&n);
    return n.locked;
}
// expect later: write4
void later(struct node **where)
{
    struct node n;
    n.locked = 1;
    *where = &n;
    use(*where);
}

// expect unchecked: local_write call(null) !write4 !read4
__attribute__((no_sanitize("thread"))) void unchecked(int *p, int *q)
{
    *p = *q;
}
