/*
 * Tables of functions; see known.h. A function that the runtime takes over needs no
 * entry: the scan reads the runtime's own symbols.
 */
#include "build/known.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* Families, by the beginning of their names. */
static const char *const harmless_families[] = {
    /* The C++ runtime: exceptions, type information, streams, std::thread, guards. */
    "_ZSt", "_ZNSt", "_ZNKSt", "_ZNSo", "_ZNSi", "_ZNSs", "_ZNKSo", "_ZNKSi", "_ZNKSs", "_ZTV",
    "_ZTT", "_ZTI", "_ZTS", "_ZTH", "_ZTW", "_Zn", "_Zd", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx",
    "_ZGVNSt", "_ZNSd", "_ZNKSd", "_ZNSb", "_ZNKSb", "_ZNRSt", "_ZNOSt", "_ZNKRSt", "_ZNVSt",
    /* std::allocator<char> has no members; the other side of std::call_once. */
    "_ZNSa", "_ZNKSa", "__once_proxy", "__cxa_", "__gxx_", "__gcc_", "_Unwind_", "__dynamic_cast",
    /* Ours; and what the runtime does not define of these concerns one thread's attributes. */
    "__tsan_", "__plumb_", "plumb_", "pthread_",
    /* The C library's own: what stands behind errno, assert, ctype, stack protection. */
    "__errno_", "__assert", "__ctype_", "__stack_chk_", "__libc_", "__isinf", "__isnan",
    "__signbit", "__fpclassify", "__finite", "_ITM_", "__ubsan_", "__dso_", "_GLOBAL_OFFSET_",
    /* The linker's: the ends of a section. */
    "__start_", "__stop_", NULL};

static const char *const harmless[] = {
    "__gmon_start__", "__tls_get_addr", "__cpu_model", "__cpu_features2", "__cpu_indicator_init",
    "environ", "__environ", "optarg", "optind", "opterr", "stdin", "stdout", "stderr",
    "program_invocation_name", "program_invocation_short_name",
    /* ends and surroundings of the program */
    "main", "exit", "_exit", "_Exit", "quick_exit", "abort", "atexit", "at_quick_exit", "getenv",
    "secure_getenv", "setenv", "unsetenv", "putenv", "getopt", "getopt_long", "signal", "raise",
    "sigaction", "sigprocmask", "kill", "alarm", "getpid", "getppid", "getuid", "geteuid", "getgid",
    "getegid", "sysconf", "get_nprocs", "get_nprocs_conf", "getpagesize", "sched_getcpu",
    "sched_getaffinity", "sched_setaffinity", "sched_get_priority_max", "sched_get_priority_min",
    "prctl", "getauxval", "gnu_get_libc_version", "setlocale", "strerror", "strsignal", "perror",
    "err", "errx", "warn", "warnx", "error", "backtrace", "backtrace_symbols_fd", "dl_iterate_phdr",
    "setjmp", "_setjmp", "longjmp", "__sigsetjmp", "siglongjmp", "__longjmp_chk",
    /* stdio that writes: the strings it reads are printed, not shared */
    "printf", "fprintf", "vprintf", "vfprintf", "dprintf", "vdprintf", "puts", "fputs", "putchar",
    "putc", "fputc", "_IO_putc", "putchar_unlocked", "fwrite", "write", "fflush", "fopen",
    "fopen64", "fdopen", "fclose", "freopen", "setvbuf", "setbuf", "setlinebuf", "fileno", "feof",
    "ferror", "clearerr", "fseek", "ftell", "rewind", "flockfile", "funlockfile", "open", "open64",
    "close", "dup", "dup2", "pipe", "pipe2", "eventfd", "unlink", "remove", "isatty", "getc",
    "fgetc", "getchar", "ungetc", "__printf_chk", "__fprintf_chk", "__vfprintf_chk",
    /* no memory at all, or strings that are read */
    "abs", "labs", "llabs", "div", "ldiv", "lldiv", "ffs", "ffsl", "ffsll", "atoi", "atol", "atoll",
    "atof", "strtol", "strtoul", "strtoll", "strtoull", "strtod", "strtof", "strtold", "strtoimax",
    "strtoumax", "__isoc23_strtol", "__isoc23_strtoul", "__isoc23_strtoll", "__isoc23_strtoull",
    "toupper", "tolower", "isalpha", "isdigit", "isalnum", "isspace", "isupper", "islower",
    "ispunct", "isprint", "isgraph", "iscntrl", "isxdigit", "isblank", "htons", "htonl", "ntohs",
    "ntohl", "copysign", "copysignf", "copysignl", "frexp", "frexpf", "frexpl", "ldexp", "ldexpf",
    "ldexpl", "modf", "modff", "modfl", "scalbn", "scalbnf", "scalbnl", "finite", "isinf", "isnan",
    "difftime", "clock", "setpriority", "getpriority", "thrd_equal", "btowc", "wctob", "iswalpha",
    "iswdigit", "iswalnum", "iswspace", "iswupper", "iswlower", "iswpunct", "iswprint", "towupper",
    "towlower", "mblen", "mbsinit",
    /* their state is the C library's own, behind its lock */
    "rand", "srand", "random", "srandom", "drand48", "lrand48", "mrand48", "srand48", "tzset",
    "getpass", "localeconv", "newlocale", "uselocale", "freelocale", "duplocale", "nl_langinfo",
    /* they look at the memory through the subject's own comparison only */
    "bsearch", "lfind",
    /* files and processes by number or name: the name is read */
    "fileno", "fileno_unlocked", "dirfd", "closedir", "readdir", "readdir64", "rewinddir",
    "seekdir", "telldir", "ftruncate", "ftruncate64", "truncate", "truncate64", "fsync",
    "fdatasync", "sync", "fallocate", "posix_fallocate", "flock", "lockf", "access", "faccessat",
    "chmod", "fchmod", "chown", "mkdir", "rmdir", "rename", "renameat", "unlinkat", "link",
    "symlink", "chdir", "fchdir", "umask", "mkfifo", "listen", "shm_unlink", "sem_unlink", "fseeko",
    "ftello", "getc_unlocked", "putc_unlocked", "getchar_unlocked", "fputc_unlocked",
    "fgetc_unlocked", "feof_unlocked", "ferror_unlocked", "vwarn", "vwarnx", "verr", "verrx",
    "__vprintf_chk", "getsid", "getpgrp", "getpgid", "setsid", "setpgid", "psignal", "syslog",
    "openlog", "closelog", "mlock", "munlock", "mlockall", "munlockall", "msync",
    "sched_getscheduler", "__sched_cpualloc", "__sched_cpufree", "pkey_alloc", "pkey_free",
    /* there are no children to wait for: nothing is ever written */
    "wait", "waitpid", "waitid", "wait3", "wait4", NULL};

