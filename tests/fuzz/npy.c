/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a .npy: refused in one line, or numbers that fill the file, and that are each found again where their
 * indices say. */
#include "harness.h"
#include "io/input/npy.h"

#include <string.h>

/* Number k in row-major order, by its indices from the innermost on. */
static uint64_t place_of(const mass_npy *n, uint64_t k)
{
    uint64_t at[MASS_NUMBERS_AXES], place = 0;
    for (uint32_t i = n->rank; i-- > 0; k /= n->extent[i]) at[i] = k % n->extent[i];
    for (uint32_t i = n->rank; i-- > 0;) place = place * n->extent[i] + at[i];
    return place;
}

static void check_transpose(const mass_npy *n, const uint8_t *numbers)
{
    const size_t size = mass_type_size(n->type);
    uint8_t *rows = malloc(n->count * size + 1);
    mass_npy_transpose(n, numbers, rows);
    for (uint64_t k = 0; k < n->count; k++)
        ALWAYS(memcmp(rows + k * size, numbers + place_of(n, k) * size, size) == 0);
    free(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    mass_npy n = {.rank = 77};
    mass_error error = {0};
    const mass_status status = mass_npy_parse("f", bytes, size, &n, &error);
    ALWAYS(status == error.status && (status == MASS_OK || status == MASS_BAD_INPUT));
    if (status != MASS_OK) {
        ALWAYS(n.rank == 77 && strncmp(error.text, "f is no .npy file", 17) == 0);
        for (const unsigned char *c = (const unsigned char *)error.text; *c; c++) ALWAYS(*c >= 0x20 && *c != 0x7f);
        return 0;
    }
    ALWAYS(n.rank <= MASS_NUMBERS_AXES && n.offset <= size);
    ALWAYS(n.count * mass_type_size(n.type) == size - n.offset);
    if (n.count > 0) check_transpose(&n, bytes + n.offset);
    return 0;
}
