/* The words of a result. */
#include "result/finding.h"

const char *pl_finding_text(enum pl_finding_kind kind)
{
    static const char *const texts[] = {
#define X(name, text, headline) text,
        PL_FINDING_TABLE(X)
#undef X
    };
    return kind < PL_FINDING_COUNT ? texts[kind] : "none";
}

const char *pl_finding_headline(enum pl_finding_kind kind)
{
    static const char *const headlines[] = {
#define X(name, text, headline) headline,
        PL_FINDING_TABLE(X)
#undef X
    };
    return kind < PL_FINDING_COUNT ? headlines[kind] : "";
}

const char *pl_verdict_text(enum pl_verdict verdict)
{
    switch (verdict) {
#define X(name, text, code)                                                                        \
    case PL_VERDICT_##name:                                                                        \
        return text;
        PL_VERDICT_TABLE(X)
#undef X
    }
    return "error";
}
