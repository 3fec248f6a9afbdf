/* SPDX-License-Identifier: Apache-2.0 */
#include "brim.h"

const char *const brim_places[] = {"--device cuda", "--device cuda --partitions 3", "--device cpu"};
const int brim_place_count = sizeof brim_places / sizeof *brim_places;