/* They rewrite the links of nodes inside libstdc++.so. */
static const char *const containers[] = {"_ZSt29_Rb_tree_insert_and_rebalance",
                                         "_ZSt28_Rb_tree_rebalance_for_erase",
                                         "_ZNSt8__detail15_List_node_base", NULL};

/* They never look at the thread pointer (errno is seen by __errno_location only). */
static const char *const pointerless_families[] = {
    /* ours */
    "__tsan_",
    "__plumb_",
    "plumb_",
    "__atomic_",
    "pthread_mutex_",
    "pthread_mutexattr_",
    "pthread_cond_",
    "pthread_condattr_",
    "pthread_rwlock_",
    "pthread_spin_",
    "pthread_barrier_",
    "mtx_",
    "cnd_",
    "_ITM_",
    NULL};
static const char *const pointerless[] = {
    /* in every program */
    "__libc_start_main", "__gmon_start__", "__cxa_finalize",
    /* ours */
    "__assert_fail", "abort", "malloc", "calloc", "realloc", "free", "aligned_alloc",
    "posix_memalign", "memcpy", "memmove", "memset", "memcmp", "strlen", "strcmp", "pthread_create",
    "pthread_join", "pthread_detach", "pthread_self", "pthread_equal", "pthread_once",
    "sched_yield", "sem_init", "sem_destroy", "sem_wait", "sem_trywait", "sem_post", "sem_getvalue",
    "thrd_create", "thrd_join", "thrd_detach", "thrd_current", "thrd_equal", "thrd_yield",
    "call_once", NULL};

static bool among(const char *const *list, const char *name)
{
    for (; *list; list++)
        if (strcmp(*list, name) == 0)
            return true;
    return false;
}

static bool begins(const char *const *list, const char *name)
{
    for (; *list; list++)
        if (strncmp(*list, name, strlen(*list)) == 0)
            return true;
    return false;
}

/* This process is linked with the C library that the subject will be linked with. The
   handle is kept: opening the library once for each name would cost more than the scan. */
static bool of_library(void **handle, const char *library, const char *name)
{
    if (!*handle)
        *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    return *handle && dlsym(*handle, name);
}

enum pl_known pl_known_function(const char *symbol)
{
    static void *libm, *libc;

    if (begins(containers, symbol))
        return PL_KNOWN_CONTAINER;
    if (begins(harmless_families, symbol) || among(harmless, symbol))
        return PL_KNOWN_HARMLESS;
    /* libm brings libc along, so libc is asked first. */
    if (of_library(&libc, "libc.so.6", symbol))
        return PL_KNOWN_LIBC;
    return of_library(&libm, "libm.so.6", symbol) ? PL_KNOWN_HARMLESS : PL_KNOWN_FOREIGN;
}

bool pl_known_without_thread_pointer(const char *symbol)
{
    return begins(pointerless_families, symbol) || among(pointerless, symbol);
}
