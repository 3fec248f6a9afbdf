/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of bits by counts against a plain loop over places: random rules, sizes, edges, worlds, numbers of steps. */
#include "../../gpu.cuh"
#include "cuda/bits_step.h"

#include <string.h>
#include <vector>

namespace {

enum { GHOSTS = MASS_BITS_STEPS_MOST, WORD = 32, SUMS = 3, CASES = 400 };

uint64_t state = 1;
uint32_t draw(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % below);
}

/* A space of bytes, as a plain loop knows it, and its rows of words with ghosts. */
struct space {
    int width, height, worlds;
    int top, rows; /* of a partition, that is stepped */
    bool torus, beyond;
    int64_t pitch, stride, first;
    std::vector<uint8_t> cells;
    std::vector<uint32_t> words;
    space(int w, int h, int n, bool t, bool b) : width(w), height(h), worlds(n), top(0), rows(h), torus(t), beyond(b)
    {
        pitch = ((w + 2 * 64 + 511) / 512 + 1) * 512 / WORD;
        stride = pitch * (h + 2 * GHOSTS);
        first = GHOSTS * pitch + 16;
        cells.resize((size_t)w * h * n);
        words.resize((size_t)(stride * n + 16));
        for (uint8_t &c : cells) c = draw(3) == 0;
        for (uint32_t &v : words) v = draw(1u << 31) * 2 + draw(2);
    }
    uint8_t &at(int world, int x, int y) { return cells[((size_t)world * height + y) * width + x]; }
    int get(int world, int x, int y)
    {
        if (x >= 0 && x < width && y >= 0 && y < height) return at(world, x, y);
        if (!torus) return beyond;
        return at(world, ((x % width) + width) % width, ((y % height) + height) % height);
    }
    uint32_t bit_of(int x) { return 1u << (x & (WORD - 1)); }
    uint32_t &word_of(int world, int x, int y) { return words[first + world * stride + y * pitch + (x >> 5)]; }
    /* Ghosts along the axes `around` hold what they happen to. */
    void pack(int depth, uint32_t around)
    {
        const int beside = around & MASS_BITS_X ? 0 : depth, above = around & MASS_BITS_Y ? 0 : depth;
        for (int world = 0; world < worlds; world++)
            for (int y = -above; y < height + above; y++)
                for (int x = -beside; x < width + beside; x++) {
                    uint32_t &v = word_of(world, x, y);
                    v = get(world, x, y) ? v | bit_of(x) : v & ~bit_of(x);
                }
    }
};

struct rule {
    uint32_t birth, survive;
    bool von_neumann;
    int next(space &s, int world, int x, int y) const
    {
        int n = 0;
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++)
                if ((dx || dy) && (!von_neumann || !dx || !dy)) n += s.get(world, x + dx, y + dy);
        return (s.at(world, x, y) ? survive : birth) >> n & 1;
    }
};

/* The plain loop; changes[step][world]: set, born and died. */
void step_plainly(space &s, const rule &r, int steps, std::vector<int64_t> &changes)
{
    changes.assign((size_t)steps * s.worlds * SUMS, 0);
    for (int t = 0; t < steps; t++) {
        std::vector<uint8_t> next(s.cells.size());
        int64_t *const of = &changes[(size_t)t * s.worlds * SUMS];
        for (int world = 0; world < s.worlds; world++)
            for (int y = 0; y < s.height; y++)
                for (int x = 0; x < s.width; x++) {
                    const int before = s.at(world, x, y), after = r.next(s, world, x, y);
                    next[((size_t)world * s.height + y) * s.width + x] = (uint8_t)after;
                    of[(size_t)world * SUMS] += after;
                    of[(size_t)world * SUMS + 1] += after && !before;
                    of[(size_t)world * SUMS + 2] += before && !after;
                }
        s.cells = next;
    }
}

