/*
 * Bit-fields. To write one the compiler loads what is there, puts the new bits in and stores it
 * all again: the bits beside it are carried along, not read. In fresh memory nobody has written
 * those, and that is no error. So of every load is found which of its bits are used, besides
 * being put back where they were, and of every store which bits it only puts back:
 *
 *     x = load p;  y = x & ~14 | v << 1 & 14;  store y, p      used: none   put back: all but 14
 *     x = load p;  y = x >> 1 & 7                              used: 14
 *
 * The walk is from the load along and, or, xor, shifts, casts, select and phi. Everything else
 * uses the bits, and so does a store to another place or of bits that were moved. Where it does
 * not know (the other operand of an or is no constant) a bit counts as carried along, but not as
 * put back: as if it were written. That loses undefined bits and makes none.
 */
#include <stdlib.h>

#include "base/status.h"
#include "instrument/function.h"

struct walk {
    struct pl_function *f;
    LLVMValueRef load, address;
    unsigned width; /* of the load, in bits */
    uint64_t used;
    bool stored;    /* some of it is put back */
    unsigned steps; /* a limit for all values together */
    struct phi {    /* followed already: they may form cycles */
        LLVMValueRef value;
        uint64_t bits;
        int shift;
    } phi[16];
    unsigned phis;
};

/* Bits of the load that are in a value, `shift` places up from where they were. */
struct carried {
    uint64_t bits; /* which have a part in it */
    uint64_t same; /* of these: those that are there as they were */
    int shift;
};

static uint64_t ones(unsigned width)
{
    return width >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << width) - 1;
}

