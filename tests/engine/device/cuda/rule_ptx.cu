/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that the driver compiles from rules over bits, against a plain loop over places. The cases are random: tables
 * of 512 entries, two fields, three dimensions, sizes, edges, worlds, and tallies of any weight. */
#include "../../../gpu.cuh"
#include "device/cuda/rule_ptx.h"
#include "random_rule.h"

namespace {

enum { WORD = 32, FIELDS = 6, CASES = 60 };

std::mt19937 numbers(5);
int draw(int below) { return (int)(numbers() % (unsigned)below); }

/* An array of bits with a layer of ghosts, which show the opposite edge or what is beyond. */
struct array {
    int extent[3], worlds;
    bool torus, beyond;
    int64_t pitch, plane, stride, first;
    std::vector<uint8_t> cells;
    std::vector<uint32_t> words;
    array(const int *e, int n, bool t, bool b) : extent{e[0], e[1], e[2]}, worlds(n), torus(t), beyond(b)
    {
        pitch = ((e[0] + 128 + 511) / 512 + 1) * 512 / WORD;
        plane = pitch * (e[1] + 2);
        stride = plane * (e[2] + 2);
        first = plane + pitch + 16;
        cells.resize((size_t)e[0] * e[1] * e[2] * n);
        words.assign((size_t)(stride * n + 16), 0x5a5a5a5a);
    }
    uint8_t &at(int world, int x, int y, int z)
    {
        return cells[(((size_t)world * extent[2] + z) * extent[1] + y) * extent[0] + x];
    }
    int get(int world, int x, int y, int z)
    {
        const int p[3] = {x, y, z};
        int q[3];
        for (int a = 0; a < 3; a++) {
            if (!torus && (p[a] < 0 || p[a] >= extent[a])) return beyond;
            q[a] = (p[a] + extent[a]) % extent[a];
        }
        return at(world, q[0], q[1], q[2]);
    }
    uint32_t &word(int world, int x, int y, int z)
    {
        return words[(size_t)(first + world * stride + z * plane + y * pitch + (x >> 5))];
    }
    void fill()
    {
        for (uint8_t &c : cells) c = draw(2) == 0;
        for (int w = 0; w < worlds; w++)
            for (int z = -1; z <= extent[2]; z++)
                for (int y = -1; y <= extent[1]; y++)
                    for (int x = -1; x <= extent[0]; x++) {
                        uint32_t &v = word(w, x, y, z), bit = 1u << (x & 31);
                        v = get(w, x, y, z) ? v | bit : v & ~bit;
                    }
    }
    uint32_t *to_device() const
    {
        uint32_t *p;
        CHECK(cudaMalloc(&p, words.size() * sizeof *p));
        CHECK(cudaMemcpy(p, words.data(), words.size() * sizeof *p, cudaMemcpyHostToDevice));
        return p;
    }
    void from_device(uint32_t *p)
    {
        CHECK(cudaMemcpy(words.data(), p, words.size() * sizeof *p, cudaMemcpyDeviceToHost));
        CHECK(cudaFree(p));
    }
};

struct space {
    std::vector<array> arrays; /* of fields 0 to 3 */
    std::vector<int64_t> tallies; /* [2][worlds] */
    int worlds;
};

void compute_plainly(const random_rule &r, space &s)
{
    const int *e = s.arrays[0].extent;
    for (int w = 0; w < s.worlds; w++)
        for (int z = 0; z < e[2]; z++)
            for (int y = 0; y < e[1]; y++)
                for (int x = 0; x < e[0]; x++) {
                    size_t entry = 0;
                    for (size_t i = 0; i < r.inputs.size(); i++) {
                        const mass_rule_input &in = r.inputs[i];
                        entry |= (size_t)s.arrays[in.field].get(w, x + in.x, y + in.y, z + in.z) << i;
                    }
                    for (size_t o = 0; o < r.outputs.size(); o++) {
                        const mass_rule_output &out = r.outputs[o];
                        const bool v = r.tables[o][entry];
                        if (out.kind == MASS_RULE_FIELD) s.arrays[out.field].at(w, x, y, z) = v;
                        else if (v) s.tallies[(size_t)((out.field - 4) * s.worlds + w)] += out.weight;
                    }
                }
}

void launch(const random_rule &r, const mass_rule *rule, space &s, bool tally, std::vector<int64_t> &sums)
{
    const array &first = s.arrays[0];
    char *text = mass_rule_ptx(rule, 90);
    cudaLibrary_t library;
    cudaKernel_t kernel;
    CHECK(cudaLibraryLoadData(&library, text, NULL, NULL, 0, NULL, NULL, 0));
    CHECK(cudaLibraryGetKernel(&kernel, library, tally ? MASS_RULE_PTX_TALLY : MASS_RULE_PTX_QUIET));
    free(text);
    mass_rule_arguments a = {};
    a.plane = first.plane * 4, a.world_stride = first.stride * 4, a.pitch = (int32_t)first.pitch * 4;
    a.width = first.extent[0], a.height = first.extent[1], a.depth = first.extent[2], a.worlds = s.worlds;
    a.open = !first.torus;
    a.beyond = first.beyond ? ~UINT64_C(0) : 0;
    uint32_t *devices[4];
    int64_t *tallies;
    for (int i = 0; i < 4; i++) {
        devices[i] = s.arrays[i].to_device();
        a.field[i] = devices[i] + first.first;
    }
    CHECK(cudaMalloc(&tallies, sums.size() * sizeof *tallies));
    CHECK(cudaMemcpy(tallies, sums.data(), sums.size() * sizeof *tallies, cudaMemcpyHostToDevice));
    a.field[4] = tallies;
    a.field[5] = tallies + s.worlds;
    void *arguments[] = {&a};
    const unsigned across = (unsigned)(first.extent[0] + 4095) / 4096, down = 1 + (unsigned)draw(3);
    CHECK(cudaLaunchKernel((void *)kernel, dim3(across, down, 1 + (unsigned)draw(2)), dim3(32, MASS_RULE_PTX_WARPS),
                           arguments, 0, NULL));
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 4; i++) s.arrays[i].from_device(devices[i]);
    CHECK(cudaMemcpy(sums.data(), tallies, sums.size() * sizeof *tallies, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(tallies));
    CHECK(cudaLibraryUnload(library));
}

/* Cells, and nothing beside rows; behind a row's last place, what is beyond. */
bool same(array &a, bool written)
{
    bool right = true;
    std::vector<uint32_t> outside = a.words;
    for (int w = 0; w < a.worlds; w++)
        for (int z = 0; z < a.extent[2]; z++)
            for (int y = 0; y < a.extent[1]; y++)
                for (int x = 0; x < (a.extent[0] + WORD - 1) / WORD * WORD; x++) {
                    const bool v = a.word(w, x, y, z) >> (x & 31) & 1;
                    if (x < a.extent[0]) right &= v == (a.at(w, x, y, z) != 0);
                    else right &= !written || a.torus || v == a.beyond;
                    outside[(size_t)(&a.word(w, x, y, z) - a.words.data())] = 0x5a5a5a5a;
                }
    for (const uint32_t v : outside) right &= !written || v == 0x5a5a5a5a;
    return right;
}

bool run_case(int number)
{
    static const int sides[] = {1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 777, 1000, 4097};
    const int dimensions = number % 4 == 3 ? 3 : 2;
    const int e[3] = {sides[draw(14)], sides[draw(dimensions == 3 ? 5 : 9)], dimensions == 3 ? 1 + draw(5) : 1};
    const bool torus = draw(2), beyond = draw(2), tally = draw(2);
    space s;
    s.worlds = 1 + draw(3);
    random_rule r;
    make_random_rule(r, numbers, dimensions);
    const mass_rule *rule = r.made();
    for (int i = 0; i < 4; i++) s.arrays.emplace_back(e, s.worlds, torus, beyond);
    s.arrays[0].fill();
    s.arrays[1].fill();
    s.tallies.assign((size_t)2 * s.worlds, 11);
    std::vector<int64_t> sums = s.tallies;
    launch(r, rule, s, tally, sums);
    compute_plainly(r, s);
    const bool two = r.outputs.size() > 2;
    const bool right = same(s.arrays[2], true) && (!two || same(s.arrays[3], true)) && (!tally || sums == s.tallies);
    if (!right)
        fprintf(stderr, "case %d: %d x %d x %d, %d worlds, torus %d, beyond %d, tallies %d, %u nodes: differs\n",
                number, e[0], e[1], e[2], s.worlds, torus, beyond, tally, rule->node_count);
    return right && mass_rule_ptx_fits(rule);
}

} // namespace

int main(int count, char **arguments)
{
    if (!there_is_a_gpu()) return SKIPPED;
    const int cases = count > 1 ? atoi(arguments[1]) : CASES;
    bool right = true;
    for (int i = 0; i < cases; i++) right &= run_case(i);
    return right ? 0 : 1;
}
