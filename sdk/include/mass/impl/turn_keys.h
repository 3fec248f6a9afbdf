/* SPDX-License-Identifier: Apache-2.0 */
/* The keys by which agents or places act in turn: 64 bits each, in ascending order. They are computed before anybody
 * acts. */
#ifndef MASS_TURN_KEYS_H
#define MASS_TURN_KEYS_H

#include <mass/impl/launch.h>
#include <mass/random.h>
#include <string.h>

/* Returns the bits of a float or double so that greater numbers have greater bits. -0 equals 0. Sets *nan if it is not
 * a number. */
MASS_FN uint64_t mass_turn_real_key(double value, uint32_t *nan)
{
    const uint64_t sign = UINT64_C(1) << 63;
    uint64_t bits;
    if (value != value) *nan = 1;
    if (value == 0) value = 0;
    memcpy(&bits, &value, sizeof bits);
    return bits & sign ? ~bits : bits | sign;
}
MASS_FN uint64_t mass_turn_signed_key(int64_t value) { return (uint64_t)value ^ UINT64_C(1) << 63; }

/* Returns the key of an attribute's value. Each case reads an array of that type. */
MASS_FN uint64_t mass_turn_value_key(const mass_turn_keys *k, uint32_t i)
{
    switch (k->type) {
    case MASS_I8: return mass_turn_signed_key(((const int8_t *)k->values)[i]);
    case MASS_I16: return mass_turn_signed_key(((const int16_t *)k->values)[i]);
    case MASS_I32: return mass_turn_signed_key(((const int32_t *)k->values)[i]);
    case MASS_I64: return mass_turn_signed_key(((const int64_t *)k->values)[i]);
    case MASS_U16: return ((const uint16_t *)k->values)[i];
    case MASS_U32: return ((const uint32_t *)k->values)[i];
    case MASS_U64: return ((const uint64_t *)k->values)[i];
    case MASS_F32: return mass_turn_real_key(((const float *)k->values)[i], k->nan);
    case MASS_F64: return mass_turn_real_key(((const double *)k->values)[i], k->nan);
    default: return ((const uint8_t *)k->values)[i]; /* MASS_U8, and a byte for a bit */
    }
}

/* Returns the key of an agent or place i of a world. Equal keys act by id: an agent's, or a place's number. If the
 * order is reversed, keys are, and so are ids. */
MASS_FN uint64_t mass_turn_key(const mass_turn_keys *k, uint64_t random_key, uint64_t step, uint32_t phase, uint64_t id,
                               uint32_t i)
{
    uint64_t key = 0;
    if (k->by == MASS_TURN_SHUFFLED) {
        const mass_random4 r = mass_random_block(random_key, id, step, phase, MASS_LOTTERY_DRAW);
        key = (uint64_t)r.v[0] << 32 | r.v[1];
    } else if (k->by == MASS_TURN_BY_VALUE) key = mass_turn_value_key(k, i);
    return k->reversed ? ~key : key;
}

#endif
