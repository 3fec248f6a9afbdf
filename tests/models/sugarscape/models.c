/* SPDX-License-Identifier: Apache-2.0 */
#include "sugarscape.h"

#include <stdlib.h>

static const char *const attributes[] = {"id", "lost", "place", "vision", "metabolism", "wealth", NULL};

model sugarscape_model(int nx, int ny, int steps, const char *more)
{
    return (model){text("--plugin '%s/sugarscape.so' --size %dx%d %s", getenv("MASS_PLUGINS"), nx, ny, more),
                   "/places/grid/sugar", ny, steps, "ants", attributes};
}

void each_sugarscape(int steps, void (*check)(const model *m))
{
    static const struct {
        int nx, ny;
        const char *more;
    } all[] = {{64, 64, "--seed 1"},
               {5, 3, "--seed 2 --set ants=10 --set replace=yes"},
               {130, 7, "--seed 3 --set ants=500 --set reproduce=12 --set landscape=flat"},
               {9, 120, "--seed 4 --set vision_max=30 --set replace=yes --set reproduce=20"},
               {90, 60, "--seed 5 --set sugar_max=40 --set growback=3 --set replace=yes --set ants=4000"},
               {48, 31, "--seed 6 --set activation=turn --set ants=400"},
               {9, 40, "--seed 7 --set activation=turn --set vision_max=30 --set replace=yes --set reproduce=20"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const model m = sugarscape_model(all[i].nx, all[i].ny, steps, all[i].more);
        check(&m);
    }
}
