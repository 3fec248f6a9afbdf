/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of a device, for the engine above the device: whose it is, its address and its size. These functions refuse
 * access beyond it, once for all devices. Kernels and launch records get addresses. Main thread. */
#ifndef MASS_ENGINE_DEVICE_BUFFER_H
#define MASS_ENGINE_DEVICE_BUFFER_H

#include "device/device.h"

/* All zeros: no memory. The caller that allocated a buffer releases it. A part of a buffer, or a copy of this struct,
 * only refers to it. */
typedef struct mass_buffer {
    mass_device *device; /* borrowed */
    void *address;       /* on the device; for allocated memory, a multiple of 256 */
    size_t bytes;
} mass_buffer;

/* Allocates memory with undefined contents. On failure *out is untouched. */
mass_status mass_buffer_allocate(mass_device *, size_t bytes, mass_buffer *out, mass_error *error);
/* Makes *b at least this large. If it is too small, releases it, and what it had is lost. One that grows gets a little
 * more, if there is memory, so that slow growth needs few. All work that uses it must have been waited for. On failure
 * *b is all zeros. */
mass_status mass_buffer_make_room(mass_device *, mass_buffer *b, size_t bytes, mass_error *error);
/* Releases memory. All work that uses it must have been waited for. *b becomes all zeros, and may be all zeros
 * before. */
void mass_buffer_release(mass_buffer *b);

/* Return `bytes` bytes of a buffer from byte `offset` on, or all the rest. All zeros if the buffer does not have
 * them. */
mass_buffer mass_buffer_part(mass_buffer whole, size_t offset, size_t bytes);
mass_buffer mass_buffer_from(mass_buffer whole, size_t offset);

/* The following functions begin at the first byte of the buffer. If they would reach beyond its last one, they do
 * nothing and return MASS_FAILED. After another failure (device.h), the target is undefined. */

/* Copy `bytes` bytes from and to the host. Wait for work that was queued before, and for the copy. With 0 bytes they do
 * nothing. */
mass_status mass_buffer_upload(mass_buffer to, const void *host, size_t bytes, mass_error *error);
mass_status mass_buffer_download(mass_buffer from, void *host, size_t bytes, mass_error *error);
/* Returns `bytes` bytes of the device as the host can read them: the buffer itself if that is in host memory, else a
 * copy. The caller frees *copy, also after a failure; it is NULL if there is none. Sets *status on failure. Copies
 * nothing if it is a failure already. In both cases the result must not be read. Does not check `bytes` in host
 * memory. */
const void *mass_buffer_view(mass_device *, mass_buffer from, size_t bytes, void **copy, mass_status *status,
                             mass_error *error);
/* Copies `bytes` bytes of the host to new memory of the device, of one byte more. The caller releases *out, also if the
 * copy fails. */
mass_status mass_buffer_copy_of(mass_device *, const void *host, size_t bytes, mass_buffer *out, mass_error *error);
/* Sets *out to `bytes` bytes of the host as kernels can read them: to these bytes if the device works in host memory,
 * else to a copy. The caller keeps the bytes until it has released *out, which does not free them. *out may have no
 * device: it is for kernels, and not for the copies and fills of this header. */
mass_status mass_buffer_show(mass_device *, const void *host, size_t bytes, mass_buffer *out, mass_error *error);
/* Copy a box from and to the host, and wait as these do. It has two axes: box->count[2] is 1. The buffer, not *box,
 * tells where its side of the box begins. */
mass_status mass_buffer_upload_box(mass_buffer to, const mass_strided *box, mass_error *error);
mass_status mass_buffer_download_box(mass_buffer from, const mass_strided *box, mass_error *error);
/* Writes `count` copies of an element of `size` bytes, at least 1, which it reads from the host before it returns.
 * Queued. */
mass_status mass_buffer_fill(mass_buffer to, const void *element, size_t size, size_t count, mass_error *error);
/* Queues a copy of staged memory into the buffer. `slot` (0 or 1) is the stream's turn, see input.h. `staged` is read
 * until `sent` returns for the slot. The device must have table->streams. */
mass_status mass_buffer_send(mass_buffer to, int slot, const void *staged, size_t bytes, mass_error *error);

#endif
