/* SPDX-License-Identifier: Apache-2.0 */
#include "inputs.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VOCABULARY = 50000, LONGEST = 12, LINE = 70 };

/* The finaliser of splitmix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014). */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* The frequent words are short. */
static void make_word(uint64_t *state, uint32_t rank, char word[LONGEST + 1])
{
    static const char letters[] = "etaoinshrdlcumwfgypbvk";
    int shortest = 1;
    for (uint32_t reach = 8; reach < rank; reach *= 8) shortest++;
    const int length = shortest + (int)(next(state) % (uint64_t)(LONGEST + 1 - shortest) / 2);
    for (int i = 0; i < length; i++)
        word[i] = letters[(next(state) >> 32) * (next(state) >> 32) % 1009 % (sizeof letters - 1)];
    word[length] = '\0';
}

/* Makes text of random words, the k-th of which is k times as rare as the first. reach: cumulative weights, as scratch
 * memory. */
static void make_text(char *data, size_t bytes, char (*words)[LONGEST + 1], double *reach)
{
    uint64_t state = 7;
    double sum = 0;
    for (uint32_t k = 0; k < VOCABULARY; k++) {
        make_word(&state, k + 1, words[k]);
        reach[k] = sum += 1.0 / (k + 1);
    }
    size_t at = 0, line = 0;
    while (at < bytes) {
        const double r = (double)(next(&state) >> 11) * 0x1p-53 * sum;
        uint32_t low = 0, high = VOCABULARY - 1;
        while (low < high) {
            const uint32_t middle = (low + high) / 2;
            if (reach[middle] < r) low = middle + 1;
            else high = middle;
        }
        for (const char *c = words[low]; *c && at < bytes; c++, line++) data[at++] = *c;
        if (at < bytes) data[at++] = line > LINE ? '\n' : ' ';
        if (line > LINE) line = 0;
    }
}

mass_status bench_input_make(bench_input kind, void *data, size_t bytes, mass_error *error)
{
    uint64_t state = 1;
    uint32_t *numbers = data;
    const size_t count = bytes / sizeof *numbers;
    if (kind == BENCH_ONE_BYTE) memset(data, 'e', bytes);
    for (size_t i = 0; kind == BENCH_ONE_NUMBER && i < count; i++) numbers[i] = 123456789;
    for (size_t i = 0; kind == BENCH_UNIFORM && i < count; i++) numbers[i] = (uint32_t)next(&state);
    for (size_t i = 0; kind == BENCH_NUMBERS && i < count; i++) numbers[i] = (uint32_t)(next(&state) >> 34);
    if (kind != BENCH_TEXT) return MASS_OK;
    char(*words)[LONGEST + 1] = malloc(VOCABULARY * sizeof *words);
    double *reach = malloc(VOCABULARY * sizeof *reach);
    if (words && reach) make_text(data, bytes, words, reach);
    const bool made = words && reach;
    free(words);
    free(reach);
    return made ? MASS_OK : mass_error_memory(error, VOCABULARY * sizeof *words, "a text");
}

mass_status bench_input_save(const char *folder, const void *data, size_t bytes, char path[], size_t room,
                             mass_error *error)
{
    snprintf(path, room, "%s/mass-bench-%d.input", folder, (int)getpid());
    FILE *file = fopen(path, "wb");
    const bool written = file && fwrite(data, 1, bytes, file) == bytes;
    const bool closed = file && fclose(file) == 0;
    if (written && closed) return MASS_OK;
    const int why = errno;
    unlink(path);
    return mass_error_set(error, MASS_FAILED, "%s: %s", path, strerror(why));
}
