/* SPDX-License-Identifier: Apache-2.0 */
/* The limits of a GPU: a copy and a sum. The runtime is linked statically, and returns an error if there is no
 * driver. */
#include "../gpu.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace {

constexpr size_t BUFFER = size_t(1) << 30; /* far above every cache */
constexpr size_t CHECKED = size_t(1) << 26;
constexpr int REPETITIONS = 11, THREADS = 512;

/* Reports a failure of CUDA, forgets it, and returns MASS_NO_DEVICE. */
mass_status failed(const bench_gpu *g, cudaError_t result, const char *what, mass_error *error)
{
    cudaGetLastError();
    return mass_error_set(error, MASS_NO_DEVICE, "%s: %s: %s", g->name[0] ? g->name : "the GPU", what,
                          cudaGetErrorString(result));
}

/* Makes a call of CUDA. If it fails, makes the calling function report `what` and return. Needs `g` and `error` in
 * scope. */
#define TRY(call, what)                                                           \
    do {                                                                          \
        const cudaError_t try_result = (call);                                    \
        if (try_result != cudaSuccess) return failed(g, try_result, what, error); \
    } while (0)

/* The finaliser of splitmix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014). */
__global__ void fill(uint64_t *to, size_t count)
{
    const size_t stride = size_t(gridDim.x) * blockDim.x;
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
        uint64_t z = (i + 1) * 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        to[i] = z ^ (z >> 31);
    }
}

/* Adds the sum of all words to *total. All threads of the launch share the words. */
__global__ void __launch_bounds__(THREADS) sum(const uint4 *from, size_t count, unsigned long long *total)
{
    const size_t stride = size_t(gridDim.x) * blockDim.x;
    unsigned long long own = 0;
    size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    for (; i + 3 * stride < count; i += 4 * stride) {
        const uint4 a = from[i], b = from[i + stride], c = from[i + 2 * stride], d = from[i + 3 * stride];
        own += 0ull + a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;
        own += 0ull + c.x + c.y + c.z + c.w + d.x + d.y + d.z + d.w;
    }
    for (; i < count; i += stride) own += 0ull + from[i].x + from[i].y + from[i].z + from[i].w;
    for (int lane = 16; lane > 0; lane /= 2) own += __shfl_down_sync(0xffffffff, own, lane);
    if (threadIdx.x % 32 == 0) atomicAdd(total, own);
}

struct clock_pair {
    cudaEvent_t start = nullptr, stop = nullptr;
    ~clock_pair()
    {
        if (start) cudaEventDestroy(start);
        if (stop) cudaEventDestroy(stop);
    }
};

/* Returns the blocks to launch: four for each multiprocessor. */
int blocks_of()
{
    int device = 0, processors = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    return processors * 4;
}

/* Queues `work` once to warm up, then REPETITIONS times, and gets the median in seconds. */
template <class Work> mass_status median_of(bench_gpu *g, Work work, double *seconds, mass_error *error)
{
    clock_pair c;
    TRY(cudaEventCreate(&c.start), "no event");
    TRY(cudaEventCreate(&c.stop), "no event");
    std::vector<float> times;
    for (int i = 0; i <= REPETITIONS; i++) {
        TRY(cudaEventRecord(c.start), "no time");
        TRY(work(), "a measurement failed");
        TRY(cudaEventRecord(c.stop), "no time");
        TRY(cudaEventSynchronize(c.stop), "a measurement failed");
        float milliseconds;
        TRY(cudaEventElapsedTime(&milliseconds, c.start, c.stop), "no time");
        if (i > 0) times.push_back(milliseconds);
    }
    std::sort(times.begin(), times.end());
    *seconds = times[times.size() / 2] / 1e3;
    return MASS_OK;
}

/* Gets the sum of the first `bytes`, by the kernel. */
mass_status sum_of(bench_gpu *g, const void *from, size_t bytes, unsigned long long *out, mass_error *error)
{
    unsigned long long *total;
    TRY(cudaMalloc(&total, sizeof *total), "no memory");
    cudaMemset(total, 0, sizeof *total);
    sum<<<blocks_of(), THREADS>>>(static_cast<const uint4 *>(from), bytes / sizeof(uint4), total);
    const cudaError_t result = cudaMemcpy(out, total, sizeof *out, cudaMemcpyDeviceToHost);
    cudaFree(total);
    TRY(result, "a sum failed");
    return MASS_OK;
}

