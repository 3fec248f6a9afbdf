/* SPDX-License-Identifier: Apache-2.0 */
/* What a launcher on this host needs of its file systems. */
#ifndef MASS_ENGINE_COMM_LAUNCH_ROOM_H
#define MASS_ENGINE_COMM_LAUNCH_ROOM_H

#include "base/error.h"

#include <stdint.h>

/* That launcher and so many ranks can make the files by which they share memory, and fill them; MASS_FAILED, with the
 * folder, where they could not: they would end in lines that name none. Main thread. */
mass_status mass_comm_check_room(int32_t ranks, mass_error *error);

#endif
