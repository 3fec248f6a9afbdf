/* SPDX-License-Identifier: Apache-2.0 */
/* What eaten and its reference share: numbers, and draws as functions of what is drawn from. */
#ifndef MASS_TESTS_MODELS_EATEN_H
#define MASS_TESTS_MODELS_EATEN_H

#define EATEN_FLOCK(r) ((r).v[0] % 4 == 0 ? (r).v[0] / 4 % 4 : 0)
#define EATEN_PACK(r) ((r).v[1] % 9 == 0 ? 1 + (r).v[1] / 16 % 2 : 0)
#define EATEN_WOOD(r) ((r).v[2] % 3 == 0)
#define EATEN_STEP_BY(id, step) ((int)(((uint64_t)(id) * 2654435761u + (uint64_t)(step) * 40503u) / 64 % 3) - 1)
#define EATEN_OLD(id) (2 + (int32_t)((id) % 5))
enum { EATEN_LAMBING = 9, EATEN_LITTERING = 12 };

#endif
