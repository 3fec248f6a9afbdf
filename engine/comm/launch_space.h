/* SPDX-License-Identifier: Apache-2.0 */
/* Requirements of a launcher on this host: file systems and network. */
#ifndef MASS_ENGINE_COMM_LAUNCH_SPACE_H
#define MASS_ENGINE_COMM_LAUNCH_SPACE_H

#include "base/error.h"

#include <stdint.h>

/* Checks that the launcher and `ranks` ranks can make and fill their files for shared memory, and can connect to each
 * other. Returns MASS_FAILED and names the folder if not: their own messages name none. Main thread. */
mass_status mass_comm_check_room(int32_t ranks, mass_error *error);

#endif
