/* SPDX-License-Identifier: Apache-2.0 */
#include "model/range.h"

#include <math.h>
#include <stdio.h>

enum { BLOCK = 4096 }; /* values that are tested at once before one is searched for */

/* ---- search ---- */

/* The ends of a range, as values of an integer type that are in it. Empty if low is above high. */
#define ENDS(NAME, T, LEAST, MOST, TOP)                                                              \
    typedef struct { T low, high; } NAME##_ends;                                                     \
    static NAME##_ends NAME##_ends_of(const mass_attribute_def *a)                                   \
    {                                                                                                \
        const double low = ceil(a->least), high = floor(a->most);                                    \
        if (!(low <= high) || low >= TOP || high < (double)LEAST) return (NAME##_ends){MOST, LEAST}; \
        return (NAME##_ends){low <= (double)LEAST ? LEAST : (T)low, high >= TOP ? MOST : (T)high};   \
    }
ENDS(i8, int8_t, INT8_MIN, INT8_MAX, 0x1p7)
ENDS(u8, uint8_t, 0, UINT8_MAX, 0x1p8)
ENDS(i16, int16_t, INT16_MIN, INT16_MAX, 0x1p15)
ENDS(u16, uint16_t, 0, UINT16_MAX, 0x1p16)
ENDS(i32, int32_t, INT32_MIN, INT32_MAX, 0x1p31)
ENDS(u32, uint32_t, 0, UINT32_MAX, 0x1p32)
ENDS(i64, int64_t, INT64_MIN, INT64_MAX, 0x1p63)
ENDS(u64, uint64_t, 0, UINT64_MAX, 0x1p64)

typedef struct { double low, high; } real_ends;
/* Returns the ends of a range of floats or doubles. */
static real_ends real_ends_of(const mass_attribute_def *a) { return (real_ends){a->least, a->most}; }

/* Tests whole blocks, so that the compiler vectorises the loop. */
#define FIND(NAME, T, ENDS_OF)                                                                     \
    static size_t find_##NAME(const mass_attribute_def *a, const T *v, size_t count)               \
    {                                                                                              \
        const ENDS_OF##_ends e = ENDS_OF##_ends_of(a);                                             \
        for (size_t first = 0; first < count; first += BLOCK) {                                    \
            const size_t end = count - first < BLOCK ? count : first + BLOCK;                      \
            int outside = 0;                                                                       \
            for (size_t i = first; i < end; i++) outside |= !((v[i] >= e.low) & (v[i] <= e.high)); \
            for (size_t i = first; outside && i < end; i++)                                        \
                if (!(v[i] >= e.low && v[i] <= e.high)) return i;                                  \
        }                                                                                          \
        return count;                                                                              \
    }
FIND(i8, int8_t, i8)
FIND(u8, uint8_t, u8)
FIND(i16, int16_t, i16)
FIND(u16, uint16_t, u16)
FIND(i32, int32_t, i32)
FIND(u32, uint32_t, u32)
FIND(i64, int64_t, i64)
FIND(u64, uint64_t, u64)
FIND(f32, float, real)
FIND(f64, double, real)

size_t mass_range_find(const mass_attribute_def *a, const void *values, size_t count)
{
    if (!a->ranged) return count;
    switch (a->type) {
    case MASS_I8: return find_i8(a, values, count);
    case MASS_U8: return find_u8(a, values, count);
    case MASS_I16: return find_i16(a, values, count);
    case MASS_U16: return find_u16(a, values, count);
    case MASS_I32: return find_i32(a, values, count);
    case MASS_U32: return find_u32(a, values, count);
    case MASS_I64: return find_i64(a, values, count);
    case MASS_U64: return find_u64(a, values, count);
    case MASS_F32: return find_f32(a, values, count);
    case MASS_F64: return find_f64(a, values, count);
    default: return count;
    }
}

double mass_range_value(const mass_attribute_def *a, const void *value)
{
    switch (a->type) {
    case MASS_I8: return *(const int8_t *)value;
    case MASS_U8: return *(const uint8_t *)value;
    case MASS_I16: return *(const int16_t *)value;
    case MASS_U16: return *(const uint16_t *)value;
    case MASS_I32: return *(const int32_t *)value;
    case MASS_U32: return *(const uint32_t *)value;
    case MASS_I64: return (double)*(const int64_t *)value;
    case MASS_U64: return (double)*(const uint64_t *)value;
    case MASS_F32: return *(const float *)value;
    default: return *(const double *)value;
    }
}

/* Sets *low and *high to the ends of attribute `a` of an integer type. Is a case of a switch. */
#define GIVE_ENDS(NAME, TYPE)                         \
    case TYPE: {                                      \
        const NAME##_ends e = NAME##_ends_of(a);      \
        *low = (uint64_t)e.low;                       \
        *high = (uint64_t)e.high;                     \
        break;                                        \
    }

void mass_range_ends(const mass_attribute_def *a, uint64_t *low, uint64_t *high)
{
    switch (a->type) {
    GIVE_ENDS(i8, MASS_I8)
    GIVE_ENDS(u8, MASS_U8)
    GIVE_ENDS(i16, MASS_I16)
    GIVE_ENDS(u16, MASS_U16)
    GIVE_ENDS(i32, MASS_I32)
    GIVE_ENDS(u32, MASS_U32)
    GIVE_ENDS(i64, MASS_I64)
    GIVE_ENDS(u64, MASS_U64)
    default:
        *low = mass_bits_f64(a->least);
        *high = mass_bits_f64(a->most);
    }
}

/* ---- declaration ---- */

const char *mass_range_show(const mass_attribute_def *a, char text[MASS_RANGE_TEXT])
{
    const bool from = isfinite(a->least), to = isfinite(a->most);
    if (from && to) snprintf(text, MASS_RANGE_TEXT, "%.17g to %.17g", a->least, a->most);
    else if (from) snprintf(text, MASS_RANGE_TEXT, "at least %.17g", a->least);
    else if (to) snprintf(text, MASS_RANGE_TEXT, "at most %.17g", a->most);
    else snprintf(text, MASS_RANGE_TEXT, "a number");
    return text;
}

mass_status mass_range_declare(const mass_attribute *a, mass_attribute_def *def, mass_error *error)
{
    char text[MASS_RANGE_TEXT];
    if (def->type == MASS_BIT && (a->least > 0 || (a->least == 0 && a->most != 0 && a->most < 1) || a->most < 0))
        return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' is of bits, and its range does not hold 0 and 1",
                              def->name);
    def->ranged = def->type != MASS_BIT && (a->least != 0 || a->most != 0);
    def->least = a->least;
    def->most = a->most;
    if (!def->ranged) return MASS_OK;
    if (def->type == MASS_STRUCT)
        return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' is a struct, and has a range: only numbers have "
                              "one", def->name);
    if (!(a->least <= a->most))
        return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' has the range %.17g to %.17g, in which nothing "
                              "is", def->name, a->least, a->most);
    if (mass_range_find(def, def->initial, 1) != 1)
        return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' has the range %s, and its default is outside: "
                              "give it another .initial", def->name, mass_range_show(def, text));
    return MASS_OK;
}

void mass_range_widen(mass_attribute_def *a, const mass_attribute_def *other)
{
    a->ranged &= other->ranged;
    a->least = fmin(a->least, other->least);
    a->most = fmax(a->most, other->most);
}
