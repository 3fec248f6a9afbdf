/* SPDX-License-Identifier: Apache-2.0 */
/* The El Farol bar, after W. B. Arthur, "Inductive reasoning and bounded rationality" (1994), with the strategies of
 * D. Fogel, K. Chellapilla and P. Angeline (1999): people go to the bar if they expect few others there. */
#include <mass/model.h>

enum { STRATEGIES = 10, MEMORY = 5, WEEKS = 2 * MEMORY, WEIGHTS = STRATEGIES * (MEMORY + 1) };

MASS_PARAMETER(int64_t, people, 100, 1, UINT32_MAX - 2, "how many there are")
MASS_PARAMETER(double, crowded, 0.6, 0, 1, "share of the people above which the bar is no fun")

MASS_SPACE(town, 2, .size = {10, 10}, .torus = MASS_AXES_ALL)
MASS_TALLY(SUM, int64_t, attendance, "people at the bar", .initial = 0)
MASS_WORLD_ATTRIBUTE(double, past, .length = WEEKS, .help = "attendance of the last weeks as a share, the last first")

MASS_POPULATION(people, town, .count = VALUE(people), .constant = 1)

/* The strategies of one person: each foretells the share of people by a constant and a weight for each week. */
typedef struct strategies {
    float weight[WEIGHTS];
} strategies;
MASS_AGENT_VECTOR(people, strategies, float, strategies, .least = -1, .most = 1)

MASS_ONCE(el_farol_begin, UPDATES(past))
{
}
