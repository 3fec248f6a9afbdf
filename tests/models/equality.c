/* SPDX-License-Identifier: Apache-2.0 */
/* Every CPU device, thread count, instruction set, partition count and grouping of worlds gives the
 * same bits. */
#include "../extended.h"
#include "../instructions.h"
#include "same.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { STEPS = 70 };

static void threads(const model *m)
{
    const char *expected = expected_result(m);
    if (unsanitized(0, 1)) expect_same(m, "--device cpu --threads 2", expected);
    expect_same(m, "--device cpu --threads 5", expected);
}

Test(equality, life_on_any_number_of_threads) { each_life(STEPS, threads); }
Test(equality, heat_on_any_number_of_threads) { each_heat(STEPS, threads); }

static void instruction_sets(const model *m)
{
    static const char *const names[] = {"base", "avx2", "avx512"};
    const char *expected = expected_result(m);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!machine_has(names[i])) continue;
        setenv("MASS_ISA", names[i], 1);
        expect_same(m, "--device cpu --threads 2", expected);
        unsetenv("MASS_ISA");
    }
}

Test(equality, life_with_every_instruction_set) { each_life(STEPS, instruction_sets); }
Test(equality, heat_with_every_instruction_set) { each_heat(STEPS, instruction_sets); }

static void partitions(const model *m)
{
    expect_same_in_partitions(m, "--device cpu --threads 2", expected_result(m));
}

Test(equality, life_in_any_number_of_partitions) { each_life(STEPS, partitions); }
Test(equality, heat_in_any_number_of_partitions) { each_heat(STEPS, partitions); }

static void paranoid(const model *m)
{
    expect_same_in_partitions(m, "--device paranoid --threads 1", expected_result(m));
}

Test(equality, life_on_paranoid) { each_life(STEPS / 3, paranoid); }
Test(equality, heat_on_paranoid) { each_heat(STEPS / 3, paranoid); }

static void worlds(const model *m)
{
    const char *cut = m->rows >= 3 ? "--device cpu --threads 2 --partitions 3" : "--device cpu --threads 2";
    if (unsanitized(0, 1)) expect_same_worlds(m, "--device cpu --threads 2", "--device cpu --threads 1");
    expect_same_worlds(m, cut, "--device paranoid --threads 1");
}

Test(equality, life_worlds_together_and_apart) { each_life(STEPS / 3, worlds); }
Test(equality, heat_worlds_together_and_apart) { each_heat(STEPS / 3, worlds); }

/* That the hashes above say something. */
Test(equality, another_seed_or_step_has_another_hash)
{
    const model life = life_model(64, 64, STEPS, "B3/S23", "torus"), heat = heat_model(64, 48, 1, STEPS, 1, 3, 2);
    for (int i = 0; i < 2; i++) {
        model m = i ? heat : life;
        const char *first = expected_result(&m), *seed = text("%s --seed 18", m.options);
        m.steps++;
        cr_expect_str_neq(first, expected_result(&m));
        m.steps--;
        m.options = seed;
        cr_expect_str_neq(first, expected_result(&m));
    }
}
