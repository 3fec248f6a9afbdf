/* SPDX-License-Identifier: Apache-2.0 */
#include "device/cpu/bytes.h"

#include "model/access.h"

#include <stdlib.h>
#include <string.h>

/* Returns whether field i is of bits. Copies of linked nodes have a byte for each. */
static bool is_of_bits(const mass_callback *c, uint32_t i)
{
    return c->fields[i].type == MASS_BIT && mass_access_class_of(c->fields[i].access, c->over) != MASS_CLASS_LINKED;
}

bool mass_cpu_has_bits(const mass_callback *c)
{
    bool bits = false;
    for (uint32_t i = 0; i < c->field_count; i++) bits |= is_of_bits(c, i);
    return bits;
}

/* Unpacks a field's array to bytes, and points *field and *memory at them. The caller frees memory->start. */
static mass_status unpack_field(mass_cpu *cpu, const mass_work *work, uint32_t i, void **field,
                                mass_field_memory *memory, mass_error *error)
{
    const mass_field_memory *packed = &work->memory[i];
    const size_t bytes = packed->bytes * 8;
    void *image;
    if (posix_memalign(&image, 256, bytes) != 0) return mass_error_memory(error, bytes, "places of bits, as bytes");
    mass_cpu_unpack(image, packed->start, (int64_t)packed->bytes, cpu->team);
    *memory = *packed;
    memory->start = image;
    memory->bytes = bytes;
    *field = (char *)image + ((char *)work->fields[i] - (char *)packed->start) * 8;
    return MASS_OK;
}

mass_status mass_cpu_with_bytes(mass_cpu *cpu, const mass_work *work, mass_cpu_launcher *launch, mass_error *error)
{
    const mass_callback *c = work->prepared->callback;
    void *fields[256];
    mass_field_memory memory[256];
    mass_work bytes = *work;
    mass_status status = MASS_OK;
    bytes.fields = fields;
    bytes.memory = memory;
    memcpy(fields, work->fields, c->field_count * sizeof *fields);
    memcpy(memory, work->memory, c->field_count * sizeof *memory);
    uint32_t made = 0;
    for (; status == MASS_OK && made < c->field_count; made++)
        if (is_of_bits(c, made))
            status = unpack_field(cpu, work, made, &fields[made], &memory[made], error);
    if (status == MASS_OK) status = launch(cpu, &bytes, error);
    for (uint32_t i = 0; i < made; i++) {
        if (memory[i].start == work->memory[i].start) continue;
        if (status == MASS_OK && mass_access_of(c->fields[i].access)->effect & MASS_EFFECT_WRITES)
            mass_cpu_pack(work->memory[i].start, memory[i].start, (int64_t)work->memory[i].bytes, cpu->team);
        free(memory[i].start);
    }
    return status;
}
