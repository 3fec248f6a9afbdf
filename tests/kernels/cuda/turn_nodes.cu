/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes that edges join, as a GPU finds them, are those of a plain list of edges. Ends with 77 where there is no
 * GPU. */
#include "../../gpu.cuh"
#include "cuda/kernels.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

int failures;
cudaStream_t stream;
uint64_t state = 1;

uint32_t below(uint32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % n;
}

typedef std::vector<std::vector<uint32_t>> neighbours; /* by row, ascending */

template <class T> T *upload(const std::vector<T> &values)
{
    T *memory;
    CHECK(cudaMallocManaged(&memory, (values.size() + 1) * sizeof(T)));
    std::copy(values.begin(), values.end(), memory);
    return memory;
}

/* Draws a set of edges, and adds the nodes that they join to *expected. each: of every row, else of every node. */
mass_turn_set draw(uint64_t nodes, uint64_t rows, bool each, bool both_ways, uint32_t most, neighbours *expected)
{
    const uint64_t lists = each ? rows : nodes;
    std::vector<uint64_t> first = {0};
    std::vector<uint32_t> source;
    for (uint64_t i = 0; i < lists; i++) {
        const uint32_t edges = below(9) ? below(most + 1) : 0;
        for (uint32_t k = 0; k < edges; k++) source.push_back(below((uint32_t)nodes));
        first.push_back(source.size());
    }
    for (uint64_t row = 0; row < rows; row++) {
        const uint64_t i = each ? row : row % nodes, world = row / nodes;
        for (uint64_t e = first[i]; e < first[i + 1]; e++) {
            (*expected)[row].push_back(source[e]);
            if (both_ways) (*expected)[world * nodes + source[e]].push_back((uint32_t)(row % nodes));
        }
    }
    return {upload(first), upload(source), each ? (int64_t)nodes : 0, both_ways};
}

/* Returns the most visits along one edge and along two. */
uint64_t most_visits(const neighbours &of, uint64_t nodes)
{
    uint64_t most = 0;
    for (uint64_t row = 0; row < of.size(); row++) {
        uint64_t visits = of[row].size();
        for (uint32_t other : of[row]) visits += of[row - row % nodes + other].size();
        most = std::max(most, visits);
    }
    return most;
}

void join(uint64_t nodes, uint64_t worlds, uint32_t sets, bool change, uint32_t most)
{
    mass_turn_join_work w = {};
    w.set_count = sets;
    w.nodes = nodes;
    w.rows = change ? nodes * worlds : nodes;
    w.counts_pairs = true;
    neighbours expected(w.rows);
    for (uint32_t k = 0; k < sets; k++) w.sets[k] = draw(nodes, w.rows, change && k != 1, below(2), most, &expected);
    uint64_t named = 0, pairs = 0;
    for (const auto &row : expected) named += row.size();
    CHECK(cudaMallocManaged(&w.first, (w.rows + 1) * sizeof *w.first));
    CHECK(cudaMallocManaged(&w.node, (named + 1) * sizeof *w.node));
    void *scratch;
    CHECK(cudaMalloc(&scratch, mass_cuda_turn_join_scratch(&w)));
    CHECK(mass_cuda_turn_join(stream, &w, scratch, &pairs));
    bool same = w.first[0] == 0 && w.first[w.rows] == named && pairs == most_visits(expected, nodes);
    for (uint64_t row = 0; same && row < w.rows; row++) {
        std::vector<uint32_t> found(w.node + w.first[row], w.node + w.first[row + 1]);
        std::sort(found.begin(), found.end());
        std::sort(expected[row].begin(), expected[row].end());
        same = found == expected[row];
    }
    if (!same) {
        fprintf(stderr, "%llu nodes, %llu worlds, %u sets, %d: other nodes than in a plain list\n",
                (unsigned long long)nodes, (unsigned long long)worlds, sets, change);
        failures++;
    }
    for (uint32_t k = 0; k < sets; k++) {
        CHECK(cudaFree((void *)w.sets[k].first));
        CHECK(cudaFree((void *)w.sets[k].source));
    }
    CHECK(cudaFree(w.first));
    CHECK(cudaFree(w.node));
    CHECK(cudaFree(scratch));
}
} // namespace

int main()
{
    if (!there_is_a_gpu()) return SKIPPED;
    CHECK(cudaStreamCreate(&stream));
    for (uint64_t nodes : {1, 2, 7, 33, 1000})
        for (uint32_t sets = 1; sets <= 1 + MASS_EDGE_SETS; sets++)
            for (uint32_t most : {0, 1, 40}) {
                join(nodes, 1, sets, false, most);
                join(nodes, 3, sets, true, most);
            }
    join(100000, 1, 2, false, 30);
    return failures ? 1 : 0;
}
