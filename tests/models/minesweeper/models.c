/* SPDX-License-Identifier: Apache-2.0 */
#include "minesweeper.h"

#include <stdlib.h>

static const char *const attributes[] = {"id", "lost", "place", "active", "action", "episode", NULL};

model minesweeper_model(int nx, int ny, int steps, const char *more)
{
    return (model){text("--plugin '%s/minesweeper.so' --size %dx%d %s", getenv("MASS_PLUGINS"), nx, ny, more),
                   "/places/grid/q", ny, steps, "walker", attributes};
}

void each_minesweeper(int steps, void (*check)(const model *m))
{
    static const struct {
        int nx, ny;
        const char *more;
    } all[] = {{46, 46, "--seed 1 --set epsilon_step=0.2"},
               {1, 1, "--seed 2 --set mines=0 --set agents=3"},
               {7, 5, "--seed 3 --set mines=6 --set agents=40 --set start=corner --set restart=0.5"},
               {3, 90, "--seed 4 --set agents=1000 --set epsilon=0.5 --set epsilon_step=0.01"},
               {64, 20, "--seed 5 --set mines=500 --set alpha=0.9 --set gamma=0.99 --set restart=0.8"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const model m = minesweeper_model(all[i].nx, all[i].ny, steps, all[i].more);
        check(&m);
    }
}

void each_lonely_minesweeper(int steps, void (*check)(const model *m))
{
    static const struct {
        int nx, ny;
        const char *more;
    } all[] = {{46, 46, "--seed 1 --set mines=600"}, {7, 5, "--seed 3 --set mines=6 --set start=corner"},
               {1, 9, "--seed 4 --set mines=0"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const model m = minesweeper_model(all[i].nx, all[i].ny, steps, text("%s --set agents=1", all[i].more));
        check(&m);
    }
}
