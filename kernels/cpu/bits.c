/* SPDX-License-Identifier: Apache-2.0 */
/* Bits on the CPU: copies that begin anywhere in a word, and whole arrays to bytes and back. */
#include "cpu/kernels.h"

enum { WORTH_A_THREAD = 1 << 16 }; /* bytes of bits, or bits of runs */

typedef struct job {
    const mass_bit_runs *runs;
    uint8_t *bytes, *bits;
    int64_t count; /* of runs along the last two axes, or of bytes of bits */
    int parts;
} job;

static void run_job(mass_cpu_team *team, job *j, int64_t worth, mass_cpu_part *share)
{
    j->parts = mass_cpu_team_threads(team);
    if (worth / WORTH_A_THREAD < j->parts) j->parts = 1 + (int)(worth / WORTH_A_THREAD);
    mass_cpu_team_run(team, j->parts, share, j);
}

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

void mass_cpu_copy_bits(const mass_bit_runs *runs, mass_cpu_team *team)
{
    job j = {.runs = runs, .count = runs->count[1] * runs->count[2]};
    run_job(team, &j, j.count * runs->count[0] * (runs->bits + MASS_BITS_WORD), copy_share);
}

static void unpack_share(void *context, int part)
{
    const job *j = context;
    const int64_t first = j->count * part / j->parts, end = j->count * (part + 1) / j->parts;
    mass_bits_unpack(j->bytes + 8 * first, j->bits + first, 8 * (end - first));
}

void mass_cpu_unpack(uint8_t *to, const uint8_t *bits, int64_t bytes, mass_cpu_team *team)
{
    job j = {.bytes = to, .bits = (uint8_t *)(uintptr_t)bits, .count = bytes};
    run_job(team, &j, bytes, unpack_share);
}

static void pack_share(void *context, int part)
{
    const job *j = context;
    const int64_t first = j->count * part / j->parts, end = j->count * (part + 1) / j->parts;
    mass_bits_pack(j->bits + first, j->bytes + 8 * first, 8 * (end - first));
}

void mass_cpu_pack(uint8_t *bits, const uint8_t *from, int64_t bytes, mass_cpu_team *team)
{
    job j = {.bytes = (uint8_t *)(uintptr_t)from, .bits = bits, .count = bytes};
    run_job(team, &j, bytes, pack_share);
}
