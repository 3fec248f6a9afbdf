/* SPDX-License-Identifier: Apache-2.0 */
#include "text/number.h"
#include "model/value_names.h"
#include "text/decimal.h"

#include <mass/arithmetic.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *mass_number_show(mass_number n, char out[MASS_NUMBER_SIZE])
{
    if (n.kind == MASS_NUMBER_SIGNED) snprintf(out, MASS_NUMBER_SIZE, "%" PRId64, n.i);
    else if (n.kind == MASS_NUMBER_UNSIGNED) snprintf(out, MASS_NUMBER_SIZE, "%" PRIu64, n.u);
    else snprintf(out, MASS_NUMBER_SIZE, "%.9g", n.f);
    return out;
}

bool mass_number_read(const char *text, bool real, mass_number *out)
{
    if (real) {
        out->kind = MASS_NUMBER_REAL;
        return mass_read_f64(text, &out->f);
    }
    out->kind = text[0] == '-' ? MASS_NUMBER_SIGNED : MASS_NUMBER_UNSIGNED;
    if (text[0] != '-' && mass_read_u64(text, &out->u)) return true;
    return mass_read_whole(text, &out->i); /* >= 0 without a '-', so the unsigned value has the same bits */
}

bool mass_number_read_value(const mass_attribute_def *a, const char *text, bool real, mass_number *out)
{
    int64_t value;
    if (mass_number_read(text, real, out)) return true;
    if (!mass_value_of_name(a, text, &value)) return false;
    *out = (mass_number){.kind = MASS_NUMBER_SIGNED, .i = value};
    return true;
}

bool mass_number_is_real(uint32_t type) { return type == MASS_F32 || type == MASS_F64; }

/* Makes the calling function return the value at `from`, of type T, as a number of this kind. */
#define NUMBER_AT(KIND, MEMBER, T)                                         \
    do {                                                                   \
        T value;                                                           \
        memcpy(&value, from, sizeof value);                                \
        return (mass_number){.kind = MASS_NUMBER_##KIND, .MEMBER = value}; \
    } while (0)

mass_number mass_number_at(uint32_t type, const void *from)
{
    switch (type) {
    case MASS_I8: NUMBER_AT(SIGNED, i, int8_t);
    case MASS_U8:
    case MASS_BIT: NUMBER_AT(UNSIGNED, u, uint8_t);
    case MASS_I16: NUMBER_AT(SIGNED, i, int16_t);
    case MASS_U16: NUMBER_AT(UNSIGNED, u, uint16_t);
    case MASS_I32: NUMBER_AT(SIGNED, i, int32_t);
    case MASS_U32: NUMBER_AT(UNSIGNED, u, uint32_t);
    case MASS_I64: NUMBER_AT(SIGNED, i, int64_t);
    case MASS_U64: NUMBER_AT(UNSIGNED, u, uint64_t);
    case MASS_F32: NUMBER_AT(REAL, f, float);
    default: NUMBER_AT(REAL, f, double);
    }
}

double mass_number_double(mass_number n)
{
    if (n.kind == MASS_NUMBER_REAL) return n.f;
    return n.kind == MASS_NUMBER_SIGNED ? (double)n.i : (double)n.u;
}

bool mass_number_integer(mass_number n, int64_t least, uint64_t most, uint64_t *out)
{
    if (n.kind == MASS_NUMBER_REAL) return false;
    const bool negative = n.kind == MASS_NUMBER_SIGNED && n.i < 0;
    *out = n.kind == MASS_NUMBER_SIGNED ? (uint64_t)n.i : n.u;
    return negative ? n.i >= least : *out <= most;
}

/* Makes the calling function store number `n` at `to` as type T, and return true. If it does not fit, the function
 * returns false and stores nothing. */
#define STORE_INTEGER(T, LEAST, MOST)                                     \
    do {                                                                  \
        if (!mass_number_integer(n, LEAST, MOST, &value)) return false;   \
        memcpy(to, &(const T){(T)value}, sizeof(T));                      \
        return true;                                                      \
    } while (0)

/* Stores an integer as an element of this type. False, with nothing stored, if it is out of the type's range. */
static bool store_integer(uint32_t type, mass_number n, void *to)
{
    uint64_t value;
    switch (type) {
    case MASS_I8: STORE_INTEGER(int8_t, INT8_MIN, INT8_MAX);
    case MASS_U8: STORE_INTEGER(uint8_t, 0, UINT8_MAX);
    case MASS_BIT: STORE_INTEGER(uint8_t, 0, 1);
    case MASS_I16: STORE_INTEGER(int16_t, INT16_MIN, INT16_MAX);
    case MASS_U16: STORE_INTEGER(uint16_t, 0, UINT16_MAX);
    case MASS_I32: STORE_INTEGER(int32_t, INT32_MIN, INT32_MAX);
    case MASS_U32: STORE_INTEGER(uint32_t, 0, UINT32_MAX);
    case MASS_I64: STORE_INTEGER(int64_t, INT64_MIN, INT64_MAX);
    default: STORE_INTEGER(uint64_t, 0, UINT64_MAX);
    }
}

/* Converts a number of any kind to double, which may round large integers. */
static double to_double(mass_number n)
{
    return n.kind == MASS_NUMBER_REAL ? n.f : n.kind == MASS_NUMBER_SIGNED ? (double)n.i : (double)n.u;
}

/* Stores a real as float or double, with its not-a-number made canonical. */
static void put_real(uint32_t type, double value, void *to)
{
    if (type == MASS_F32) memcpy(to, &(const float){mass_canonical_f32((float)value)}, sizeof(float));
    else memcpy(to, &(const double){mass_canonical_f64(value)}, sizeof(double));
}

bool mass_number_store(uint32_t type, mass_number n, void *to)
{
    if (!mass_number_is_real(type)) return store_integer(type, n, to);
    const double value = to_double(n);
    if (!isfinite(value) || (type == MASS_F32 && !isfinite((float)value))) return false;
    put_real(type, value, to);
    return true;
}

bool mass_number_make_integer(mass_number *n)
{
    if (n->kind != MASS_NUMBER_REAL) return true;
    const double value = n->f;
    if (!(value >= -0x1p63 && value < 0x1p64) || value != trunc(value)) return false;
    if (value < 0) *n = (mass_number){.kind = MASS_NUMBER_SIGNED, .i = (int64_t)value};
    else *n = (mass_number){.kind = MASS_NUMBER_UNSIGNED, .u = (uint64_t)value};
    return true;
}

/* Returns true if a finite double equals this integer; false for an infinity or NaN. */
static bool is_same(double value, mass_number n)
{
    mass_number again = {.kind = MASS_NUMBER_REAL, .f = value};
    if (!mass_number_make_integer(&again)) return false;
    return again.u == n.u; /* the same bits: both are signed if negative; else the kind does not matter */
}

bool mass_number_store_exactly(uint32_t type, mass_number n, void *to)
{
    if (!mass_number_is_real(type)) return mass_number_make_integer(&n) && store_integer(type, n, to);
    const double wide = to_double(n), value = type == MASS_F32 ? (double)(float)wide : wide;
    if (n.kind == MASS_NUMBER_REAL ? value != wide && !isnan(wide) : !is_same(value, n)) return false;
    put_real(type, value, to);
    return true;
}
