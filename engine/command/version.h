/* SPDX-License-Identifier: Apache-2.0 */
/* Prints what this program is, for --version. */
#ifndef MASS_ENGINE_COMMAND_VERSION_H
#define MASS_ENGINE_COMMAND_VERSION_H

#include <stdbool.h>
#include <stdio.h>

/* Prints one line. verbose: also the library that reads files, whether GPUs and MPI are built in, and how processes
 * that read untrusted files are confined here. */
void mass_version_print(bool verbose, FILE *to);

#endif
