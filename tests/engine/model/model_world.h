/* SPDX-License-Identifier: Apache-2.0 */
/* A small model for further declarations, and callbacks by hand. */
#ifndef MASS_TESTS_MODEL_WORLD_H
#define MASS_TESTS_MODEL_WORLD_H

#include "model/model.h"

#define COUNT(ARRAY) ((uint32_t)(sizeof(ARRAY) / sizeof *(ARRAY)))

/* grid (2-D): health u8, flow f32 x 3 in planes, colour u8 x 3 interleaved; line (1-D): health u16. Parameters count,
 * rate, file; constant two; tallies births (sum), peak (real maximum), total (cumulative sum). */
mass_model *world(void);
void discard(mass_model *m);

void add_space(mass_model *m, const char *name, uint32_t dimensions, mass_gidx extent);
void add_attribute(mass_model *m, const char *space, const char *name, uint32_t type, uint32_t length, uint32_t layout);
mass_status add_phase(mass_model *m, const mass_callback *c, const char *space, uint32_t schedule, mass_error *error);

/* An element that is a struct. */
typedef struct world_cell {
    uint32_t id;
    uint16_t kind, more;
} world_cell;
extern const mass_member cell_members[3];

#define FIELD_OF(NAME, TYPE, ACCESS, TARGET) {NAME, TARGET, ACCESS, MASS_TYPE_OF(TYPE), sizeof(TYPE), 0}
/* A field that updates the attribute health. */
extern const mass_field touch_health[1];
/* Returns a callback that does nothing, over places of a space of any number of dimensions. */
mass_callback callback(const char *name, const mass_field *fields, uint32_t count, int32_t radius);

#endif
