/* SPDX-License-Identifier: Apache-2.0 */
#include "io/input/load_two.h"
#include "text/decimal.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

bool mass_load_is_of_two(const mass_attribute_def *a)
{
    return a->type == MASS_BIT || (a->ranged && a->least == 0 && a->most == 1 && !mass_number_is_real(a->type));
}

mass_status mass_load_threshold(const char *text, size_t *length, double *threshold, mass_error *error)
{
    const char *at = strrchr(text, '@');
    *length = strlen(text);
    *threshold = 0;
    if (!at || at - text < 4 || strncasecmp(at - 4, ".png", 4) != 0) return MASS_OK;
    *length = (size_t)(at - text);
    if (mass_read_f64(at + 1, threshold) && *threshold > 0 && *threshold <= 1) return MASS_OK;
    return mass_error_set(error, MASS_BAD_USAGE, "--load %s: '%s' is not a threshold, a number above 0 and at most 1, "
                          "as in %.*s@0.5", text, at + 1, (int)*length, text);
}

/* Returns pixel `i` of an image of 8, 16 or 32 bits. */
static uint32_t pixel_at(const mass_numbers *n, uint64_t i)
{
    if (n->type == MASS_U32) return ((const uint32_t *)n->values)[i];
    return n->type == MASS_U16 ? ((const uint16_t *)n->values)[i] : ((const uint8_t *)n->values)[i];
}

/* Marks the numbers as bytes of 0 and 1; converts none. The caller writes them over the pixels, which are at least
 * as large. */
static void become_bits(mass_numbers *n)
{
    n->colours = false;
    n->picture = false;
    n->type = MASS_U8;
}

void mass_load_cut(mass_numbers *n, double threshold)
{
    uint8_t *bits = n->memory;
    for (uint64_t i = 0; i < n->count; i++) {
        const uint32_t p = pixel_at(n, i);
        const uint32_t luma = 299 * (p >> 16 & 255) + 587 * (p >> 8 & 255) + 114 * (p & 255);
        bits[i] = n->colours ? luma >= threshold * 255000 : p >= threshold * n->white;
    }
    become_bits(n);
}

bool mass_load_is_black_and_white(const mass_numbers *n)
{
    bool two = n->picture;
    for (uint64_t i = 0; two && i < n->count; i++) {
        const uint32_t pixel = pixel_at(n, i);
        two = pixel == 0 || pixel == n->white;
    }
    return two;
}

void mass_load_take_black_and_white(mass_numbers *n)
{
    uint8_t *bits = n->memory;
    for (uint64_t i = 0; i < n->count; i++) bits[i] = pixel_at(n, i) != 0;
    become_bits(n);
}

const char *mass_load_advice(const mass_load *load, const mass_attribute_def *a, bool picture, char out[200])
{
    out[0] = '\0';
    if (!picture || !mass_load_is_of_two(a) || load->threshold > 0) return out;
    snprintf(out, 200, "; %.120s@0.5 has 1 from half of white on", load->file);
    return out;
}
