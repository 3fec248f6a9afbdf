/* SPDX-License-Identifier: Apache-2.0 */
#include "device/buffer.h"

#include <stdlib.h>

mass_status mass_buffer_allocate(mass_device *device, size_t bytes, mass_buffer *out, mass_error *error)
{
    void *address;
    const mass_status status = device->table->memory->allocate(device, bytes, &address, error);
    if (status == MASS_OK) *out = (mass_buffer){device, address, bytes};
    return status;
}

mass_status mass_buffer_make_room(mass_device *device, mass_buffer *b, size_t bytes, mass_error *error)
{
    const bool grows = b->address != NULL;
    if (grows && b->bytes >= bytes) return MASS_OK;
    mass_buffer_release(b);
    if (grows && mass_buffer_allocate(device, bytes + bytes / 16, b, error) == MASS_OK) return MASS_OK;
    if (error) *error = (mass_error){0};
    return mass_buffer_allocate(device, bytes, b, error);
}

void mass_buffer_release(mass_buffer *b)
{
    if (b->device) b->device->table->memory->release(b->device, b->address);
    *b = (mass_buffer){0};
}

mass_buffer mass_buffer_part(mass_buffer whole, size_t offset, size_t bytes)
{
    if (offset > whole.bytes || bytes > whole.bytes - offset) return (mass_buffer){0};
    return (mass_buffer){whole.device, (char *)whole.address + offset, bytes};
}

mass_buffer mass_buffer_from(mass_buffer whole, size_t offset)
{
    return mass_buffer_part(whole, offset, offset < whole.bytes ? whole.bytes - offset : 0);
}

/* Reports that `bytes` bytes would reach beyond the buffer. Returns MASS_FAILED. */
static mass_status refuse(const mass_buffer *b, size_t bytes, mass_error *error)
{
    return mass_error_set(error, MASS_FAILED, "%s: %zu bytes are asked for of an array of %zu",
                          b->device ? b->device->table->name(b->device) : "no device", bytes, b->bytes);
}

mass_status mass_buffer_upload(mass_buffer to, const void *host, size_t bytes, mass_error *error)
{
    if (bytes > to.bytes) return refuse(&to, bytes, error);
    return bytes ? to.device->table->memory->upload(to.device, to.address, host, bytes, error) : MASS_OK;
}

mass_status mass_buffer_download(mass_buffer from, void *host, size_t bytes, mass_error *error)
{
    if (bytes > from.bytes) return refuse(&from, bytes, error);
    return bytes ? from.device->table->memory->download(from.device, host, from.address, bytes, error) : MASS_OK;
}

const void *mass_buffer_view(mass_device *device, mass_buffer from, size_t bytes, void **copy, mass_status *status,
                             mass_error *error)
{
    *copy = NULL;
    if (*status != MASS_OK || device->table->memory->in_host_memory) return from.address;
    *copy = malloc(bytes + 1);
    *status = *copy ? mass_buffer_download(from, *copy, bytes, error)
                    : mass_error_memory(error, bytes, "a copy of a device's memory");
    return *copy;
}

mass_status mass_buffer_copy_of(mass_device *device, const void *host, size_t bytes, mass_buffer *out,
                                mass_error *error)
{
    const mass_status status = mass_buffer_allocate(device, bytes + 1, out, error);
    return status == MASS_OK && bytes ? mass_buffer_upload(*out, host, bytes, error) : status;
}

mass_status mass_buffer_show(mass_device *device, const void *host, size_t bytes, mass_buffer *out, mass_error *error)
{
    if (!device->table->memory->in_host_memory) return mass_buffer_copy_of(device, host, bytes, out, error);
    *out = (mass_buffer){.address = (void *)(uintptr_t)host, .bytes = bytes};
    return MASS_OK;
}

/* Returns the bytes from the first byte of a box to its end. stride: of the side in the buffer. */
static size_t reach_of(const mass_strided *box, const int64_t stride[3])
{
    size_t reach = box->bytes;
    for (int i = 0; i < 3; i++) reach += (size_t)(box->count[i] - 1) * (size_t)stride[i];
    return reach;
}

mass_status mass_buffer_upload_box(mass_buffer to, const mass_strided *box, mass_error *error)
{
    const size_t reach = reach_of(box, box->to_stride);
    if (reach > to.bytes) return refuse(&to, reach, error);
    mass_strided copy = *box;
    copy.to = to.address;
    return to.device->table->memory->upload_box(to.device, &copy, error);
}

mass_status mass_buffer_download_box(mass_buffer from, const mass_strided *box, mass_error *error)
{
    const size_t reach = reach_of(box, box->from_stride);
    if (reach > from.bytes) return refuse(&from, reach, error);
    mass_strided copy = *box;
    copy.from = from.address;
    return from.device->table->memory->download_box(from.device, &copy, error);
}

mass_status mass_buffer_fill(mass_buffer to, const void *element, size_t size, size_t count, mass_error *error)
{
    if (count > to.bytes / size) return refuse(&to, size * count, error);
    return count ? to.device->table->memory->fill(to.device, to.address, element, size, count, error) : MASS_OK;
}

mass_status mass_buffer_send(mass_buffer to, int slot, const void *staged, size_t bytes, mass_error *error)
{
    if (bytes > to.bytes) return refuse(&to, bytes, error);
    return bytes ? to.device->table->streams->send(to.device, slot, to.address, staged, bytes, error) : MASS_OK;
}
