/*
 * plumb-instrument: bitcode of clang in, an object that calls our runtime out.
 *
 *     plumb-instrument [OPTIONS] FILE.bc -o FILE.o
 *
 * A program of its own, so that plumb itself need not load LLVM. It is run by src/build for
 * every source file; docs/frontends.md says what it does for a user.
 *
 * The passes that run before the instrumentation are few and chosen. Locals are promoted and
 * helpers inlined, so that loop-carried values and loops in helpers are seen; what makes code
 * smaller may follow. Nothing that turns, peels or unrolls loops: a round that is spread over
 * two places is a round that cannot be recognised. Nothing that moves or doubles accesses.
 */
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Support.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instrument/constructors.h"
#include "instrument/cover.h"
#include "instrument/function.h"
#include "instrument/kept.h"
#include "instrument/unit.h"

struct options {
    const char *input, *output;
    unsigned level; /* 0, 1 or 2 */
    bool plain_values, volatile_values, print;
    uint64_t coverage; /* where its bytes are; 0: none */
};

static const char usage[] =
    "usage: plumb-instrument [-O0|-O1|-O2] [--plain-values] [--volatile-values] [--print]\n"
    "                        [--coverage=ADDRESS] FILE.bc -o FILE.o\n"
    "\n"
    "Puts calls of plumb's runtime into LLVM bitcode and makes an object of it. plumb runs it;\n"
    "there is no need to call it by hand.\n"
    "\n"
    "  -O0 -O1 -O2         how much to simplify before; the level clang was called with\n"
    "  --plain-values      plain accesses that may be shared pass their values to the runtime\n"
    "  --volatile-values   so do volatile accesses\n"
    "  --coverage=ADDRESS  a byte from there on for each block and branch, set when it is reached\n"
    "  --print             write the instrumented code as text, no object\n"
    "\n"
    "example: clang-19 -g -O1 -fsanitize=thread -Xclang -disable-llvm-passes -emit-llvm -c a.c\n"
    "         plumb-instrument -O1 a.bc -o a.o\n";

#define COMBINE "instcombine<no-verify-fixpoint>"
#define PROMOTE "always-inline,function(lower-expect,sroa"
#define INLINE  "early-cse,simplifycfg," COMBINE "),cgscc(inline)"
#define SIMPLER "early-cse<memssa>,lower-constant-intrinsics," COMBINE ",simplifycfg,"
static const char *const rest[] = {
    NULL,
    SIMPLER "early-cse<memssa>," COMBINE ",adce,simplifycfg),globaldce",
    SIMPLER "gvn<no-pre;no-load-pre>,dse," COMBINE ",adce,simplifycfg),globaldce",
};

static int fail(const char *what, const char *why)
{
    (void)fprintf(stderr, "plumb-instrument: %s: %s\n", what, why);
    return 1;
}

/* 0: go on; else the exit code plus one. */
static int parse(int argc, char **argv, struct options *o)
{
    *o = (struct options){.level = 1};
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (strcmp(word, "--help") == 0) {
            (void)fputs(usage, stdout);
            return 1;
        }
        if (strcmp(word, "--plain-values") == 0)
            o->plain_values = true;
        else if (strcmp(word, "--volatile-values") == 0)
            o->volatile_values = true;
        else if (strcmp(word, "--print") == 0)
            o->print = true;
        else if (pl_starts(word, "--coverage="))
            o->coverage = strtoull(word + strlen("--coverage="), NULL, 0);
        else if (strcmp(word, "-o") == 0 && i + 1 < argc)
            o->output = argv[++i];
        else if (strlen(word) == 3 && pl_starts(word, "-O") && word[2] >= '0' && word[2] <= '2')
            o->level = (unsigned)(word[2] - '0');
        else if (*word != '-' && !o->input)
            o->input = word;
        else
            return fail(word, "not understood; --help lists the options") + 2;
    }
    if (!o->input || (!o->output && !o->print))
        return fail("usage", "FILE.bc -o FILE.o; --help says more") + 2;
    return 0;
}

/* The last error LLVM told of; a warning is none. */
static void on_diagnostic(LLVMDiagnosticInfoRef info, void *failed)
{
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
        return;
    char *text = LLVMGetDiagInfoDescription(info);
    (void)fprintf(stderr, "error: %s\n", text);
    LLVMDisposeMessage(text);
    *(bool *)failed = true;
}

static LLVMTargetMachineRef make_machine(LLVMModuleRef module, unsigned level, char **why)
{
    /* Of the assembler and the debug information; they have no place in the C interface. */
    static const char *const arguments[] = {"plumb-instrument", "-generate-arange-section",
                                            "-enable-tail-merge=false"};
    const char *triple = LLVMGetTarget(module);
    LLVMTargetRef target;

    LLVMParseCommandLineOptions(sizeof arguments / sizeof *arguments, arguments, NULL);
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
    if (LLVMGetTargetFromTriple(triple, &target, why))
        return NULL;
    return LLVMCreateTargetMachine(target, triple, "x86-64", "",
                                   level ? LLVMCodeGenLevelDefault : LLVMCodeGenLevelNone,
                                   LLVMRelocPIC, LLVMCodeModelDefault);
}

