/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of a device, as the engine above the device has it: whose it is, where, and how much. What lies outside is
 * refused here, once for all devices. Kernels and launch records get addresses. Main thread. */
#ifndef MASS_ENGINE_DEVICE_BUFFER_H
#define MASS_ENGINE_DEVICE_BUFFER_H

#include "device/device.h"

/* All zeros: no memory. Who allocated one releases it; a part of one, and a copy of this struct, only refer to it. */
typedef struct mass_buffer {
    mass_device *device; /* borrowed */
    void *address;       /* on the device; of one that was allocated, a multiple of 256 */
    size_t bytes;
} mass_buffer;

/* Undefined contents. On failure *out is untouched. */
mass_status mass_buffer_allocate(mass_device *, size_t bytes, mass_buffer *out, mass_error *error);
/* After all work that uses it was waited for. *b becomes all zeros, and may be already. */
void mass_buffer_release(mass_buffer *b);

/* `bytes` bytes of another, or all the rest, from byte `offset` on; all zeros where it does not have them. */
mass_buffer mass_buffer_part(mass_buffer whole, size_t offset, size_t bytes);
mass_buffer mass_buffer_from(mass_buffer whole, size_t offset);

/* What follows begins at the first byte of the buffer, and is MASS_FAILED, with nothing done, where it would reach
 * beyond its last one. After another failure (device.h), what was to be written is undefined. */

/* From and to the host, `bytes` bytes. Waits for what was queued before, and for the copy. */
mass_status mass_buffer_upload(mass_buffer to, const void *host, size_t bytes, mass_error *error);
mass_status mass_buffer_download(mass_buffer from, void *host, size_t bytes, mass_error *error);
/* The same of a box. Where the buffer's side of it begins is not read from *box. */
mass_status mass_buffer_upload_box(mass_buffer to, const mass_strided *box, mass_error *error);
mass_status mass_buffer_download_box(mass_buffer from, const mass_strided *box, mass_error *error);
/* `count` copies of an element of `size` bytes, which is read from the host before this returns. Queued. */
mass_status mass_buffer_fill(mass_buffer to, const void *element, size_t size, size_t count, mass_error *error);
/* From staged memory (input.h), in a slot. Queued; `staged` is read until `sent` says so. */
mass_status mass_buffer_send(mass_buffer to, int slot, const void *staged, size_t bytes, mass_error *error);

#endif
