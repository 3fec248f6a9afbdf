/* SPDX-License-Identifier: Apache-2.0 */
/* What a launcher on this host needs of its file systems. */
#ifndef MASS_ENGINE_COMM_LAUNCH_ROOM_H
#define MASS_ENGINE_COMM_LAUNCH_ROOM_H

#include "core/error.h"

/* That launcher and ranks can make the files by which they share memory; MASS_FAILED, with the folder, where they
 * could not: they would end in lines of their own that name none. Main thread. */
mass_status mass_comm_check_room(mass_error *error);

#endif
