/* SPDX-License-Identifier: Apache-2.0 */
/* What this program is, for --version. */
#ifndef MASS_ENGINE_COMMAND_VERSION_H
#define MASS_ENGINE_COMMAND_VERSION_H

#include <stdbool.h>
#include <stdio.h>

/* One line; verbose: with the library that reads its files, whether GPUs can be used, and by what
 * those who read others' files are confined here. */
void mass_version_print(bool verbose, FILE *to);

#endif
