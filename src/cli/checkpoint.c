/* The state of a search as a file: checkpoint.h. */
#include "cli/checkpoint.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "cli/output.h"

/* At the start of the file. Numbers are as in memory: it is for this machine and version. */
struct head {
    char magic[8];
    uint64_t program, options;
    uint64_t bytes, hash; /* of what follows */
};

struct body {
    struct pl_counts counts;
    uint64_t findings, pieces; /* that follow: a number of bytes and those, each */
};

static const char MAGIC[8] = "plumbck2";

/* ---- which search is it ---- */

static enum pl_status hash_file(const char *path, uint64_t *out, struct pl_error *error)
{
    FILE *f = fopen(path, "rb");
    char buffer[1 << 14];
    XXH3_state_t *state = XXH3_createState();
    PL_ASSERT(state);
    (void)XXH3_64bits_reset(state);
    for (size_t n; f && (n = fread(buffer, 1, sizeof buffer, f)) > 0;)
        (void)XXH3_64bits_update(state, buffer, n);
    bool whole = f && !ferror(f);
    if (f)
        (void)fclose(f);
    *out = XXH3_64bits_digest(state);
    (void)XXH3_freeState(state);
    return whole ? PL_OK : pl_fail(error, PL_ERR_SYSTEM, "%s: cannot be read", path);
}

/* Without what may differ from run to run of one search. */
static uint64_t hash_options(const struct pl_wire_options *options)
{
    struct pl_wire_options *o = malloc(sizeof *o);
    PL_ASSERT(o);
    memcpy(o, options, sizeof *o);
    o->executions = o->first = o->stride = 0;
    o->sharing = o->resumes = o->limited = o->uncounted = 0;
    o->facts = 0;
    uint64_t sizes =
        sizeof(struct pl_wire) * 31 + sizeof(struct pl_counts) * 17 + sizeof(struct pl_facts);
    uint64_t hash = XXH3_64bits_withSeed(o, sizeof *o, sizes);
    free(o);
    return hash;
}

enum pl_status pl_checkpoint_init(struct pl_checkpoint *c, const char *file, const char *program,
                                  char *const *argv, const struct pl_wire_options *options,
                                  struct pl_error *error)
{
    *c = (struct pl_checkpoint){
        .file = file,
        .options = hash_options(options),
        .facts = aligned_alloc(_Alignof(struct pl_facts), sizeof(struct pl_facts))};
    PL_ASSERT(c->facts);
    memset(c->facts, 0, sizeof *c->facts);
    for (size_t i = 1; argv[0] && argv[i]; i++) /* the first is the program's place of today */
        c->options = XXH3_64bits_withSeed(argv[i], strlen(argv[i]) + 1, c->options);
    return hash_file(program, &c->program, error);
}

void pl_checkpoint_release(struct pl_checkpoint *c)
{
    pl_pool_release(&c->work);
    pl_pool_release(&c->findings);
    free(c->facts);
    c->facts = NULL;
}

/* ---- writing ---- */

static void add_piece(struct pl_strbuf *out, const uint8_t *bytes, uint32_t count)
{
    pl_strbuf_add_bytes(out, (const char *)&count, sizeof count);
    pl_strbuf_add_bytes(out, (const char *)bytes, count);
}

/* Those that can be run again; a process that died by itself has left no choices. */
static uint64_t add_findings(struct pl_strbuf *out, struct pl_process *const *process,
                             size_t processes)
{
    uint64_t count = 0;
    for (size_t i = 0; i < processes; i++)
        for (uint32_t k = 0; k < process[i]->wire->findings; k++) {
            const struct pl_wire *w = process[i]->wire;
            const struct pl_wire_finding *f = &w->finding[k];
            if (!f->choices)
                continue;
            add_piece(out, w->byte + f->first_choice, f->choices);
            count++;
        }
    return count;
}

static enum pl_status write_file(const char *path, const struct head *head,
                                 const struct pl_strbuf *body, struct pl_error *error)
{
    struct pl_strbuf beside;
    pl_strbuf_init(&beside);
    pl_strbuf_addf(&beside, "%s.new", path);
    FILE *f = fopen(beside.text, "wb");
    bool fine = f && fwrite(head, sizeof *head, 1, f) == 1 &&
                fwrite(body->text, body->length, 1, f) == 1 && fflush(f) == 0 &&
                fsync(fileno(f)) == 0;
    if (f)
        fine = fclose(f) == 0 && fine;
    fine = fine && rename(beside.text, path) == 0; /* I1 */
    enum pl_status status = PL_OK;
    if (!fine)
        status = pl_fail(error, PL_ERR_SYSTEM, "--checkpoint %s: cannot be written: %s", path,
                         strerror(errno));
    if (!fine && f)
        (void)unlink(beside.text);
    pl_strbuf_release(&beside);
    return status;
}

