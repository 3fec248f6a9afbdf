/* SPDX-License-Identifier: Apache-2.0 */
/* Checks agents in turn. Their order is part of the result, so there is no other order to compare with. */
#include "device/paranoid/try_turns.h"
#include "device/paranoid/reach.h"

mass_status mass_paranoid_turns(mass_cpu *cpu, const mass_work *work, mass_error *error)
{
    mass_diagnostics found = {.struct_size = sizeof found};
    mass_launch launch = *work->launch;
    mass_work w = *work;
    launch.diagnostics = &found;
    w.launch = &launch;
    const mass_status status = mass_cpu_launch_checked(cpu, &w, error);
    mass_pass_on_ignored(work, &found);
    return status == MASS_OK ? mass_check_reach(work, &found, error) : status;
}
