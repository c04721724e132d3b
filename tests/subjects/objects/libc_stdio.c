// warns: open_memstream fmemopen
// executions: 60
/* stdio on a file of its own and on standard output, from two threads. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *round_trip(void *name)
{
    FILE *file = fopen(name, "w+");
    assert(file);
    for (int i = 0; i < 100; i++)
        assert(fprintf(file, "line %d of the file\n", i) > 0);
    assert(fflush(file) == 0);
    assert(fseek(file, 0, SEEK_SET) == 0 && ftell(file) == 0);
    char *line = NULL;
    size_t room = 0;
    for (int i = 0; i < 100; i++) {
        int number = -1;
        ssize_t length = getline(&line, &room, file);
        assert(length > 17 && line[length - 1] == '\n' && line[length] == 0);
        assert(sscanf(line, "line %d of", &number) == 1 && number == i);
    }
    assert(getline(&line, &room, file) == -1 && feof(file));
    free(line);
    char *all = malloc(5000);
    rewind(file);
    size_t got = fread(all, 1, 5000, file);
    assert(got > 1900 && all[0] == 'l' && all[got - 1] == '\n');
    assert(fseek(file, -5, SEEK_END) == 0 && fgetc(file) == 'f');
    assert(ungetc('u', file) == 'u' && getc(file) == 'u');
    char five[5];
    assert(fgets(five, sizeof five, file) == five && strcmp(five, "ile\n") == 0);
    free(all);
    assert(fclose(file) == 0);
    assert(unlink(name) == 0);
    assert(fopen(name, "r") == NULL && errno == ENOENT);
    printf("%s done\n", (char *)name);
    puts("a line");
    putchar('c');
    putc('\n', stdout);
    assert(fwrite("bytes\n", 1, 6, stdout) == 6);
    assert(fputs("to standard error\n", stderr) >= 0);
    return NULL;
}

int main(void)
{
    char mine[] = "first.txt", other[] = "second.txt";
    pthread_t a = start(round_trip, other);
    round_trip(mine);
    finish(a);
    char *memory = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&memory, &size);
    assert(stream && fprintf(stream, "%d", 123456) == 6 && fclose(stream) == 0);
    assert(size == 6 && strcmp(memory, "123456") == 0);
    free(memory);
    char buffer[20] = "in memory";
    stream = fmemopen(buffer, 9, "r");
    char word[10];
    assert(stream && fscanf(stream, "%9s", word) == 1 && strcmp(word, "in") == 0);
    assert(fclose(stream) == 0);
    FILE *temporary = tmpfile();
    assert(temporary && fputs("x", temporary) >= 0 && fclose(temporary) == 0);
    assert(write(STDOUT_FILENO, "by system call\n", 15) == 15);
    fflush(NULL);
    return 0;
}