enum pl_status pl_checkpoint_write(const struct pl_checkpoint *c, const struct pl_counts *counts,
                                   struct pl_process *const *process, size_t processes,
                                   struct pl_error *error)
{
    struct pl_strbuf text;
    struct body body = {.counts = *counts, .pieces = c->work.count};
    pl_strbuf_init(&text);
    pl_strbuf_add_bytes(&text, (const char *)&body, sizeof body);
    pl_strbuf_add_bytes(&text, (const char *)c->facts, sizeof *c->facts);
    body.findings = add_findings(&text, process, processes);
    for (size_t i = 0; i < c->work.count; i++)
        add_piece(&text, c->work.piece[i].work, c->work.piece[i].bytes);
    memcpy(text.text, &body, sizeof body); /* the number of findings is known now */
    struct head head = {.program = c->program,
                        .options = c->options,
                        .bytes = text.length,
                        .hash = XXH3_64bits(text.text, text.length)};
    memcpy(head.magic, MAGIC, sizeof head.magic);
    enum pl_status status = write_file(c->file, &head, &text, error);
    pl_strbuf_release(&text);
    return status;
}

void pl_checkpoint_remove(const struct pl_checkpoint *c)
{
    (void)unlink(c->file);
}

/* ---- reading ---- */

/* The whole file; NULL: errno says why. */
static uint8_t *read_whole(const char *path, size_t *count)
{
    FILE *f = fopen(path, "rb");
    uint8_t *bytes = NULL;
    if (!f)
        return NULL;
    struct stat info;
    if (fstat(fileno(f), &info) == 0 && S_ISDIR(info.st_mode)) {
        errno = EISDIR; /* it can be opened, and its length is any number */
    } else if (fseek(f, 0, SEEK_END) == 0) {
        long length = ftell(f);
        rewind(f);
        bytes = length >= 0 ? malloc((size_t)length + 1) : NULL;
        *count = bytes ? fread(bytes, 1, (size_t)length, f) : 0;
    }
    int why = errno;
    (void)fclose(f);
    errno = why;
    return bytes;
}

static bool read_pieces(struct pl_pool *pool, uint64_t count, const uint8_t **at,
                        const uint8_t *end)
{
    for (uint64_t i = 0; i < count; i++) {
        uint32_t bytes;
        if ((size_t)(end - *at) < sizeof bytes)
            return false;
        memcpy(&bytes, *at, sizeof bytes);
        *at += sizeof bytes;
        if ((size_t)(end - *at) < bytes || bytes > PL_MAX_BYTES)
            return false;
        pl_pool_add(pool, *at, bytes);
        *at += bytes;
    }
    return true;
}

static bool read_body(struct pl_checkpoint *c, const uint8_t *bytes, size_t count)
{
    struct body body;
    const uint8_t *at = bytes + sizeof body + sizeof *c->facts, *end = bytes + count;
    if (count < sizeof body + sizeof *c->facts)
        return false;
    memcpy(&body, bytes, sizeof body);
    c->before = body.counts;
    memcpy(c->facts, bytes + sizeof body, sizeof *c->facts);
    return read_pieces(&c->findings, body.findings, &at, end) &&
           read_pieces(&c->work, body.pieces, &at, end) && at == end;
}

enum pl_status pl_checkpoint_read(struct pl_checkpoint *c, const char *file, struct pl_error *error)
{
    struct head head;
    size_t count = 0;
    uint8_t *bytes = read_whole(file, &count);
    enum pl_status status = PL_OK;
    if (!bytes)
        return pl_fail(error, PL_ERR_INPUT, "--resume %s: cannot be read: %s", file,
                       strerror(errno));
    if (count < sizeof head || memcmp(bytes, MAGIC, sizeof MAGIC) != 0) {
        free(bytes);
        return pl_fail(error, PL_ERR_INPUT, "--resume %s: this is no checkpoint", file);
    }
    memcpy(&head, bytes, sizeof head);
    const uint8_t *body = bytes + sizeof head;
    size_t length = count - sizeof head;
    if (head.bytes != length || head.hash != XXH3_64bits(body, length))
        status = pl_fail(error, PL_ERR_INPUT, "--resume %s: the checkpoint is damaged", file);
    else if (head.program != c->program)
        status =
            pl_fail(error, PL_ERR_INPUT,
                    "--resume %s: it was made with another program, or other compiler flags", file);
    else if (head.options != c->options)
        status =
            pl_fail(error, PL_ERR_INPUT,
                    "--resume %s: it was made with other options: --model and the like must be "
                    "the same",
                    file);
    else if (!read_body(c, body, length))
        status = pl_fail(error, PL_ERR_INPUT, "--resume %s: the checkpoint is damaged", file);
    free(bytes);
    c->resumes = !status;
    return status;
}
