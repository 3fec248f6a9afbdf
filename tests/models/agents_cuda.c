/* SPDX-License-Identifier: Apache-2.0 */
/* Agents from tables and in sweeps, on a GPU. */
#include "tables.h"

#include <criterion/criterion.h>

Test(agents_cuda, from_tables) { expect_tables("--device cuda"); }
Test(agents_cuda, in_sweeps) { expect_sweeps("--device cuda"); }
