/* SPDX-License-Identifier: Apache-2.0 */
#include "brim.h"
#include "needed.h"

#include <stddef.h>

const needed what_is_needed = {"--plugin life --steps 0 --quiet --ranks 2",
                               {"there is no MPI in this build", "needs mpirun, which is not in PATH", NULL}};

const char *const brim_places[] = {"--device cpu --ranks 2", "--device cpu --ranks 4 --threads 1"};
const int brim_place_count = sizeof brim_places / sizeof *brim_places;
