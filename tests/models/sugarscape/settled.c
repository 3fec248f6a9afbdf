/* SPDX-License-Identifier: Apache-2.0 */
/* Where ants of the book's first model have settled, and how many are left of them: J. M. Epstein and R. Axtell,
 * "Growing artificial societies" (1996), 400 ants on 50x50 places, of which some 224 live on. */
#include "sugarscape.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

enum { SIDE = 50, WORLDS = 20, STEPS = 500 };

typedef struct settled {
    int ants, ahead, behind; /* in all worlds; of those, beyond the top and before it, along the diagonal (1, 1) */
} settled;

/* From a top at `top` along an axis of the torus: -SIDE/2 and up to SIDE/2. */
static double from_top(int at, double top) { return remainder(at - top, SIDE); }

static void add_ant(settled *s, int place)
{
    const double x = place % SIDE, y = place / SIDE, low = 0.25 * SIDE, high = 0.75 * SIDE;
    const double right[] = {from_top(x, high), from_top(y, low)}, left[] = {from_top(x, low), from_top(y, high)};
    const double *near = hypot(right[0], right[1]) <= hypot(left[0], left[1]) ? right : left;
    s->ants++;
    s->ahead += near[0] + near[1] > 0;
    s->behind += near[0] + near[1] < 0;
}

static settled settle(const char *activation)
{
    const model m = sugarscape_model(SIDE, SIDE, STEPS,
                                     text("--seed 1 --set ants=400 --set activation=%s", activation));
    const char *folder = folder_make();
    engine_write(text("%s --steps %d --worlds %d --checkpoint %s --device cpu", m.options, STEPS, WORLDS, folder));
    dataset place = dataset_read(checkpoint_path(folder, STEPS), "/agents/ants/place");
    settled s = {0};
    for (size_t i = 0; i < place.size / sizeof(int64_t); i++) add_ant(&s, (int)((int64_t *)place.bytes)[i]);
    free(place.bytes);
    folder_empty(folder);
    return s;
}

void expect_settled(const char *activation)
{
    const settled s = settle(activation);
    const double share = (double)s.ahead / (s.ahead + s.behind), capacity = (double)s.ants / WORLDS;
    cr_expect(fabs(share - 0.5) <= 0.03, "%s: %.3f of the ants are beyond the tops", activation, share);
    cr_expect(fabs(capacity - 224) <= 8, "%s: %.1f ants are left", activation, capacity);
}
