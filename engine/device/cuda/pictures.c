/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures on a GPU: it makes the pixels, and only they cross the bus. */
#include "device/cuda/cuda.h"
#include "cuda/kernels.h"

#include <string.h>

/* Sizes of a frame's memory on the device, in order: the range, the table of parts, the pixels. */
typedef struct room {
    size_t range, parts, pixels;
} room;

/* Returns the bytes of device memory that a picture needs: for its range, parts and pixels. */
static room room_of(const mass_shrink_work *w)
{
    return (room){2 * sizeof(unsigned long long), (size_t)w->part_count * sizeof *w->parts,
                  (size_t)(mass_shrink_columns(w) * mass_shrink_rows(w))};
}

/* Maps a double to an integer with the same order, as ordered() in shrink.cu does. */
static unsigned long long to_ordered(double value)
{
    unsigned long long bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | 1ull << 63;
}

/* Maps an integer of ordered() in shrink.cu back to its double. */
static double from_ordered(unsigned long long ordered)
{
    const unsigned long long bits = ordered >> 63 ? ordered & ~(1ull << 63) : ~ordered;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Copies the task to the device, shrinks the values there, and copies the picture and its range back.
 * If w->ranged, range[] stays as it is. */
static mass_status draw(mass_cuda *cuda, const mass_shrink_work *w, const room *r, uint8_t *index, double range[2],
                        mass_error *error)
{
    const size_t head = r->range + r->parts, all = head + r->pixels;
    char *there = cuda->picture, *here = cuda->picture_on_host;
    unsigned long long ordered[2] = {to_ordered(range[0]), to_ordered(range[1])};
    memcpy(here, ordered, sizeof ordered);
    memcpy(here + r->range, w->parts, r->parts);
    TRY(cudaMemcpyAsync(there, here, head, cudaMemcpyHostToDevice, cuda->stream), "a copy failed");
    TRY(mass_cuda_shrink(cuda->stream, w, (const mass_shrink_part *)(there + r->range), (uint8_t *)there + head,
                         (unsigned long long *)there), "a picture cannot be made");
    TRY(cudaMemcpyAsync(here, there, all, cudaMemcpyDeviceToHost, cuda->stream), "a copy failed");
    const mass_status status = mass_cuda_wait_watched(cuda, error);
    if (status != MASS_OK) return status;
    TRY(cudaStreamSynchronize(cuda->stream), "a picture cannot be made");
    memcpy(index, here + head, r->pixels);
    memcpy(ordered, here, sizeof ordered);
    for (int i = 0; i < 2 && !w->ranged; i++) range[i] = from_ordered(ordered[i]);
    return MASS_OK;
}

/* Makes memory for a frame, unless there is enough. It is kept from frame to frame, since allocation takes longer than
 * drawing. */
static mass_status make_room(mass_cuda *cuda, size_t bytes, mass_error *error)
{
    if (cuda->picture_bytes >= bytes) return MASS_OK;
    mass_cuda_close_pictures(cuda);
    if (cudaMalloc((void **)&cuda->picture, bytes) != cudaSuccess ||
        cudaMallocHost((void **)&cuda->picture_on_host, bytes) != cudaSuccess) {
        mass_cuda_close_pictures(cuda);
        cudaGetLastError();
        return mass_error_set(error, MASS_NO_DEVICE, "%s has no memory for a picture", cuda->name);
    }
    cuda->picture_bytes = bytes;
    return MASS_OK;
}

void mass_cuda_close_pictures(mass_cuda *cuda)
{
    if (cuda->picture) cudaFree(cuda->picture);
    if (cuda->picture_on_host) cudaFreeHost(cuda->picture_on_host);
    cuda->picture = cuda->picture_on_host = NULL;
    cuda->picture_bytes = 0;
}

/* Draws a picture on the device, into host memory. Waits. */
static mass_status shrink(mass_device *device, const mass_shrink_work *w, uint8_t *index, double range[2],
                          mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    const room r = room_of(w);
    const mass_status status = make_room(cuda, r.range + r.parts + r.pixels, error);
    return status == MASS_OK ? draw(cuda, w, &r, index, range, error) : status;
}

const mass_picture_operations mass_cuda_pictures = {
    .struct_size = sizeof mass_cuda_pictures,
    .rules = 1u << MASS_SHRINK_MEAN | 1u << MASS_SHRINK_LARGEST,
    .shrink = shrink,
};
