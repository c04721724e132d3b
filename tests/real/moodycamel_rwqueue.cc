/* moodycamel ReaderWriterQueue and its blocking form (libreaderwriterqueue-dev), one writer, one
 * reader.
 *
 * Switches: none; its atomics are std::atomic and fences. (It switches its own instrumentation off
 * when it sees clang's thread sanitizer; the tool hides the sanitizer from the preprocessor.)
 *
 * Races: none allowed.
 *
 * Asserted: the reader gets exactly the values written, in order, through the queue that polls
 * (its blocks hold two values, so the writer adds blocks while the reader goes round) and through
 * the one that sleeps on a semaphore.
 *
 * With -DMISUSE, what must be found: a second reader.
 */
#include <cassert>
#include <readerwriterqueue/readerwriterqueue.h>
#include <thread>

enum { VALUES = 4, BLOCKING = 2 };

int main()
{
    moodycamel::ReaderWriterQueue<int *, 2> queue(1);
    moodycamel::BlockingReaderWriterQueue<int *, 2> blocking(1);

    std::thread writer([&queue, &blocking] {
        for (int i = 0; i < VALUES; i++)
            assert(queue.enqueue(new int(i)));
        for (int i = 0; i < BLOCKING; i++)
            assert(blocking.enqueue(new int(100 + i)));
    });
    std::thread reader([&queue, &blocking] {
        for (int i = 0; i < VALUES; i++) {
            int *out = nullptr;

            while (!queue.try_dequeue(out))
                std::this_thread::yield();
            assert(*out == i);
            delete out;
        }
        for (int i = 0; i < BLOCKING; i++) {
            int *out = nullptr;

            blocking.wait_dequeue(out);
            assert(*out == 100 + i);
            delete out;
        }
    });
    int *out;

#ifdef MISUSE
    queue.try_dequeue(out);
#endif
    writer.join();
    reader.join();
    assert(!queue.try_dequeue(out) && !blocking.try_dequeue(out));
}
