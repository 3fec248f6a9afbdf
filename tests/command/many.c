/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints of models with thousands of parameters, attributes and tallies, which take a while to write. */
#include "command.h"

TestSuite(many, SCRATCH);

static void assert_goes_on(const char *what)
{
#define MANY "--plugin", bad_plugin("many"), "--seed", "1", "--json", "--quiet", "--set", path_of("%s=5000", what)
    const outcome whole = RUN_WITH(IN(.seconds = 900), MANY, "--steps", "4");
    DONE(RUN_WITH(IN(.seconds = 900), MANY, "--steps", "2", "--checkpoint", scratch("out")));
    const outcome o = RUN_WITH(IN(.seconds = 900), "--resume", scratch("out"), "--plugin", bad_plugin("many"),
                               "--steps", "4", "--json", "--quiet");
    cr_assert_str_eq(outcome_hash(&o, 0), outcome_hash(&whole, 0));
}

Test(many, parameters, .timeout = 3000) { assert_goes_on("parameters"); }
Test(many, attributes, .timeout = 3000) { assert_goes_on("attributes"); }
Test(many, tallies, .timeout = 3000) { assert_goes_on("tallies"); }
