/* SPDX-License-Identifier: Apache-2.0 */
#include "recording_cpu.h"

#include "device/cpu/cpu.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_MAX = 32768 };

recording_gpu gpu;

static mass_status recording_launch(mass_device *device, const mass_work *work, mass_error *error)
{
    if (gpu.recording) {
        kept *k = &gpu.list[gpu.count++];
        cr_assert_lt(gpu.count, KEPT_MAX);
        *k = (kept){.work = *work, .launch = *work->launch};
        memcpy(k->fields, work->fields, work->prepared->callback->field_count * sizeof *k->fields);
        memcpy(k->memory, work->memory, work->prepared->callback->field_count * sizeof *k->memory);
        return MASS_OK;
    }
    gpu.launches++;
    gpu.tallying_launches += work->tallies;
    if (gpu.launches == gpu.fail_at) return mass_error_set(error, MASS_FAILED, "the device gave up");
    return mass_cpu_table.launch->launch(device, work, error);
}

static mass_status recording_copy(mass_device *device, const mass_strided *copy, mass_error *error)
{
    if (!gpu.recording) return mass_cpu_table.memory->copy(device, copy, error);
    gpu.list[gpu.count++] = (kept){.is_copy = true, .copy = *copy};
    return MASS_OK;
}

static mass_status recording_upload(mass_device *device, void *to, const void *host, size_t bytes, mass_error *error)
{
    cr_assert_not(gpu.recording, "an upload cannot be kept");
    return mass_cpu_table.memory->upload(device, to, host, bytes, error);
}

static mass_status begin_recording(mass_device *device, mass_error *error)
{
    (void)device;
    (void)error;
    cr_assert_not(gpu.recording);
    gpu.recording = true;
    gpu.records++;
    memcpy(gpu.current, gpu.domain->current, sizeof gpu.current);
    return MASS_OK;
}

static mass_status end_recording(mass_device *device, uint64_t *clock, uint64_t steps, mass_recording **out,
                                 mass_error *error)
{
    (void)device;
    (void)error;
    gpu.recording = false;
    gpu.clock = clock;
    gpu.steps = steps;
    gpu.handle.remaining = 1;
    *out = &gpu.handle;
    return MASS_OK;
}

static mass_status replay_recording(mass_device *device, mass_recording *recording, mass_error *error)
{
    cr_assert_eq(recording, &gpu.handle);
    cr_assert_eq(*gpu.clock, gpu.stepper->step, "the clock is not set");
    cr_assert_arr_eq(gpu.domain->current, gpu.current, sizeof gpu.current, "buffers stand otherwise");
    mass_status status = MASS_OK;
    for (int i = 0; status == MASS_OK && i < gpu.count; i++) {
        kept *k = &gpu.list[i];
        k->work.launch = &k->launch;
        k->work.fields = k->fields;
        k->work.memory = k->memory;
        status = k->is_copy ? mass_cpu_table.memory->copy(device, &k->copy, error)
                            : mass_cpu_table.launch->launch(device, &k->work, error);
    }
    *gpu.clock += gpu.steps;
    gpu.replays++;
    return status;
}

static void discard_recording(mass_device *device, mass_recording *recording)
{
    (void)device;
    cr_assert_eq(recording->remaining--, 1);
    gpu.discards++;
}

static mass_status keep_up(mass_device *device, int ahead, mass_error *error)
{
    (void)device;
    (void)error;
    cr_assert_geq(ahead, 1);
    return MASS_OK;
}

static mass_status synchronise(mass_device *device, mass_error *error)
{
    gpu.synchronised++;
    return mass_cpu_table.launch->synchronise(device, error);
}

const mass_device_table *recording_cpu(void)
{
    static mass_device_table table;
    static mass_memory_operations memory_part;
    static mass_launch_operations launch_part;
    static const mass_record_operations record_part = {.begin = begin_recording, .end = end_recording,
        .replay = replay_recording, .discard = discard_recording, .keep_up = keep_up};
    memory_part = mass_cpu_memory;
    memory_part.copy = recording_copy;
    memory_part.upload = recording_upload;
    launch_part = *mass_cpu_table.launch;
    launch_part.launch = recording_launch;
    launch_part.synchronise = synchronise;
    table = mass_cpu_table;
    table.memory = &memory_part;
    table.launch = &launch_part;
    table.record = &record_part;
    return &table;
}

void recording_cpu_watch(mass_domain *domain)
{
    memset(&gpu, 0, sizeof gpu);
    gpu.list = calloc(KEPT_MAX, sizeof *gpu.list);
    gpu.domain = domain;
}