static unsigned width_of(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

/* From places in the value to places in the load. */
static uint64_t back(uint64_t bits, int shift)
{
    if (shift <= -64 || shift >= 64)
        return 0;
    return shift >= 0 ? bits >> shift : bits << -shift;
}

static uint64_t there(uint64_t bits, int shift)
{
    return back(bits, -shift);
}

/* Which bits of the value may be set? */
static uint64_t may_be_set(LLVMValueRef value, unsigned depth)
{
    unsigned width = width_of(value);
    uint64_t all = ones(width);

    if (LLVMIsAConstantInt(value) && width <= 64)
        return LLVMConstIntGetZExtValue(value);
    if (!LLVMIsAInstruction(value) || width == 0 || width > 64 || depth == 8)
        return all;
    LLVMValueRef first = LLVMGetOperand(value, 0);
    LLVMOpcode code = LLVMGetInstructionOpcode(value);
    if (code == LLVMZExt || code == LLVMTrunc)
        return width_of(first) > 64 ? all : may_be_set(first, depth + 1) & all;
    if (code != LLVMAnd && code != LLVMOr && code != LLVMShl && code != LLVMLShr)
        return all;
    LLVMValueRef second = LLVMGetOperand(value, 1);
    if (code == LLVMAnd)
        return may_be_set(first, depth + 1) & may_be_set(second, depth + 1);
    if (code == LLVMOr)
        return may_be_set(first, depth + 1) | may_be_set(second, depth + 1);
    if (!LLVMIsAConstantInt(second) || LLVMConstIntGetZExtValue(second) >= width)
        return all;
    unsigned by = (unsigned)LLVMConstIntGetZExtValue(second);
    uint64_t bits = may_be_set(first, depth + 1);
    return (code == LLVMShl ? bits << by : bits >> by) & all;
}

static void note(struct pl_function *f, LLVMValueRef access, uint64_t bits)
{
    for (size_t i = 0; i < f->bits_count; i++)
        if (f->bits[i].access == access) {
            f->bits[i].bits |= bits;
            return;
        }
    struct pl_bits *bigger = realloc(f->bits, (f->bits_count + 1) * sizeof *bigger);
    PL_ASSERT(bigger != NULL);
    f->bits = bigger;
    f->bits[f->bits_count++] = (struct pl_bits){.access = access, .bits = bits};
}

static void follow(struct walk *w, LLVMValueRef value, struct carried c);

/* And, or, xor with `other`. */
static void combine(struct walk *w, LLVMValueRef user, LLVMValueRef other, struct carried c)
{
    LLVMOpcode code = LLVMGetInstructionOpcode(user);
    bool fixed = LLVMIsAConstantInt(other) != NULL;
    uint64_t may = back(may_be_set(other, 0), c.shift);

    if (code == LLVMAnd) {
        c.bits &= may;
        c.same = fixed ? c.same & may : 0;
    } else {
        c.bits &= code == LLVMOr && fixed ? ~may : ~(uint64_t)0;
        c.same &= ~may;
    }
    follow(w, user, c);
}

/* Is the highest bit of an integer among these of the load? Of a vector that is not known. */
static bool has_sign(LLVMValueRef value, struct carried c)
{
    unsigned width = width_of(value);
    return width == 0 || width > 64 || (there(c.bits, c.shift) >> (width - 1) & 1);
}

static void shift(struct walk *w, LLVMValueRef user, struct carried c)
{
    LLVMOpcode code = LLVMGetInstructionOpcode(user);
    unsigned width = width_of(user);
    LLVMValueRef by = LLVMGetOperand(user, 1);
    /* The highest bit goes to several places. */
    bool spreads = code == LLVMAShr && has_sign(user, c);

    if (!LLVMIsAConstantInt(by) || LLVMConstIntGetZExtValue(by) >= width || spreads) {
        w->used |= c.bits;
        return;
    }
    int places = (int)LLVMConstIntGetZExtValue(by);
    uint64_t now = there(c.bits, c.shift);
    now = code == LLVMShl ? now << places & ones(width) : now >> places;
    c.shift += code == LLVMShl ? places : -places;
    c.bits &= back(now, c.shift);
    follow(w, user, c);
}

static void put_back(struct walk *w, LLVMValueRef store, struct carried c)
{
    bool here = pl_same_place(w->f->unit, LLVMGetOperand(store, 1), w->address) &&
                width_of(LLVMGetOperand(store, 0)) == w->width &&
                !LLVMGetVolatile(store) == !LLVMGetVolatile(w->load) && c.shift == 0;

    if (here && !pl_is_atomic(store)) {
        w->stored = true;
        note(w->f, store, c.bits & c.same);
    } else {
        w->used |= c.bits;
    }
}

/* Has the phi node been followed with these bits? If there is no room the limit ends it. */
static bool is_followed(struct walk *w, LLVMValueRef phi, const struct carried *c)
{
    for (unsigned i = 0; i < w->phis; i++)
        if (w->phi[i].value == phi && w->phi[i].shift == c->shift) {
            bool all = !(c->bits & ~w->phi[i].bits);
            w->phi[i].bits |= c->bits;
            return all;
        }
    if (w->phis < sizeof w->phi / sizeof *w->phi)
        w->phi[w->phis++] = (struct phi){phi, c->bits, c->shift};
    return false;
}

static void use(struct walk *w, LLVMValueRef user, unsigned operand, struct carried c)
{
    LLVMValueRef value = LLVMGetOperand(user, operand);

    switch ((int)LLVMGetInstructionOpcode(user)) {
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        combine(w, user, LLVMGetOperand(user, !operand), c);
        return;
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
        if (operand == 0) {
            shift(w, user, c);
            return;
        }
        break;
    case LLVMSExt:
        if (has_sign(value, c))
            break;
        follow(w, user, c);
        return;
    case LLVMZExt:
    case LLVMTrunc:
    case LLVMFreeze:
        follow(w, user, c);
        return;
    case LLVMSelect:
        if (operand == 0)
            break;
        c.same = 0; /* the other one may be taken */
        follow(w, user, c);
        return;
    case LLVMPHI:
        c.same = 0; /* likewise; and it may be of another round, with another address */
        if (!is_followed(w, user, &c))
            follow(w, user, c);
        return;
    case LLVMStore:
        if (operand == 0) {
            put_back(w, user, c);
            return;
        }
        break;
    default:
        break;
    }
    w->used |= c.bits;
}

/* What is done with `value`, which has these bits of the load. */
static void follow(struct walk *w, LLVMValueRef value, struct carried c)
{
    enum { MOST = 200 };
    unsigned width = width_of(value);

    if (width == 0 || width > 64 || ++w->steps > MOST) {
        w->used |= c.bits;
        return;
    }
    c.bits &= back(ones(width), c.shift);
    c.same &= c.bits;
    for (LLVMUseRef i = LLVMGetFirstUse(value); i && c.bits; i = LLVMGetNextUse(i)) {
        LLVMValueRef user = LLVMGetUser(i);
        int operands = LLVMGetNumOperands(user);
        for (int k = 0; k < operands; k++)
            if (LLVMGetOperand(user, (unsigned)k) == value)
                use(w, user, (unsigned)k, c);
    }
}

static void look_at(struct pl_function *f, LLVMValueRef load)
{
    unsigned width = width_of(load);
    if (width == 0 || width > 64 || width % 8 || pl_is_atomic(load))
        return;
    struct walk w = {.f = f, .load = load, .address = pl_address_of(load), .width = width};
    uint64_t all = ones(width);
    size_t before = f->bits_count;

    if (pl_is_local(f->unit, &f->locals, w.address))
        return;
    follow(&w, load, (struct carried){.bits = all, .same = all});
    /* Only bit-fields are loads of which it is not said what type they are (from -O1 on). */
    bool announced = w.stored || !LLVMGetMetadata(load, f->unit->tbaa);
    if ((w.used & all) != all && announced && (w.used || w.stored))
        note(f, load, w.used & all);
    else
        f->bits_count = before;
}

void pl_bits_find(struct pl_function *f)
{
    for (uint32_t b = 0; b < f->cfg.block_count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(f->cfg.block[b].at); i;
             i = LLVMGetNextInstruction(i))
            if (LLVMIsALoadInst(i))
                look_at(f, i);
}

void pl_announce_bits(const struct pl_function *f, LLVMValueRef access, LLVMValueRef address,
                      uint64_t size)
{
    const struct pl_unit *u = f->unit;

    for (size_t i = 0; i < f->bits_count; i++) {
        if (f->bits[i].access != access)
            continue;
        bool store = LLVMIsAStoreInst(access) != NULL;
        LLVMValueRef arguments[] = {address, pl_word(u, size), pl_word(u, f->bits[i].bits)};
        if (!store || f->bits[i].bits)
            (void)pl_call(u, store ? "__plumb_bits_kept" : "__plumb_bits_used", u->none, arguments,
                          3);
        return;
    }
}