/* Reports that a result of the GPU is wrong, and returns the failure. */
mass_status wrong(const bench_gpu *g, const char *what, mass_error *error)
{
    return mass_error_set(error, MASS_FAILED, "%s: %s is wrong: nothing is measured", g->name, what);
}

/* Fails if the first or last bytes of the target differ from those of the source. */
mass_status compare_ends(bench_gpu *g, mass_error *error)
{
    std::vector<unsigned char> a(CHECKED), b(CHECKED);
    for (size_t at = 0; at < BUFFER; at += BUFFER - CHECKED) {
        TRY(cudaMemcpy(a.data(), static_cast<char *>(g->from) + at, CHECKED, cudaMemcpyDeviceToHost), "a copy failed");
        TRY(cudaMemcpy(b.data(), static_cast<char *>(g->to) + at, CHECKED, cudaMemcpyDeviceToHost), "a copy failed");
        if (a != b) return wrong(g, "a copy", error);
    }
    return MASS_OK;
}

mass_status prepare(bench_gpu *g, int ordinal, mass_error *error)
{
    TRY(cudaSetDevice(ordinal), "it cannot be used");
    cudaDeviceProp facts;
    TRY(cudaGetDeviceProperties(&facts, ordinal), "it does not answer");
    std::strncpy(g->name, facts.name, sizeof g->name - 1);
    TRY(cudaDriverGetVersion(&g->driver), "it does not answer");
    TRY(cudaRuntimeGetVersion(&g->runtime), "it does not answer");
    TRY(cudaMalloc(&g->from, BUFFER), "no memory");
    TRY(cudaMalloc(&g->to, BUFFER), "no memory");
    fill<<<blocks_of(), THREADS>>>(static_cast<uint64_t *>(g->from), BUFFER / sizeof(uint64_t));
    TRY(cudaMemset(g->to, 0xff, BUFFER), "it does not answer");
    TRY(cudaDeviceSynchronize(), "it does not answer");
    return MASS_OK;
}

} // namespace

mass_status bench_gpu_open(bench_gpu *g, int ordinal, mass_error *error)
{
    *g = bench_gpu{};
    const mass_status status = prepare(g, ordinal, error);
    if (status != MASS_OK) bench_gpu_close(g);
    return status;
}

void bench_gpu_close(bench_gpu *g)
{
    if (g->from) cudaFree(g->from);
    if (g->to) cudaFree(g->to);
    g->from = g->to = nullptr;
}

mass_status bench_gpu_copy(bench_gpu *g, double *rate, mass_error *error)
{
    double seconds;
    const auto copy = [=] { return cudaMemcpyAsync(g->to, g->from, BUFFER, cudaMemcpyDeviceToDevice, 0); };
    mass_status status = median_of(g, copy, &seconds, error);
    if (status == MASS_OK) status = compare_ends(g, error);
    if (status == MASS_OK) *rate = 2.0 * BUFFER / seconds;
    return status;
}

mass_status bench_gpu_read(bench_gpu *g, double *rate, mass_error *error)
{
    std::vector<uint32_t> words(CHECKED / sizeof(uint32_t));
    TRY(cudaMemcpy(words.data(), g->from, CHECKED, cudaMemcpyDeviceToHost), "a copy failed");
    unsigned long long expected = 0, found = 0, *total;
    for (uint32_t word : words) expected += word;
    mass_status status = sum_of(g, g->from, CHECKED, &found, error);
    if (status == MASS_OK && found != expected) status = wrong(g, "a sum", error);
    if (status != MASS_OK) return status;
    TRY(cudaMalloc(&total, sizeof *total), "no memory");
    double seconds;
    const uint4 *from = static_cast<const uint4 *>(g->from);
    const int blocks = blocks_of();
    status = median_of(g, [=] {
        sum<<<blocks, THREADS>>>(from, BUFFER / sizeof(uint4), total);
        return cudaGetLastError();
    }, &seconds, error);
    cudaFree(total);
    if (status == MASS_OK) *rate = BUFFER / seconds;
    return status;
}
