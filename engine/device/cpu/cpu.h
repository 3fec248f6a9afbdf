/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of the CPU device and by the paranoid device. */
#ifndef MASS_ENGINE_DEVICE_CPU_H
#define MASS_ENGINE_DEVICE_CPU_H

#include "base/floats.h"
#include "cpu/kernels.h"
#include "cpu/turn_slabs.h"
#include "device/device.h"
#include "device/cpu/thread_tuner.h"

typedef struct mass_cpu_rules mass_cpu_rules; /* see rule.h */
enum { MASS_THREAD_TUNER_FUSED = 2, MASS_PACES };

/* Faults that the paranoid device accepts (paranoid.h). Each value includes those before it. */
typedef enum mass_forgiveness { MASS_FORGIVES_NOTHING = 0, MASS_FORGIVES_ODD, MASS_FORGIVES_RANGES } mass_forgiveness;

struct mass_prepared {
    mass_prepared *next;
    const mass_callback *callback;
    const mass_form *quiet, *tally; /* for the instruction set in use: without contributions to tallies, and with
                                       them */
    const mass_form *checked[2];    /* the same for the paranoid device, with checks of the reach of bodies; or NULL */
    mass_thread_tuner *tuner; /* [MASS_PACES] thread tuners: of `quiet`, of `tally`, and of launches of several
                                       steps */
    mass_cpu_rules *rules;          /* NULL: it uses no rules */
};

typedef struct mass_cpu {
    mass_device device;
    mass_cpu_team *team;
    bool paced;  /* each launch uses the number of threads that is fastest; false: all threads */
    uint32_t copies; /* copies of each array that a launch makes */
    mass_forgiveness forgives; /* of the paranoid device */
    uint32_t isa; /* the widest instruction set of the machine, or the one of MASS_ISA=base|avx2|avx512 */
    mass_prepared *prepared;
    int64_t *scratch; /* [threads] x tallies, of the present launch */
    size_t scratch_bytes;
    char *between; /* [threads] rows between the steps of a launch of several steps */
    size_t between_bytes;
    char *strips;     /* [threads] x a block of rows (row_blocks.h) */
    size_t strip_bytes;
    mass_cpu_manage_scratch manage;
    mass_thread_tuner manage_pace;
    mass_turn_order_work turn_order; /* of the next launch of agents in turn, which finds it; memory NULL: of none */
    mass_cpu_turn_slabs turn_slabs;
    mass_thread_tuner turn_list_pace, turn_restore_pace;
} mass_cpu;

/* Opens a CPU device with `threads` threads. 0: at most the default number, and each launch uses as many as are
 * worthwhile. MASS_BAD_USAGE: MASS_ISA names no instruction set of the machine. */
mass_status mass_cpu_open(const mass_device_table *table, int threads, mass_device **out, mass_error *error);
/* Stops the threads, and frees the device with all that it prepared. */
void mass_cpu_close(mass_device *);

void mass_cpu_kind(mass_device *, char kind[MASS_DEVICE_KIND]);

/* Returns "base", "avx2" or "avx512". */
const char *mass_cpu_isa_name(uint32_t isa);

mass_status mass_cpu_prepare(mass_device *, const mass_callback *, const void *device_code, mass_prepared **,
                             mass_error *);
mass_status mass_cpu_copy_rate(mass_device *, double *rate, mass_error *error);
void mass_cpu_form(mass_device *, const mass_work *work, char text[MASS_FORM_TEXT]);
/* Runs a callback by its forms that check, or by the others if it has none. One step only. */
mass_status mass_cpu_launch_checked(mass_cpu *, const mass_work *work, mass_error *error);
/* Does nothing: work is done when its function returns. */
mass_status mass_cpu_synchronise(mass_device *, mass_error *error);

extern const mass_memory_operations mass_cpu_memory;
extern const mass_launch_operations mass_cpu_launch;
extern const mass_condition_operations mass_cpu_conditions;
extern const mass_agents_operations mass_cpu_agents;
extern const mass_agents_operations mass_cpu_agents_by_starts; /* the same without occupancy bitmaps */
extern const mass_picture_operations mass_cpu_pictures;

/* Returns whether floats still have the settings of the engine, in a thread that has run loops of a callback. Restores
 * the settings. */
static inline bool mass_cpu_kept_floats(void)
{
    if (mass_floats_are_settled()) return true;
    mass_floats_settle();
    return false;
}
/* Sets the error that the callback changed how floats are computed. Returns MASS_BAD_PLUGIN. */
mass_status mass_cpu_refuse_floats(const mass_work *work, mass_error *error);

#endif
