/* SPDX-License-Identifier: Apache-2.0 */
#include "peers.h"

#include <mass/callback.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64, DIGITS = 256 };

/* Defines a step of Life by bytes, l->now to l->next, as a plain loop for one instruction set. */
#define LIFE_LOOP(NAME, TARGET)                                                                    \
    TARGET __attribute__((noinline)) static void NAME(const bench_life_loop *l)                    \
    {                                                                                              \
        const int64_t width = l->width, pitch = l->pitch;                                          \
        for (int64_t y = 0; y < l->height; y++) {                                                  \
            const uint8_t *restrict a = l->now + y * pitch;                                        \
            uint8_t *restrict next = l->next + y * pitch;                                          \
            _Pragma("omp simd") for (int64_t x = 0; x < width; x++) {                              \
                const uint8_t n = (uint8_t)(a[x - pitch - 1] + a[x - pitch] + a[x - pitch + 1] +   \
                                            a[x - 1] + a[x + 1] +                                  \
                                            a[x + pitch - 1] + a[x + pitch] + a[x + pitch + 1]);   \
                next[x] = (uint8_t)((n == 3) | ((n == 2) & a[x]));                                 \
            }                                                                                      \
        }                                                                                          \
    }

LIFE_LOOP(life_base, )
#if defined(__x86_64__)
LIFE_LOOP(life_avx2, __attribute__((target("avx2,bmi2"))))
#ifdef __clang__
LIFE_LOOP(life_avx512, __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq"), min_vector_width(512))))
#else
LIFE_LOOP(life_avx512, __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,prefer-vector-width=512"))))
#endif
#else
#define life_avx2 life_base
#define life_avx512 life_base
#endif

mass_status bench_life_loop_create(bench_life_loop *l, uint32_t isa, int64_t width, int64_t height,
                                   const uint8_t *state, mass_error *error)
{
    *l = (bench_life_loop){.isa = isa, .width = width, .height = height};
    l->pitch = (width + 2 * LINE) / LINE * LINE;
    const size_t bytes = (size_t)(l->pitch * (height + 2) + LINE);
    for (int i = 0; i < 2; i++) {
        l->memory[i] = aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE);
        if (!l->memory[i]) {
            free(l->memory[0]);
            return mass_error_memory(error, bytes, "the loop to compare with");
        }
        memset(l->memory[i], 0, bytes);
    }
    l->now = l->memory[0] + l->pitch + LINE;
    l->next = l->memory[1] + l->pitch + LINE;
    for (int64_t y = 0; y < height; y++) memcpy(l->now + y * l->pitch, state + y * width, (size_t)width);
    return MASS_OK;
}

void bench_life_loop_free(bench_life_loop *l)
{
    free(l->memory[0]);
    free(l->memory[1]);
    *l = (bench_life_loop){0};
}

void bench_life_loop_step(bench_life_loop *l)
{
    (l->isa == MASS_ISA_AVX512 ? life_avx512 : l->isa == MASS_ISA_AVX2 ? life_avx2 : life_base)(l);
    uint8_t *swap = l->now;
    l->now = l->next;
    l->next = swap;
}

/* Marsaglia, "Xorshift RNGs" (2003). */
static uint64_t scramble(uint64_t x)
{
    x ^= x << 13;
    x ^= x >> 7;
    return x ^ x << 17;
}

/* Allocates both sides, and fills the source with noise. On failure there is nothing to free. */
mass_status bench_copy_create(bench_copy *c, size_t bytes, int threads, mass_error *error)
{
    const size_t rounded = (bytes + LINE - 1) / LINE * LINE;
    *c = (bench_copy){bytes, threads, mass_cpu_team_create(threads, NULL), aligned_alloc(LINE, rounded),
                      aligned_alloc(LINE, rounded)};
    if (!c->from || !c->to) {
        bench_copy_free(c);
        return mass_error_memory(error, 2 * bytes, "the copy to compare with");
    }
    uint64_t word = 0x9e3779b97f4a7c15;
    for (size_t i = 0; i < rounded / sizeof word; i++) ((uint64_t *)(void *)c->from)[i] = word = scramble(word);
    bench_copy_run(c); /* each thread touches its pages first */
    return MASS_OK;
}

/* Stops the threads, and frees both sides. */
void bench_copy_free(bench_copy *c)
{
    mass_cpu_team_stop(c->team);
    free(c->from);
    free(c->to);
    *c = (bench_copy){0};
}

/* Copies thread t's part, in whole cache lines. */
static void copy_part(void *context, int t)
{
    const bench_copy *c = context;
    const size_t first = c->bytes * (size_t)t / (size_t)c->threads / LINE * LINE;
    const size_t last = t + 1 == c->threads ? c->bytes : c->bytes * (size_t)(t + 1) / (size_t)c->threads / LINE * LINE;
    memcpy(c->to + first, c->from + first, last - first);
}

void bench_copy_run(bench_copy *c) { mass_cpu_team_run(c->team, c->threads, copy_part, c); }

mass_status bench_sort_create(bench_sort *s, size_t count, int threads, mass_error *error)
{
    const size_t bytes = count * sizeof *s->keys;
    *s = (bench_sort){.count = count, .threads = threads, .team = mass_cpu_team_create(threads, NULL)};
    s->keys = malloc(bytes);
    s->other = malloc(bytes);
    s->bins = malloc((size_t)threads * DIGITS * sizeof *s->bins);
    if (!s->keys || !s->other || !s->bins) return mass_error_memory(error, 2 * bytes, "the sort to compare with");
    memset(s->other, 0xff, bytes);
    return MASS_OK;
}

void bench_sort_free(bench_sort *s)
{
    mass_cpu_team_stop(s->team);
    free(s->keys);
    free(s->other);
    free(s->bins);
    *s = (bench_sort){0};
}

void bench_sort_fill(bench_sort *s)
{
    uint64_t word = 0x9e3779b97f4a7c15;
    s->sum = 0;
    for (size_t i = 0; i < s->count; i++) s->sum += s->keys[i] = word = scramble(word);
}

/* Counts the digits of a thread's part of the keys. */
static void count_digits(void *context, int part)
{
    bench_sort *s = context;
    const size_t t = (size_t)part, threads = (size_t)s->threads;
    size_t *bins = s->bins + t * DIGITS;
    memset(bins, 0, DIGITS * sizeof *bins);
    for (size_t i = s->count * t / threads; i < s->count * (t + 1) / threads; i++)
        bins[s->keys[i] >> s->shift & (DIGITS - 1)]++;
}

/* Puts a thread's part of the keys into s->other, by their digits. The bins must be the positions where its keys
 * begin. */
static void put_by_digits(void *context, int part)
{
    bench_sort *s = context;
    const size_t t = (size_t)part, threads = (size_t)s->threads;
    size_t *bins = s->bins + t * DIGITS;
    for (size_t i = s->count * t / threads; i < s->count * (t + 1) / threads; i++)
        s->other[bins[s->keys[i] >> s->shift & (DIGITS - 1)]++] = s->keys[i];
}

/* Sorts by the digit of bits `shift` and up, from keys to other. Each thread puts its keys after those of the threads
 * before it. */
static void sort_by_digit(bench_sort *s)
{
    mass_cpu_team_run(s->team, s->threads, count_digits, s);
    for (size_t digit = 0, before = 0; digit < DIGITS; digit++)
        for (size_t t = 0; t < (size_t)s->threads; t++) {
            const size_t own = s->bins[t * DIGITS + digit];
            s->bins[t * DIGITS + digit] = before;
            before += own;
        }
    mass_cpu_team_run(s->team, s->threads, put_by_digits, s);
}

void bench_sort_run(bench_sort *s)
{
    for (s->shift = 0; s->shift < 64; s->shift += 8) {
        sort_by_digit(s);
        uint64_t *swap = s->keys;
        s->keys = s->other;
        s->other = swap;
    }
}

bool bench_sort_right(const bench_sort *s)
{
    uint64_t sum = 0;
    bool right = true;
    for (size_t i = 0; i < s->count; i++) {
        sum += s->keys[i];
        right &= i == 0 || s->keys[i - 1] <= s->keys[i];
    }
    return right && sum == s->sum;
}

/* ---- counting ---- */

enum { TABLES = 8 };

void bench_count_bytes(const void *data, size_t bytes, int64_t counts[256])
{
    int64_t tables[TABLES][256] = {{0}};
    const uint8_t *at = data;
    size_t i = 0;
    for (; i + TABLES <= bytes; i += TABLES)
        for (int k = 0; k < TABLES; k++) tables[k][at[i + (size_t)k]]++;
    for (; i < bytes; i++) tables[0][at[i]]++;
    for (int value = 0; value < 256; value++) {
        counts[value] = 0;
        for (int k = 0; k < TABLES; k++) counts[value] += tables[k][value];
    }
}
