/* SPDX-License-Identifier: Apache-2.0 */
/* Agents from tables and in sweeps, on the CPU. */
#include "tables.h"

#include <criterion/criterion.h>

Test(agents, from_tables) { expect_tables("--device cpu --threads 2"); }
Test(agents, from_tables_on_paranoid) { expect_tables("--device paranoid --threads 1"); }
Test(agents, in_sweeps) { expect_sweeps("--device cpu --threads 2"); }
Test(agents, in_sweeps_on_paranoid) { expect_sweeps("--device paranoid --threads 1"); }
