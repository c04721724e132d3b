/* Bit-fields: what is used of a load, what a store puts back. */
struct fields {
    unsigned used : 1, kind : 3, level : 4;
    int number;
};

// expect write_one: bits_used(ptr%) read1 write1 bits_kept bits_used,read1,write1,bits_kept
// expect write_one -O1 -O2: bits_used(i641,i640) bits_kept(i641,i64241)
void write_one(struct fields *f, unsigned kind)
{
    f->kind = kind;
}
// expect read_one: bits_used,read1 !bits_kept bits_used(i641,i6414)
unsigned read_one(struct fields *f)
{
    return f->kind;
}
// The bits that are looked at are used, in spite of the store.
// expect both -O1 -O2: bits_used(i641,i64240) bits_kept
unsigned both(struct fields *f, unsigned kind)
{
    f->kind = kind;
    return f->level;
}
// expect add -O0: bits_kept bits_used(i641,i6414)
void add(struct fields *f)
{
    f->kind++;
}
// expect whole: read4 !bits_used !bits_kept
int whole(struct fields *f)
{
    return f->number;
}
// A number that is masked is as good as any: from -O1 on it is known to be no bit-field.
// expect masked -O1 -O2: read4 !bits_used
int masked(struct fields *f)
{
    return f->number & 6;
}
// expect set: bits_used(i648,i640) bits_kept(i648,i64-5)
void set(unsigned long *word)
{
    *word |= 4;
}
// Which bits are put back is not known.
// expect set_some: bits_used(i648,i640) !bits_kept
void set_some(unsigned long *word, unsigned long mask)
{
    *word |= mask;
}
// expect choose -O1 -O2: bits_used(i648,i640) !bits_kept
void choose(unsigned long *word, unsigned long mask, int on)
{
    if (on)
        *word |= mask;
    else
        *word &= ~mask;
}
// expect again: bits_used
// expect again -O2: bits_used(i641,i640)
void again(struct fields *f, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        f->kind = i;
}
// expect elsewhere: read8 write8 !bits_kept
// expect elsewhere -O1 -O2: !bits_used
void elsewhere(unsigned long *word)
{
    word[1] = word[0] | 4;
}
// expect moved: read8 write8 !bits_kept
void moved(unsigned long *word)
{
    *word <<= 1;
}
// expect local: none
unsigned local(unsigned kind)
{
    struct fields f;
    f.kind = kind;
    f.used = 1;
    return f.kind;
}
// expect unchecked: !bits_used !bits_kept
__attribute__((no_sanitize("thread"))) void unchecked(struct fields *f)
{
    f->kind = 1;
}
// With the values passed, too.
// expect valued --plain-values: bits_used,load,store,bits_kept
void valued(struct fields *f, unsigned kind)
{
    f->kind = kind;
}
