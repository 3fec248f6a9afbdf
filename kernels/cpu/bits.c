/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of bits on the CPU: copies that begin anywhere in a word, and conversion of whole arrays to bytes and back. */
#include "cpu/kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { WORTH_A_THREAD = 1 << 16 }; /* bytes of bits, or bits of runs */

/* ---- rows ---- */

#if defined(__x86_64__)
#define WIDE __attribute__((target("avx2")))

/* Unpacks 32 places at a time. Each byte of the register gets the source byte that holds its place's bit. Returns the
 * number of places done. */
WIDE static int64_t unpack_wide(uint8_t *to, const uint8_t *bits, int64_t count)
{
    const __m256i spread = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i own = _mm256_set1_epi64x((int64_t)0x8040201008040201u), one = _mm256_set1_epi8(1);
    int64_t done = 0;
    for (; done + 32 <= count; done += 32) {
        int32_t word;
        memcpy(&word, bits + done / 8, sizeof word);
        const __m256i bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(word), spread);
        const __m256i set = _mm256_cmpeq_epi8(_mm256_and_si256(bytes, own), own);
        _mm256_storeu_si256((__m256i *)(void *)(to + done), _mm256_and_si256(set, one));
    }
    return done;
}

/* Packs as many bytes as whole vectors hold. Returns how many; the caller packs the rest. */
WIDE static int64_t pack_wide(uint8_t *bits, const uint8_t *from, int64_t count)
{
    int64_t done = 0;
    for (; done + 32 <= count; done += 32) {
        const __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)(from + done));
        const int32_t word = _mm256_movemask_epi8(_mm256_slli_epi16(bytes, 7));
        memcpy(bits + done / 8, &word, sizeof word);
    }
    return done;
}

/* Returns true if the processor has the instructions (AVX2) of unpack_wide and pack_wide. */
static bool is_wide(void) { return __builtin_cpu_supports("avx2"); }
#else
/* Without wide instructions unpacks nothing, and returns 0: the caller unpacks all bits. */
static int64_t unpack_wide(uint8_t *to, const uint8_t *bits, int64_t count)
{
    return (void)to, (void)bits, (void)count, 0;
}
/* Without wide instructions packs nothing, and returns 0: the caller packs all bits. */
static int64_t pack_wide(uint8_t *bits, const uint8_t *from, int64_t count)
{
    return (void)from, (void)bits, (void)count, 0;
}
static bool is_wide(void) { return false; }
#endif

void mass_cpu_unpack_row(uint8_t *to, const uint8_t *bits, int64_t count)
{
    const int64_t done = is_wide() ? unpack_wide(to, bits, count) : 0;
    mass_bits_unpack(to + done, bits + done / 8, count - done);
}

void mass_cpu_pack_row(uint8_t *bits, const uint8_t *from, int64_t count)
{
    const int64_t done = is_wide() ? pack_wide(bits, from, count) : 0;
    mass_bits_pack(bits + done / 8, from + done, count - done);
}

/* ---- arrays, on the threads of a team ---- */

typedef struct job {
    const mass_bit_runs *runs;
    uint8_t *bytes, *bits;
    int64_t count; /* of runs along the last two axes, or of bytes of bits */
    int parts;
} job;

/* Runs the job on the team, with fewer threads if it is worth little; sets j->parts. */
static void run_job(mass_cpu_team *team, job *j, int64_t worth, mass_cpu_part *share)
{
    j->parts = mass_cpu_team_threads(team);
    if (worth / WORTH_A_THREAD < j->parts) j->parts = 1 + (int)(worth / WORTH_A_THREAD);
    mass_cpu_team_run(team, j->parts, share, j);
}

/* Copies one thread's share of rows of bits, or sets them to the value if there is no source. */
static void copy_share(void *context, int part)
{
    const job *j = context;
    const mass_bit_runs *r = j->runs;
    for (int64_t i = j->count * part / j->parts, end = j->count * (part + 1) / j->parts; i < end; i++) {
        const int64_t a = i % r->count[1], b = i / r->count[1];
        uint64_t *to = r->to + a * r->to_stride[1] + b * r->to_stride[2];
        const uint64_t *from = r->from ? r->from + a * r->from_stride[1] + b * r->from_stride[2] : NULL;
        for (int64_t k = 0; k < r->count[0]; k++)
            mass_bits_copy_run(to + k * r->to_stride[0], r->to_bit, from ? from + k * r->from_stride[0] : NULL,
                               r->from_bit, r->bits, r->value);
    }
}

/* Copies runs of bits in host memory, on the team's threads if they are many. */
void mass_cpu_copy_bits(const mass_bit_runs *runs, mass_cpu_team *team)
{
    job j = {.runs = runs, .count = runs->count[1] * runs->count[2]};
    run_job(team, &j, j.count * runs->count[0] * (runs->bits + MASS_BITS_WORD), copy_share);
}

/* Unpacks one thread's share of whole bytes of bits. */
static void unpack_share(void *context, int part)
{
    const job *j = context;
    const int64_t first = j->count * part / j->parts, end = j->count * (part + 1) / j->parts;
    mass_cpu_unpack_row(j->bytes + 8 * first, j->bits + first, 8 * (end - first));
}

void mass_cpu_unpack(uint8_t *to, const uint8_t *bits, int64_t bytes, mass_cpu_team *team)
{
    job j = {.bytes = to, .bits = (uint8_t *)(uintptr_t)bits, .count = bytes};
    run_job(team, &j, bytes, unpack_share);
}

/* Packs one thread's share of whole bytes of bits. */
static void pack_share(void *context, int part)
{
    const job *j = context;
    const int64_t first = j->count * part / j->parts, end = j->count * (part + 1) / j->parts;
    mass_cpu_pack_row(j->bits + first, j->bytes + 8 * first, 8 * (end - first));
}

void mass_cpu_pack(uint8_t *bits, const uint8_t *from, int64_t bytes, mass_cpu_team *team)
{
    job j = {.bytes = (uint8_t *)(uintptr_t)from, .bits = bits, .count = bytes};
    run_job(team, &j, bytes, pack_share);
}
