/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a .npy: refused in one line, or numbers that fill the file, and that are each found again where their
 * indices say. */
#include "harness.h"
#include "io/input/npy.h"

#include <math.h>
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
    const size_t size = mass_npy_number_size(n);
    uint8_t *rows = malloc(n->count * size + 1);
    mass_npy_transpose(n, numbers, rows);
    for (uint64_t k = 0; k < n->count; k++)
        ALWAYS(memcmp(rows + k * size, numbers + place_of(n, k) * size, size) == 0);
    free(rows);
}

/* Each is the double that its bits say. */
static void check_halves(const mass_npy *n, const uint8_t *numbers)
{
    float *wide = malloc(n->count * sizeof *wide + 1);
    mass_npy_widen(numbers, n->count, wide);
    for (uint64_t i = 0; i < n->count; i++) {
        const int bits = numbers[2 * i] | numbers[2 * i + 1] << 8, exponent = bits >> 10 & 31, fraction = bits & 1023;
        const double size = (exponent ? 1024 + fraction : fraction) * exp2((exponent ? exponent : 1) - 25);
        if (exponent == 31) ALWAYS(fraction ? isnan(wide[i]) : isinf(wide[i]));
        else ALWAYS(fabs((double)wide[i]) == size);
        ALWAYS((exponent == 31 && fraction) || !signbit(wide[i]) == !(bits >> 15));
    }
    free(wide);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    mass_npy n = {.rank = 77};
    mass_error error = {0};
    const mass_status status = mass_npy_parse("f", bytes, size, &n, &error);
    ALWAYS(status == error.status && (status == MASS_OK || status == MASS_BAD_INPUT));
    if (status != MASS_OK) {
        ALWAYS(n.rank == 77 && strncmp(error.text, "f is not a .npy file", 20) == 0);
        for (const unsigned char *c = (const unsigned char *)error.text; *c; c++) ALWAYS(*c >= 0x20 && *c != 0x7f);
        return 0;
    }
    ALWAYS(n.rank <= MASS_NUMBERS_AXES && n.offset <= size);
    ALWAYS(n.count * mass_npy_number_size(&n) == size - n.offset);
    if (n.count > 0) check_transpose(&n, bytes + n.offset);
    if (n.half) check_halves(&n, bytes + n.offset);
    return 0;
}
