/* SPDX-License-Identifier: Apache-2.0 */
#include "text/decimal.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool mass_read_i64(const char *text, int64_t *out)
{
    if (!isdigit((unsigned char)text[text[0] == '-'])) return false;
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (errno || *end) return false;
    *out = value;
    return true;
}

bool mass_read_u64(const char *text, uint64_t *out)
{
    if (!isdigit((unsigned char)text[0])) return false;
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (errno || *end) return false;
    *out = value;
    return true;
}

bool mass_read_f64(const char *text, double *out)
{
    if (!text[0] || isspace((unsigned char)text[0])) return false;
    char *end;
    const double value = strtod(text, &end);
    if (*end || !isfinite(value)) return false;
    *out = value;
    return true;
}

/* Reads the mantissa without its point as an integer; *fraction: digits after the point, without trailing zeros.
 * Returns false if it is none, or has more than 23 characters without those zeros and the point. */
static bool take_digits(const char *text, size_t length, int64_t *digits, uint64_t *fraction)
{
    char kept[24];
    const char *point = memchr(text, '.', length);
    const size_t before = point ? (size_t)(point - text) : length;
    size_t behind = point ? length - before - 1 : 0;
    if ((point && behind == 0) || !isdigit((unsigned char)text[text[0] == '-'])) return false;
    while (behind > 0 && text[before + behind] == '0') behind--;
    if (before + behind >= sizeof kept) return false;
    memcpy(kept, text, before);
    if (point) memcpy(kept + before, point + 1, behind);
    kept[before + behind] = '\0';
    *fraction = behind;
    return mass_read_i64(kept, digits);
}

bool mass_read_whole(const char *text, int64_t *out)
{
    const size_t length = strcspn(text, "eE");
    int64_t value;
    uint64_t fraction, exponent = 0;
    if (!text[length] && !strchr(text, '.')) return mass_read_i64(text, out);
    if (!take_digits(text, length, &value, &fraction)) return false;
    if (text[length] && !mass_read_u64(text + length + 1 + (text[length + 1] == '+'), &exponent)) return false;
    if (exponent < fraction || exponent > 40) return false;
    for (exponent -= fraction; exponent > 0; exponent--)
        if (__builtin_mul_overflow(value, 10, &value)) return false;
    *out = value;
    return true;
}
