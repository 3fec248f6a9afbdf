/* SPDX-License-Identifier: Apache-2.0 */
#include "../gpu_histogram.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <cub/device/device_histogram.cuh>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr int REPETITIONS = 7;

/* Reports a failure of CUDA, forgets it, and returns MASS_NO_DEVICE. */
mass_status failed(const bench_gpu *g, cudaError_t result, const char *what, mass_error *error)
{
    cudaGetLastError();
    return mass_error_set(error, MASS_NO_DEVICE, "%s: %s: %s", g->name, what, cudaGetErrorString(result));
}

/* Makes a call of CUDA. If it fails, makes the calling function report `what` and return. Needs `g` and `error` in
 * scope. */
#define TRY(call, what)                                                           \
    do {                                                                          \
        const cudaError_t try_result = (call);                                    \
        if (try_result != cudaSuccess) return failed(g, try_result, what, error); \
    } while (0)

/* Counts the items by bins with CUB. While c->work is NULL, only sets c->work_bytes. */
template <typename item> cudaError_t count_items(bench_cub *c)
{
    return cub::DeviceHistogram::HistogramEven(c->work, c->work_bytes, static_cast<const item *>(c->items), c->counts,
                                               c->bins + 1, 0, c->end, static_cast<int64_t>(c->count));
}

cudaError_t count(bench_cub *c) { return c->size == 1 ? count_items<uint8_t>(c) : count_items<int32_t>(c); }

double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/* Copies a whole file to the GPU, piece by piece over the same device memory. Reads one piece while the one before is
 * copied. */
mass_status copy_file(const bench_gpu *g, int file, size_t piece, void *const staged[2], const cudaEvent_t done[2],
                      cudaStream_t stream, mass_error *error)
{
    size_t at = 0;
    for (int slot = 0;; slot ^= 1) {
        TRY(cudaEventSynchronize(done[slot]), "a copy failed");
        size_t got = 0;
        while (got < piece) {
            char *const to = static_cast<char *>(staged[slot]) + got;
            const ssize_t n = pread(file, to, piece - got, static_cast<off_t>(at + got));
            if (n < 0) return mass_error_set(error, MASS_FAILED, "the file to measure with: %s", strerror(errno));
            if (n == 0) break;
            got += static_cast<size_t>(n);
        }
        if (got == 0) break;
        TRY(cudaMemcpyAsync(static_cast<char *>(g->to) + at % piece, staged[slot], got, cudaMemcpyHostToDevice, stream),
            "a copy failed");
        TRY(cudaEventRecord(done[slot], stream), "a copy failed");
        at += got;
    }
    TRY(cudaStreamSynchronize(stream), "a copy failed");
    return MASS_OK;
}

} // namespace

mass_status bench_cub_open(bench_cub *c, bench_gpu *g, const void *data, size_t count_of, int size, int bins, int end,
                           mass_error *error)
{
    *c = {};
    c->gpu = g;
    c->count = count_of;
    c->size = size;
    c->bins = bins;
    c->end = end;
    TRY(cudaMalloc(&c->items, count_of * static_cast<size_t>(size)), "no memory");
    TRY(cudaMemcpy(c->items, data, count_of * static_cast<size_t>(size), cudaMemcpyHostToDevice), "a copy failed");
    TRY(cudaMalloc(&c->counts, static_cast<size_t>(bins) * sizeof *c->counts), "no memory");
    TRY(count(c), "a histogram failed"); /* gets the size of the work memory */
    TRY(cudaMalloc(&c->work, c->work_bytes), "no memory");
    TRY(count(c), "a histogram failed");
    TRY(cudaDeviceSynchronize(), "a histogram failed");
    return MASS_OK;
}

void bench_cub_close(bench_cub *c)
{
    cudaFree(c->items);
    cudaFree(c->counts);
    cudaFree(c->work);
    *c = {};
}

mass_status bench_cub_measure(bench_cub *c, double *seconds, mass_error *error)
{
    const bench_gpu *g = c->gpu;
    cudaEvent_t start, stop;
    std::vector<float> times;
    TRY(cudaEventCreate(&start), "no event");
    TRY(cudaEventCreate(&stop), "no event");
    for (int i = 0; i <= REPETITIONS; i++) {
        TRY(cudaEventRecord(start), "no time");
        TRY(count(c), "a histogram failed");
        TRY(cudaEventRecord(stop), "no time");
        TRY(cudaEventSynchronize(stop), "a histogram failed");
        float milliseconds;
        TRY(cudaEventElapsedTime(&milliseconds, start, stop), "no time");
        if (i > 0) times.push_back(milliseconds);
    }
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    std::sort(times.begin(), times.end());
    *seconds = times[times.size() / 2] / 1e3;
    return MASS_OK;
}

mass_status bench_cub_counts(bench_cub *c, int *counts, mass_error *error)
{
    const bench_gpu *g = c->gpu;
    TRY(count(c), "a histogram failed");
    TRY(cudaMemcpy(counts, c->counts, static_cast<size_t>(c->bins) * sizeof *counts, cudaMemcpyDeviceToHost),
        "a copy failed");
    return MASS_OK;
}

mass_status bench_gpu_read_file(bench_gpu *g, const char *path, size_t piece, double *seconds, mass_error *error)
{
    void *staged[2] = {};
    cudaEvent_t done[2] = {};
    cudaStream_t stream;
    TRY(cudaStreamCreate(&stream), "no stream");
    for (int i = 0; i < 2; i++) {
        TRY(cudaMallocHost(&staged[i], piece), "no memory");
        TRY(cudaEventCreate(&done[i]), "no event");
    }
    const int file = open(path, O_RDONLY);
    const double began = now();
    const mass_status status = copy_file(g, file, piece, staged, done, stream, error);
    *seconds = now() - began;
    close(file);
    for (int i = 0; i < 2; i++) {
        cudaFreeHost(staged[i]);
        cudaEventDestroy(done[i]);
    }
    cudaStreamDestroy(stream);
    return status;
}
