/* SPDX-License-Identifier: Apache-2.0 */
/* The paranoid device: the CPU, for authors who check that a callback keeps its promises. Only launches differ from the
 * CPU's.
 *
 * A launch shows a callback only copies of the engine's memory. It runs the callback several times, in different
 * orders, and with other bits where the callback may not look. The results must be the same each time. Only then are
 * they copied to the engine's memory. Otherwise the launch fails, with a message that names the callback, the field and
 * the place. */
#include "device/cpu/bytes.h"
#include "device/cpu/key_counts.h"
#include "device/paranoid/paranoid.h"
#include "device/paranoid/try_agents.h"
#include "device/paranoid/try_places.h"
#include "device/paranoid/try_turns.h"
#include "model/access.h"

enum { COPIES = 3 }; /* of an array during a launch */

/* Opens a CPU that checks callbacks, and keeps memory for their copies. */
static mass_status open_paranoid(int ordinal, int threads, mass_device **out, mass_error *error)
{
    (void)ordinal;
    const mass_status status = mass_cpu_open(&mass_paranoid_table, threads, out, error);
    if (status == MASS_OK) ((mass_cpu *)*out)->copies = COPIES;
    return status;
}

/* Returns the device's name in messages and reports. */
static const char *name_of_paranoid(mass_device *device)
{
    (void)device;
    return "paranoid";
}

void mass_paranoid_forgive(mass_device *device, bool ranges)
{
    ((mass_cpu *)device)->forgives = ranges ? MASS_FORGIVES_RANGES : MASS_FORGIVES_ODD;
}

/* Runs a callback on copies, reports broken promises, and else writes the results. */
static mass_status try_callback(mass_cpu *cpu, const mass_work *work, mass_error *error)
{
    const uint32_t over = work->prepared->callback->over;
    if (over == MASS_OVER_PLACES && work->launch->sprouts[0].asked) /* nodes that ask for edges */
        return mass_paranoid_agents(work, cpu->forgives, error);
    return over == MASS_OVER_PLACES || over == MASS_OVER_WORLDS ? mass_paranoid_places(work, cpu->forgives, error)
                                                                : mass_paranoid_agents(work, cpu->forgives, error);
}

/* Runs a callback with checks; bits are unpacked for it. */
static mass_status launch(mass_device *device, const mass_work *work, mass_error *error)
{
    mass_cpu *cpu = (mass_cpu *)device;
    if (mass_over_is_in_turn(work->prepared->callback->over)) return mass_paranoid_turns(cpu, work, error);
    if (mass_cpu_has_bits(work->prepared->callback)) return mass_cpu_with_bytes(cpu, work, try_callback, error);
    return try_callback(cpu, work, error);
}

/* Launches phases that share a turn, with checks. */
static mass_status launch_together(mass_device *device, const mass_work *works, uint32_t count, mass_error *error)
{
    return mass_paranoid_together((mass_cpu *)device, works, count, error);
}

static const mass_launch_operations launching = {
    .struct_size = sizeof launching,
    .prepare = mass_cpu_prepare,
    .launch = launch,
    .form = mass_cpu_form,
    .synchronise = mass_cpu_synchronise,
    .together = launch_together,
};

/* Launches are its own; all else is the CPU's. */
const mass_device_table mass_paranoid_table = {
    .struct_size = sizeof mass_paranoid_table,
    .open = open_paranoid,
    .close = mass_cpu_close,
    .name = name_of_paranoid,
    .kind = mass_cpu_kind,
    .memory = &mass_cpu_memory,
    .launch = &launching,
    .conditions = &mass_cpu_conditions,
    .keys = &mass_cpu_keys,
    .agents = &mass_cpu_agents_by_starts, /* trials look up agents by `start` */
};
