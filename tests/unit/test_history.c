/*
 * Reading history files: what is read is what was meant; whatever else is given ends in an
 * error that names a line and a column, never in a crash.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h> /* after the headers it needs */

#include "base/prng.h"
#include "history/read.h"
#include "history/write.h"
#include "spec/spec.h"

static char path[] = "/tmp/plumb-test-history.XXXXXX";

static enum pl_status read_bytes(const char *text, size_t length, const struct pl_spec *spec,
                                 enum pl_format format, struct pl_history *out,
                                 struct pl_error *error)
{
    const struct pl_read how = {.words = &spec->words, .format = format};
    enum pl_format found;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    return pl_history_read(out, path, &how, &found, error);
}

static void assert_reads(const char *text, const struct pl_spec *spec, const char *expected)
{
    struct pl_history h;
    struct pl_error error = {.text = ""};
    struct pl_strbuf out;
    enum pl_status status = read_bytes(text, strlen(text), spec, PL_FORMAT_AUTO, &h, &error);
    if (status)
        fail_msg("%s", error.text);
    pl_strbuf_init(&out);
    for (uint32_t i = 0; i < h.count; i++) {
        pl_strbuf_add(&out, i ? "; " : "");
        pl_write_thread(&h, h.operation[i].thread, &out);
        pl_strbuf_addf(&out, " %u-%d ", h.operation[i].call, (int)h.operation[i].ret);
        pl_operation_print(&h, &spec->words, &h.operation[i], &out);
    }
    assert_string_equal(out.text, expected);
    pl_strbuf_release(&out);
    pl_history_release(&h);
}

static void every_format_says_the_same(void **state)
{
    static const char expected[] = "0 0-2 enq(1); b 1-3 deq() -> 1; 0 4-5 deq() -> empty; 0 6--1 "
                                   "deq() never returned";
    (void)state;
    assert_reads(
        "0 call enq 1\nb call deq\n0 return\nb return 1\n0 call deq\r\n0 fail\n0 invoke deq",
        &pl_spec_fifo, expected);
    assert_reads("[{\"thread\":0,\"event\":\"call\",\"op\":\"enqueue\",\"args\":[1]},"
                 "{\"thread\":\"b\",\"event\":\"call\",\"op\":\"deq\"},"
                 "{\"thread\":0,\"event\":\"return\"},"
                 "{\"thread\":\"b\",\"event\":\"return\",\"result\":1},"
                 "{\"thread\":0,\"event\":\"call\",\"op\":\"DeQueue\"},"
                 "{\"thread\":0,\"event\":\"return\",\"result\":null},"
                 "{\"thread\":0,\"event\":\"call\",\"op\":\"try_dequeue\"}]",
                 &pl_spec_fifo, expected);
    assert_reads("[{\"thread\":\"b\",\"op\":\"deq\",\"call\":2,\"return\":4,\"result\":1},"
                 "{\"thread\":0,\"op\":\"enq\",\"args\":1,\"call\":1,\"return\":3},"
                 "{\"thread\":0,\"op\":\"deq\",\"call\":10,\"return\":11,\"type\":\"fail\"},"
                 "{\"thread\":0,\"op\":\"deq\",\"call\":12}]",
                 &pl_spec_fifo, expected);
    assert_reads("{:process 0 :type :invoke :f :enqueue :value 1}\n"
                 "{:process 7, :type :invoke, :f :dequeue, :value nil}\n"
                 "{:process 0 :type :ok :f :enqueue :value 1}\n"
                 "{:process 7 :type :ok :f :dequeue :value 1}\n"
                 "{:process 0 :type :invoke :f :dequeue}\n{:process 0 :type :ok :f :dequeue :value "
                 "nil}{:process 0 :type :invoke :f :dequeue}{:process 0 :type :info :f :dequeue}",
                 &pl_spec_fifo,
                 "0 0-2 enq(1); 7 1-3 deq() -> 1; 0 4-5 deq() -> empty; 0 6--1 deq() never "
                 "returned");
}

static void values_are_kept(void **state)
{
    (void)state;
    assert_reads("0 call write \"a b\"\n0 return\n0 call read\n0 return 99999999999999999999\n",
                 &pl_spec_register, "0 0-1 write(a b); 0 2-3 read() -> 99999999999999999999");
    assert_reads("{\"thread\":0,\"event\":\"call\",\"op\":\"write\",\"args\":[\"\\u00e9\\n\"]}",
                 &pl_spec_register, "0 0--1 write(\xc3\xa9\n) never returned");
    assert_reads("0 call update 1 5\n0 return\n0 call scan\n0 return [0 5 nil]\n",
                 &pl_spec_snapshot, "0 0-1 update(1, 5); 0 2-3 scan() -> [0 5 nil]");
    assert_reads("{:process 0 :type :invoke :f :read}{:process 0 :type :ok :f :read :value #{3 1}}",
                 &pl_spec_set, "0 0-1 read() -> [1 3]");
    assert_reads("{:process 0 :type :invoke :f :cas :value [1 2]}"
                 "{:process 0 :type :ok :f :cas :value [1 2]}"
                 "{:process 0 :type :invoke :f :write :value 3}"
                 "{:process 0 :type :fail :f :write :value 3}",
                 &pl_spec_cas_register, "0 0-1 cas(1, 2) -> true");
}

