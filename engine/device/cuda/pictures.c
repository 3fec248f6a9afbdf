/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures on a GPU: pixels are made there, and only they cross the bus. */
#include "device/cuda/cuda.h"
#include "cuda/kernels.h"

#include <string.h>

/* What one frame takes on the device: the range, the table of parts, and the pixels, one behind the other. */
typedef struct room {
    size_t range, parts, pixels;
} room;

static room room_of(const mass_shrink_work *w)
{
    return (room){2 * sizeof(unsigned long long), (size_t)w->part_count * sizeof *w->parts,
                  (size_t)(mass_shrink_columns(w) * mass_shrink_rows(w))};
}

/* As the kernel orders doubles, and back. */
static unsigned long long to_ordered(double value)
{
    unsigned long long bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | 1ull << 63;
}

static double from_ordered(unsigned long long ordered)
{
    const unsigned long long bits = ordered >> 63 ? ordered & ~(1ull << 63) : ~ordered;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static mass_status draw(mass_cuda *cuda, const mass_shrink_work *w, const room *r, char *there, uint8_t *index,
                        double range[2], mass_error *error)
{
    unsigned long long ordered[2] = {to_ordered(range[0]), to_ordered(range[1])};
    const mass_shrink_part *parts = (const mass_shrink_part *)(there + r->range);
    uint8_t *pixels = (uint8_t *)there + r->range + r->parts;
    TRY(cudaMemcpyAsync(there, ordered, sizeof ordered, cudaMemcpyHostToDevice, cuda->stream), "a copy failed");
    TRY(cudaMemcpyAsync(there + r->range, w->parts, r->parts, cudaMemcpyHostToDevice, cuda->stream), "a copy failed");
    TRY(mass_cuda_shrink(cuda->stream, w, parts, pixels, (unsigned long long *)there), "a picture cannot be made");
    const mass_status status = mass_cuda_wait_watched(cuda, error);
    if (status != MASS_OK) return status;
    TRY(cudaMemcpyAsync(index, pixels, r->pixels, cudaMemcpyDeviceToHost, cuda->stream), "a copy failed");
    TRY(cudaMemcpyAsync(ordered, there, sizeof ordered, cudaMemcpyDeviceToHost, cuda->stream), "a copy failed");
    TRY(cudaStreamSynchronize(cuda->stream), "a picture cannot be made");
    if (w->ranged) return MASS_OK;
    for (int i = 0; i < 2; i++) range[i] = from_ordered(ordered[i]);
    return MASS_OK;
}

/* Memory is taken for a frame alone, as a run may need it; where there is none, nothing is seen. */
static mass_status shrink(mass_device *device, const mass_shrink_work *w, uint8_t *index, double range[2],
                          mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    const room r = room_of(w);
    char *there = NULL;
    if (cudaMallocAsync((void **)&there, r.range + r.parts + r.pixels, cuda->stream) != cudaSuccess) {
        cudaGetLastError();
        return mass_error_set(error, MASS_NO_DEVICE, "%s has no memory for a picture", cuda->name);
    }
    const mass_status status = draw(cuda, w, &r, there, index, range, error);
    cudaFreeAsync(there, cuda->stream);
    return status;
}

const mass_picture_operations mass_cuda_pictures = {
    .struct_size = sizeof mass_cuda_pictures,
    .rules = 1u << MASS_SHRINK_MEAN | 1u << MASS_SHRINK_LARGEST,
    .shrink = shrink,
};