template <class T> T *to_device(const std::vector<T> &v)
{
    T *p;
    CHECK(cudaMalloc(&p, v.size() * sizeof *p));
    CHECK(cudaMemcpy(p, v.data(), v.size() * sizeof *p, cudaMemcpyHostToDevice));
    return p;
}
template <class T> void from_device(std::vector<T> &v, T *p)
{
    CHECK(cudaMemcpy(v.data(), p, v.size() * sizeof *p, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(p));
}

/* Steps on the device; into s.words, and what tallies got, in `rows` rows of which the last one is the last step's. */
void step_packed(space &s, const rule &r, int steps, uint32_t around, bool tallies, const std::vector<uint32_t> &gates,
                 int rows, std::vector<int64_t> &sums)
{
    s.pack(steps, around);
    std::vector<uint32_t> blank(s.words.size(), 0x5a5a5a5a);
    uint32_t *from = to_device(s.words), *to = to_device(blank), *closed = to_device(gates);
    int64_t *tally = to_device(sums);
    mass_bits_work w = {};
    w.from = from + s.first + s.top * s.pitch, w.to = to + s.first + s.top * s.pitch;
    w.pitch = s.pitch, w.world_stride = s.stride;
    w.first_row = -s.top, w.end_row = s.height - s.top;
    w.width = s.width, w.height = s.rows, w.worlds = s.worlds, w.steps = steps;
    w.open = s.torus ? 0 : MASS_BITS_LEFT | MASS_BITS_RIGHT | MASS_BITS_TOP | MASS_BITS_BOTTOM;
    w.around = around;
    w.beyond = s.beyond ? ~0u : 0;
    w.birth = r.birth, w.survive = r.survive, w.von_neumann = r.von_neumann;
    w.gates = closed;
    w.sum_count = tallies ? SUMS : 0;
    int64_t *const last = tally + (rows - 1) * SUMS * s.worlds;
    w.row = rows > 1 ? SUMS * s.worlds : 0;
    w.sums[0] = {last, 2, 0, 0};
    w.sums[1] = {last + s.worlds, -1, 3, 0};
    w.sums[2] = {last + 2 * s.worlds, 0, 1, -5};
    CHECK(mass_cuda_step_bits(cudaStreamPerThread, &w, false));
    CHECK(cudaStreamSynchronize(cudaStreamPerThread));
    std::vector<uint32_t> before(s.words.size());
    from_device(before, from);
    from_device(s.words, to);
    from_device(sums, tally);
    CHECK(cudaFree(closed));
    if (before.size() != s.words.size()) exit(1);
}

bool same_cells(space &s, int world)
{
    for (int y = s.top; y < s.top + s.rows; y++)
        for (int x = 0; x < s.width; x++)
            if ((s.word_of(world, x, y) & s.bit_of(x) ? 1 : 0) != s.at(world, x, y)) return false;
    return true;
}

/* What lies outside of the rows is as it was; and behind a row's last place, beyond an edge, as beyond it. */
bool same_outside(space &s)
{
    std::vector<bool> rows(s.words.size());
    const int words = (s.width + WORD - 1) / WORD;
    bool same = true;
    for (int world = 0; world < s.worlds; world++)
        for (int y = s.top; y < s.top + s.rows; y++) {
            for (int k = 0; k < words; k++) rows[(size_t)(&s.word_of(world, k * WORD, y) - s.words.data())] = true;
            for (int x = s.width; x < words * WORD && !s.torus; x++)
                same &= ((s.word_of(world, x, y) & s.bit_of(x)) != 0) == s.beyond;
        }
    for (size_t i = 0; i < s.words.size(); i++) same &= rows[i] || s.words[i] == 0x5a5a5a5a;
    return same;
}

/* Each row has what its steps have changed: one of them, or all where there is one row. */
bool same_sums(const space &s, const std::vector<int64_t> &changes, int steps, int rows,
               const std::vector<int64_t> &sums, int world)
{
    bool same = true;
    for (int row = 0; row < rows; row++) {
        int64_t set = 0, born = 0, died = 0;
        for (int t = rows > 1 ? row : 0; t < (rows > 1 ? row + 1 : steps); t++) {
            const int64_t *of = &changes[((size_t)t * s.worlds + world) * SUMS];
            set += of[0], born += of[1], died += of[2];
        }
        const int64_t want[SUMS] = {2 * set, 3 * born - set, born - 5 * died};
        for (int k = 0; k < SUMS; k++) same &= sums[(size_t)((row * SUMS + k) * s.worlds + world)] == want[k] + 7;
    }
    return same;
}

const int SIDES[] = {1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 129, 200, 777, 1000, 2047, 2100};
const int STEPS[] = {1, 1, 1, 2, 3, 4, 5, 7, 8, 11, 15, 16, 4, 8};

bool run_case(int number)
{
    const bool tall = number % 8 == 0; /* so that steps go by columns */
    const int width = SIDES[draw(sizeof SIDES / sizeof *SIDES)];
    const int height = tall ? 40000 / (1 + width / 8) : SIDES[draw(14)], worlds = tall ? 1 : 1 + (int)draw(3);
    const int steps = STEPS[draw(sizeof STEPS / sizeof *STEPS)];
    const bool torus = draw(2), beyond = draw(2), von_neumann = draw(3) == 0, tallies = draw(2);
    const bool life = draw(3) == 0;
    const rule r = life ? rule{8, 12, false} : rule{draw(512), draw(512), von_neumann};
    space s(width, height, worlds, torus, beyond);
    const bool part = number % 5 == 1 && !tallies;
    if (part) s.top = (int)draw(height), s.rows = 1 + (int)draw(height - s.top);
    const int rows = draw(4) ? steps : 1;
    std::vector<int64_t> sums((size_t)(SUMS * worlds * rows), 7), changes;
    std::vector<uint32_t> gates((size_t)worlds, 0);
    const int shut = worlds > 1 ? (int)draw(worlds) : -1;
    if (shut >= 0) gates[shut] = 1;
    uint32_t around = torus ? number / 2 % 4 : 0;
    if (part) around &= MASS_BITS_X;
    if (width % WORD != 0) around &= ~(uint32_t)MASS_BITS_X;
    if (height < steps) around &= ~(uint32_t)MASS_BITS_Y;
    step_packed(s, r, steps, around, tallies, gates, rows, sums);
    step_plainly(s, r, steps, changes);
    bool right = shut >= 0 || same_outside(s);
    for (int world = 0; world < worlds; world++)
        if (world != shut) right &= same_cells(s, world) &&
                                     (!tallies || same_sums(s, changes, steps, rows, sums, world));
    if (!right)
        fprintf(stderr, "case %d: %d x %d, rows %d to %d, %d worlds, %s beyond %d, %s birth %x survive %x, %d steps, "
                "around %u%s: differs\n", number, width, height, s.top, s.top + s.rows, worlds,
                torus ? "torus" : "edges", beyond, von_neumann ? "4" : "8", r.birth, r.survive, steps, around,
                tallies ? ", tallies" : "");
    return right;
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
