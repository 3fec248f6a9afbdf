/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints that were cut or changed: refused, or what is restored is what was stored. */
#include "../extended.h"
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(damage, SCRATCH, .timeout = 3000);

/* A run of each model to the step that its checkpoint is resumed at. */
static const char *make(const char *plugin, const char *size)
{
    const outcome o = RUN("--plugin", plugin, "--size", size, "--steps", "12", "--seed", "8", "--json", "--quiet",
                          "--checkpoint", scratch("whole"));
    return outcome_hash(&o, 0);
}

static outcome resume_bytes(const uint8_t *bytes, size_t size)
{
    file_write(scratch("damaged/ckpt-000000000012.h5"), bytes, size);
    return RUN("--resume", scratch("damaged/ckpt-000000000012.h5"), "--steps", "12", "--json", "--quiet");
}

static void assert_refused_or_equal(const outcome *o, const char *hash)
{
    if (o->status == 0) cr_assert_str_eq(outcome_hash(o, 0), hash);
    else assert_refused(o, MASS_BAD_INPUT, ARGUMENTS("ckpt-000000000012.h5"));
    cr_assert_eq(folder_count(scratch("damaged")), 1, "something was written");
}

static void flip_bytes(const char *plugin, const char *size, uint64_t seed)
{
    const char *hash = make(plugin, size);
    const content whole = file_read(scratch("whole/ckpt-000000000012.h5"));
    folder_make(scratch("damaged"));
    const int all = unsanitized(24, 64);
    int refused = 0;
    for (int i = 0; i < all; i++) {
        uint8_t *copy = kept(malloc(whole.size));
        memcpy(copy, whole.bytes, whole.size);
        for (uint64_t n = next_random(&seed) % 4 + 1; n > 0; n--)
            copy[next_random(&seed) % whole.size] ^= (uint8_t)(next_random(&seed) % 255 + 1);
        const outcome o = resume_bytes(copy, whole.size);
        assert_refused_or_equal(&o, hash);
        refused += o.status != 0;
    }
    cr_assert_gt(refused, all / 2, "only %d of %d were noticed", refused, all);
}

Test(damage, life_with_changed_bytes) { flip_bytes("life", "100x90", 1); }
Test(damage, heat_with_changed_bytes) { flip_bytes("heat", "12x10x9", 2); }

Test(damage, truncated)
{
    make("life", "100x90");
    const content whole = file_read(scratch("whole/ckpt-000000000012.h5"));
    folder_make(scratch("damaged"));
    uint64_t seed = 3;
    for (int i = 0; i < unsanitized(24, 64); i++) {
        const size_t fixed[] = {0, 1, 8, 48, whole.size / 2, whole.size - 1};
        const size_t size = i < 6 ? fixed[i] : next_random(&seed) % whole.size;
        const outcome o = resume_bytes(whole.bytes, size);
        assert_refused(&o, MASS_BAD_INPUT, ARGUMENTS("ckpt-000000000012.h5"));
        cr_assert_eq(folder_count(scratch("damaged")), 1, "something was written");
    }
}

Test(damage, whole_is_restored)
{
    const char *hash = make("heat", "12x10x9");
    const content whole = file_read(scratch("whole/ckpt-000000000012.h5"));
    folder_make(scratch("damaged"));
    const outcome o = resume_bytes(whole.bytes, whole.size);
    cr_assert_str_eq(outcome_hash(&o, 0), hash);
}

Test(damage, other_files)
{
    file_write_text(scratch("ckpt-000000000012.h5"), "x = 3, y = 3\nbo$2bo$3o!\n");
    REFUSED(RUN("--resume", scratch("ckpt-000000000012.h5")), MASS_BAD_INPUT, "ckpt-000000000012.h5");
    REFUSED(RUN("--resume", shipped("life")), MASS_BAD_INPUT, "life.so");
    REFUSED(RUN("--resume", "/dev/null"), MASS_BAD_INPUT, "/dev/null");
}
