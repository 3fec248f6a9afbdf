/* SPDX-License-Identifier: Apache-2.0 */
/* The command with which a run that was stopped goes on. */
#ifndef MASS_ENGINE_GO_ON_H
#define MASS_ENGINE_GO_ON_H

#include "command/options/options.h"

/* As a shell takes it: this program, --resume with the folder of checkpoints, and what these do not keep, but for what
 * concerns only looks and speed. The caller frees it. NULL: there is no memory. */
char *mass_go_on(const mass_options *o, const char *folder);

#endif