static int run_passes(LLVMModuleRef module, LLVMTargetMachineRef machine, const char *passes)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, passes, machine, options);

    LLVMDisposePassBuilderOptions(options);
    if (!error)
        return 0;
    char *text = LLVMGetErrorMessage(error);
    int code = fail("passes", text);
    LLVMDisposeErrorMessage(text);
    return code;
}

/* The same in parts: whatever looks at memory runs while plain accesses are kept (kept.h), and what
 * only promotes locals in between, when they are not. */
static int simplify_kept(LLVMModuleRef module, LLVMTargetMachineRef machine, const char *last)
{
    int code = run_passes(module, machine, PROMOTE ")");
    pl_kept_begin(module);
    code = code ? code : run_passes(module, machine, "function(" INLINE);
    pl_kept_end(module);
    code = code ? code : run_passes(module, machine, "function(sroa)");
    pl_kept_begin(module);
    code = code ? code : run_passes(module, machine, last);
    pl_kept_end(module);
    return code;
}

static int simplify(LLVMModuleRef module, LLVMTargetMachineRef machine, const struct options *o)
{
    char text[512];
    if (o->level == 0)
        return run_passes(module, machine, "always-inline,function(sroa<preserve-cfg>)");
    (void)snprintf(text, sizeof text, "%sfunction(%s%s",
                   o->plain_values ? "" : PROMOTE "," INLINE ",", o->plain_values ? "" : "sroa,",
                   rest[o->level]);
    return o->plain_values ? simplify_kept(module, machine, text)
                           : run_passes(module, machine, text);
}

/* By this name a scan of the object knows that it is instrumented, even if it has no access. */
static void sign(const struct pl_unit *u)
{
    LLVMTypeRef type = pl_int_type(u, 1);
    LLVMValueRef mark = LLVMAddGlobal(u->module, type, "__plumb_module");

    LLVMSetInitializer(mark, LLVMConstInt(type, 1, false));
    LLVMSetGlobalConstant(mark, true);
    LLVMSetLinkage(mark, LLVMInternalLinkage);
}

static void instrument(LLVMModuleRef module, const struct options *o, struct pl_cover *cover)
{
    struct pl_unit u;

    pl_unit_init(&u, module);
    u.plain_values = o->plain_values;
    u.volatile_values = o->volatile_values;
    u.cover = cover;
    /* Functions that this adds are declarations at the end of the list. */
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && LLVMGetLinkage(f) != LLVMAvailableExternallyLinkage)
            pl_function_instrument(&u, f);
    pl_place_constructors(&u);
    sign(&u);
    pl_cover_end(cover, &u);
    pl_unit_release(&u);
}

static int write_out(LLVMModuleRef module, LLVMTargetMachineRef machine, const struct options *o)
{
    char *text = NULL;

    int code = 0;
    if (LLVMVerifyModule(module, LLVMReturnStatusAction, &text))
        code = fail("a bug of the instrumentation", text);
    LLVMDisposeMessage(text);
    if (code)
        return code;
    if (o->print) {
        text = LLVMPrintModuleToString(module);
        (void)fputs(text, stdout);
        LLVMDisposeMessage(text);
        return fflush(stdout) == 0 ? 0 : fail("standard output", "cannot write");
    }
    char *path = strdup(o->output);
    if (LLVMTargetMachineEmitToFile(machine, module, path, LLVMObjectFile, &text)) {
        code = fail(path, text);
        LLVMDisposeMessage(text);
    }
    free(path);
    return code;
}

/* NULL: the reason is on standard error. */
static LLVMModuleRef read_in(const char *path, LLVMContextRef context)
{
    LLVMMemoryBufferRef bytes;
    LLVMModuleRef module = NULL;
    char *why = NULL;

    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &bytes, &why)) {
        (void)fail(path, why);
        LLVMDisposeMessage(why);
        return NULL;
    }
    if (LLVMParseBitcodeInContext2(context, bytes, &module)) {
        (void)fail(path, "not bitcode that LLVM 19 reads");
        module = NULL;
    }
    LLVMDisposeMemoryBuffer(bytes);
    return module;
}

static int run(const struct options *o, LLVMContextRef context)
{
    bool failed = false;
    char *why = NULL;
    int code = 1;

    LLVMContextSetDiagnosticHandler(context, on_diagnostic, &failed);
    LLVMModuleRef module = read_in(o->input, context);
    if (!module)
        return 1;
    LLVMTargetMachineRef machine = make_machine(module, o->level, &why);
    if (machine) {
        struct pl_cover cover;
        pl_cover_begin(&cover, module, o->coverage);
        code = simplify(module, machine, o);
        if (code == 0) {
            instrument(module, o, &cover);
            code = write_out(module, machine, o);
        }
        LLVMDisposeTargetMachine(machine);
    } else {
        (void)fail(o->input, why ? why : "no such target");
        LLVMDisposeMessage(why);
    }
    LLVMDisposeModule(module);
    return failed ? 1 : code;
}

int main(int argc, char **argv)
{
    struct options o;
    int done = parse(argc, argv, &o);

    if (done)
        return done - 1;
    LLVMContextRef context = LLVMContextCreate();
    int code = run(&o, context);
    LLVMContextDispose(context);
    return code;
}
