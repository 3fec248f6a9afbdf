/* SPDX-License-Identifier: Apache-2.0 */
#include "brim.h"

const char *const brim_places[] = {
    "--device cpu --threads 1", "--device cpu --threads 2 --partitions 7", "--device cpu --threads 2 --partitions 2",
    "--device paranoid --partitions 3"};
const int brim_place_count = sizeof brim_places / sizeof *brim_places;
