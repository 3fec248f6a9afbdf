/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints that are damaged at any byte are refused, or hold what they held. Every one, or a sample of them. */
#include "folder.h"
#include "models.h"
#include "../../../extended.h"
#include "snapshot/snapshot.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(checkpoint, .init = make_folder, .fini = remove_folder, .timeout = 3000);

enum { UNKNOWN, REFUSED, SAME, WRONG, CRASHED };

typedef struct damage {
    int file;
    const char *path;
    const uint8_t *bytes;
    size_t size;
    const mass_snapshot *snapshot;
    void (*apply)(const struct damage *, size_t at);
    void (*undo)(const struct damage *, size_t at);
} damage;

static uint8_t pattern;

static size_t stride(void) { return (size_t)extended(unsanitized(61, 11), 1); }

static void flip(const damage *d, size_t at)
{
    const uint8_t byte = d->bytes[at] ^ pattern;
    if (pwrite(d->file, &byte, 1, (off_t)at) != 1) abort();
}

static void unflip(const damage *d, size_t at)
{
    if (pwrite(d->file, &d->bytes[at], 1, (off_t)at) != 1) abort();
}

static void truncate_at(const damage *d, size_t at)
{
    if (ftruncate(d->file, (off_t)at) != 0) abort();
}

static void restore(const damage *d, size_t at)
{
    (void)at;
    if (pwrite(d->file, d->bytes, d->size, 0) != (ssize_t)d->size) abort();
}

static uint8_t outcome_of(const damage *d)
{
    mass_error e = {0};
    if (mass_checkpoint_verify(d->path, &e) != MASS_OK)
        return e.status == MASS_BAD_INPUT && strstr(e.text, d->path) ? REFUSED : WRONG;
    return holds(d->path, d->snapshot) ? SAME : WRONG;
}

/* Tries the damage at every byte, or at a sample of the bytes, in child processes. A child that dies counts as a crash
 * of the probe at this byte. The next child continues after it. */
static void try_all(const damage *d, uint8_t *outcomes)
{
    for (volatile size_t *next = (volatile size_t *)(outcomes + (d->size + 7) / 8 * 8); *next < d->size;) {
        const pid_t id = fork();
        if (id == 0) {
            for (; *next < d->size; *next += stride()) {
                alarm(30);
                d->apply(d, *next);
                outcomes[*next] = outcome_of(d);
                d->undo(d, *next);
            }
            _exit(0);
        }
        int how;
        waitpid(id, &how, 0);
        if (*next >= d->size) break;
        outcomes[*next] = CRASHED;
        d->undo(d, *next);
        *next += stride();
    }
}

/* Counts how often each outcome comes out of the damage to a small checkpoint. */
static void survey(mass_model m, void (*apply)(const damage *, size_t), void (*undo)(const damage *, size_t),
                   int counts[5])
{
    mass_snapshot s = filled(&m, worlds_of(&m), 100);
    char path[PATH_MAX];
    struct stat facts;
    write_one(&s, path);
    damage d = {.file = open(path, O_RDWR), .path = path, .snapshot = &s, .apply = apply, .undo = undo};
    fstat(d.file, &facts);
    d.size = (size_t)facts.st_size;
    uint8_t *bytes = malloc(d.size);
    cr_assert_eq(pread(d.file, bytes, d.size, 0), (ssize_t)d.size);
    d.bytes = bytes;
    uint8_t *outcomes = mmap(NULL, d.size + 64, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    try_all(&d, outcomes);
    memset(counts, 0, 5 * sizeof *counts);
    for (size_t i = 0; i < d.size; i += stride()) counts[outcomes[i]]++;
    if (counts[CRASHED])
        fprintf(stderr, "HDF5 crashed on %d of %zu damaged files, which only the probe refuses\n", counts[CRASHED],
                d.size);
    munmap(outcomes, d.size + 64);
    free(bytes);
    close(d.file);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

Test(checkpoint, cut_at_any_byte_is_refused)
{
    int counts[5];
    survey(small_model(), truncate_at, restore, counts);
    cr_assert_eq(counts[SAME] + counts[WRONG] + counts[UNKNOWN], 0, "%d came back, %d wrong", counts[SAME],
                 counts[WRONG]);
    cr_assert_gt(counts[REFUSED], 1000 / (int)stride());
}

static void survey_flips(mass_model m, uint8_t bits)
{
    int counts[5];
    pattern = bits;
    survey(m, flip, unflip, counts);
    cr_assert_eq(counts[WRONG] + counts[UNKNOWN], 0, "%d wrong", counts[WRONG]);
    cr_assert_gt(counts[REFUSED], 1000 / (int)stride());
}

Test(checkpoint, with_a_low_bit_flipped_is_refused_or_the_same) { survey_flips(small_model(), 0x01); }
Test(checkpoint, with_a_high_bit_flipped_is_refused_or_the_same) { survey_flips(small_model(), 0x80); }
Test(checkpoint, with_a_byte_inverted_is_refused_or_the_same) { survey_flips(small_model(), 0xff); }
Test(checkpoint, of_agents_with_a_low_bit_flipped_is_refused_or_the_same) { survey_flips(small_crowd_model(), 0x01); }
Test(checkpoint, of_agents_with_a_byte_inverted_is_refused_or_the_same) { survey_flips(small_crowd_model(), 0xff); }
Test(checkpoint, of_keys_with_a_byte_inverted_is_refused_or_the_same) { survey_flips(small_keys_model(), 0xff); }
Test(checkpoint, of_a_sweep_with_a_low_bit_flipped_is_refused_or_the_same) { survey_flips(small_swept_model(), 0x01); }
Test(checkpoint, of_a_sweep_with_a_byte_inverted_is_refused_or_the_same) { survey_flips(small_swept_model(), 0xff); }
