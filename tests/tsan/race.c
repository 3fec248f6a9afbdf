/* Shows that the thread sanitizer sees through OpenMP: `race` adds to one number from two threads
 * without a word to each other, which has to be reported; `sum` does the same properly and then reads
 * what all threads wrote, which must not be. */
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 1000, THREADS = 2 };

static long total, parts[THREADS];

static void add_in_turns(int racing)
{
#pragma omp parallel num_threads(THREADS)
    {
        const int thread = omp_get_thread_num();
        for (int i = 0; i < ROUNDS; i++) {
            if (racing) total++;
            else parts[thread]++;
        }
    }
    for (int t = 0; t < THREADS && !racing; t++) total += parts[t];
}

int main(int count, char **arguments)
{
    if (count != 2) return 2;
    /* Several regions, so that threads meet work that others left. */
    for (int region = 0; region < 10; region++) add_in_turns(strcmp(arguments[1], "race") == 0);
    return printf("%ld\n", total) < 0;
}