static void a_window_that_ends_anywhere_is_no_matter(void **state)
{
    struct pl_strbuf text;
    struct pl_history h;
    struct pl_error error;
    (void)state;
    for (unsigned edn = 0; edn < 2; edn++) {
        pl_strbuf_init(&text);
        for (unsigned i = 0; i < 20000; i++) /* a MiB or two: several windows */
            pl_strbuf_addf(&text,
                           edn ? "{:process %u, :type :invoke, :f :enqueue, :value \"v%u\"} ; c\n"
                                 "{:process %u, :type :ok, :f :enqueue}\n"
                               : "%u call enq v%u\n%u return\n",
                           i % 7, i, i % 7);
        assert_int_equal(
            read_bytes(text.text, text.length, &pl_spec_fifo, PL_FORMAT_AUTO, &h, &error), PL_OK);
        assert_int_equal(h.count, 20000);
        assert_int_equal(h.operation[19999].line, 39999);
        assert_int_equal(h.values.count, 20000);
        pl_history_release(&h);
        pl_strbuf_release(&text);
    }
}

static const char *const seeds[] = {
    "0 call enq 1\n1 call deq\n0 return\n1 return 1\n1 call deq\n1 return empty\n2 call enq "
    "\"x\"\n",
    "{\"thread\": 0, \"event\": \"call\", \"op\": \"enq\", \"args\": [\"a\\u0041\"]}\n"
    "{\"thread\": 0, \"event\": \"return\", \"result\": null}\n",
    "[{\"ClientId\": 0, \"Input\": {\"op\": \"deq\"}, \"Call\": 3, \"Output\": {\"value\": 1}, "
    "\"Return\": 9}, {\"ClientId\": 1, \"Input\": [\"enq\", 1], \"Call\": 1, \"Output\": null, "
    "\"Return\": 1.5}]",
    "; c\n({:process 0, :type :invoke, :f :enqueue, :value [1 #{2 nil}]}\n"
    "#t{:process 0, :type :ok, :f :enqueue, :value \\a}{:process :n :type :info})",
};

/* One of the seeds, changed here and there. */
static size_t mutate(struct pl_prng *r, char *out, size_t room)
{
    const char *seed = seeds[pl_prng_below(r, 4)];
    size_t length = strlen(seed);
    memcpy(out, seed, length);
    for (unsigned n = pl_prng_below(r, 6); n > 0 && length > 1; n--) {
        static const char alphabet[] = "{}[]()\"\\:#;,-0919 \n\teE.\xff\0truenil";
        size_t at = pl_prng_below(r, (uint32_t)length), many = 1 + pl_prng_below(r, 12);
        switch (pl_prng_below(r, 4)) {
        case 0:
            out[at] = alphabet[pl_prng_below(r, sizeof alphabet - 1)];
            break;
        case 1: /* remove */
            many = many < length - at ? many : length - at;
            memmove(out + at, out + at + many, length - at - many);
            length -= many;
            break;
        case 2: /* double */
            if (length + many >= room || at + many > length)
                break;
            memmove(out + at + many, out + at, length - at);
            length += many;
            break;
        default:
            length = at;
            break;
        }
    }
    return length;
}

static void bad_input_names_its_place(void **state)
{
    struct pl_prng r;
    char text[2048];
    unsigned errors = 0;
    static const struct pl_spec *const specs[] = {&pl_spec_fifo, &pl_spec_set, &pl_spec_map,
                                                  &pl_spec_snapshot};
    (void)state;
    for (uint64_t seed = 1; seed <= 6000; seed++) {
        struct pl_history h;
        struct pl_error error = {.text = ""};
        unsigned line, column;
        pl_prng_init(&r, seed);
        size_t length = mutate(&r, text, sizeof text);
        enum pl_format format = (enum pl_format)pl_prng_below(&r, 4);
        if (read_bytes(text, length, specs[seed % 4], format, &h, &error) == PL_OK) {
            pl_history_release(&h);
            continue;
        }
        errors++;
        if (strncmp(error.text, path, strlen(path)) != 0 ||
            sscanf(error.text + strlen(path), ":%u:%u: ", &line, &column) != 2 || line == 0 ||
            column == 0 || column > length + 1)
            fail_msg("seed %llu: %s", (unsigned long long)seed, error.text);
    }
    assert_true(errors > 1000 && errors < 5900);
}

static int make_path(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int remove_path(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_says_the_same),
        cmocka_unit_test(values_are_kept),
        cmocka_unit_test(a_window_that_ends_anywhere_is_no_matter),
        cmocka_unit_test(bad_input_names_its_place),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
