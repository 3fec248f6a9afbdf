/* What this program is, for --version. */
#ifndef MASS_ENGINE_COMMAND_VERSION_H
#define MASS_ENGINE_COMMAND_VERSION_H

#include <stdbool.h>

/* One line on standard output; verbose: with the library that reads its files, whether GPUs can be used, and by what
 * those who read others' files are confined here. */
void mass_version_print(bool verbose);

#endif
