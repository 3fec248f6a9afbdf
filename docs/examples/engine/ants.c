/* SPDX-License-Identifier: Apache-2.0 */
/* Runs Sugarscape until the number of ants is steady, and prints what the richest tenth of them has. */
#include <mass/engine.h>

#include <stdio.h>
#include <stdlib.h>

/* Ends the program with the engine's sentence if a call has failed. */
static void check(int status)
{
    if (status == MASS_OK) return;
    fprintf(stderr, "ants: %s\n", mass_engine_error());
    exit(status);
}

static int descending(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x < y) - (x > y);
}

int main(void)
{
    const mass_engine_option options[] = {{"size", "100x100"}, {"seed", "1"}, {"set", "vision_max=4"}};
    mass_engine_array wealth = {.struct_size = sizeof wealth};
    mass_engine *run;
    check(mass_engine_open("sugarscape", options, 3, &run));
    const mass_engine_now *now = mass_engine_look(run);
    check(mass_engine_until(run, "steady(ants, 50)"));
    while (!now->held) check(mass_engine_step(run, 1000000, 0.1, NULL)); /* returns every tenth of a second */
    check(mass_engine_find(run, "ants.wealth", &wealth));
    int32_t *values = malloc(wealth.bytes);
    if (!values) return 1;
    check(mass_engine_read(run, wealth.attribute, NULL, values, wealth.bytes));
    const int64_t ants = wealth.extent[0];
    double all = 0, rich = 0;
    qsort(values, (size_t)ants, sizeof *values, descending);
    for (int64_t i = 0; i < ants; i++) all += values[i], rich += i < ants / 10 ? values[i] : 0;
    printf("step %d: %d ants, and a tenth of them has %.0f %%\n", (int)now->step, (int)ants, 100 * rich / all);
    free(values);
    mass_engine_close(run);
}
