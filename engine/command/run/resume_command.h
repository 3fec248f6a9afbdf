/* SPDX-License-Identifier: Apache-2.0 */
/* The command that continues a stopped run. */
#ifndef MASS_ENGINE_RESUME_COMMAND_H
#define MASS_ENGINE_RESUME_COMMAND_H

#include "command/options/options.h"

/* Returns it as words of a shell: this program, --resume with the checkpoint folder, and the options that checkpoints
 * do not store. Leaves out options that only change speed or display. The caller frees it. NULL: memory is short. */
char *mass_resume_command(const mass_options *o, const char *folder);

#endif
