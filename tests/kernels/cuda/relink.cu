/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of edges on a GPU are those of plain lists: which edges end, which requests are refused, and the entries
 * afterwards. Ends with 77 where there is no GPU. */
#include "../../gpu.cuh"
#include "cuda/kernels.h"

#include <mass/impl/launch.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <tuple>
#include <vector>

namespace {

constexpr uint32_t MOST = 3; /* requests of a node */
cudaStream_t stream;
uint64_t state = 1;
const char *fault; /* what differs first; NULL: nothing */

uint32_t below(uint32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % n;
}

void expect(bool same, const char *what)
{
    if (!same && !fault) fault = what;
}

/* Managed memory, which the device reads and writes, too. */
template <class T> struct array {
    T *at = nullptr;
    size_t size = 0;
    explicit array(size_t count = 0) : size(count)
    {
        CHECK(cudaMallocManaged(&at, (count + 1) * sizeof(T)));
        std::fill(at, at + count, T());
    }
    explicit array(const std::vector<T> &values) : array(values.size()) { std::copy(values.begin(), values.end(), at); }
    array(const array &) = delete;
    ~array() { CHECK(cudaFree(at)); }
    std::vector<T> values() const
    {
        CHECK(cudaStreamSynchronize(stream));
        return std::vector<T>(at, at + size);
    }
};

struct edge {
    uint32_t row, source; /* row: on which its agent is */
    uint64_t id;
    uint16_t value;
};

struct entry {
    uint32_t row, source;
    uint64_t id;
    uint16_t value;
    uint8_t cut;
};

typedef std::set<std::pair<uint64_t, uint32_t>> marks_of; /* of entries, by id and row */

struct network {
    uint64_t nodes;
    int32_t worlds;
    bool directed, simple;
    std::vector<edge> edges;       /* sorted by row and id, as agents */
    std::vector<uint64_t> next_id; /* [worlds] */
    uint64_t rows() const { return nodes * (uint64_t)worlds; }
    uint32_t world_of(uint32_t row) const { return (uint32_t)(row / nodes); }
};

bool comes_before(const entry &a, const entry &b)
{
    return std::tie(a.row, a.source, a.id) < std::tie(b.row, b.source, b.id);
}

/* Returns the entries of all edges. */
std::vector<entry> entries_of(const network &n)
{
    std::vector<entry> list;
    for (const edge &e : n.edges) {
        const uint32_t node = (uint32_t)(e.row % n.nodes), other = e.row - node + e.source;
        list.push_back({e.row, e.source, e.id, e.value, 0});
        if (!n.directed && other != e.row) list.push_back({other, node, e.id, e.value, 0});
    }
    std::sort(list.begin(), list.end(), comes_before);
    return list;
}

/* The arrays of a list of entries on the device. */
struct adjacency {
    array<uint64_t> first, id;
    array<uint32_t> source;
    array<uint8_t> cut;
    array<uint16_t> value;
    adjacency(const network &n, size_t count) : first(n.rows() + 1), id(count), source(count), cut(count), value(count)
    {
    }
    mass_relink_entries of(const network &n) const
    {
        return {n.nodes, n.rows(), id.size, n.directed, first.at, source.at, id.at};
    }
    bool is(const network &n, const std::vector<entry> &list) const
    {
        CHECK(cudaStreamSynchronize(stream));
        bool same = id.size == list.size();
        for (size_t i = 0; same && i < list.size(); i++)
            same = source.at[i] == list[i].source && id.at[i] == list[i].id && value.at[i] == list[i].value &&
                   cut.at[i] == list[i].cut && first.at[list[i].row] <= i && i < first.at[list[i].row + 1];
        return same && first.at[0] == 0 && first.at[n.rows()] == list.size();
    }
};

/* Memory that a kernel needs. */
struct scratch {
    void *at;
    explicit scratch(size_t bytes) { CHECK(cudaMalloc(&at, bytes + 1)); }
    ~scratch() { CHECK(cudaFree(at)); }
};

/* Makes new entries, and compares them with those of a plain sort. marked: those that keep their marks. Sets *next. */
void merge(const network &n, const adjacency *old, const std::vector<uint64_t> &ended,
           const std::vector<uint64_t> &next_id, uint64_t expected, const marks_of &marked, adjacency **next)
{
    std::vector<uint64_t> ids;
    std::vector<uint32_t> cells, sources;
    std::vector<uint16_t> values;
    for (const edge &e : n.edges) {
        ids.push_back(e.id);
        cells.push_back(e.row);
        sources.push_back(e.source);
        values.push_back(e.value);
    }
    const array<uint64_t> id(ids), gone(ended), key(2 * expected);
    const array<uint32_t> cell(cells), source(sources), agent(2 * expected);
    const array<uint16_t> value(values);
    const mass_relink_collect_work c = {n.nodes, n.rows(), n.worlds, n.directed, (uint32_t)n.edges.size(), id.at,
                                        cell.at, source.at, next_id.data(), expected, key.at, agent.at};
    mass_relink_found found;
    const scratch of_collect(mass_cuda_relink_collect_scratch(&c));
    CHECK(mass_cuda_relink_collect(stream, &c, of_collect.at, &found));
    expect(found.agents == expected && found.stray == UINT32_MAX, "new edges");
    std::vector<entry> list = entries_of(n);
    for (entry &e : list) e.cut = marked.count({e.id, e.row});
    *next = new adjacency(n, list.size());
    const uint64_t before = old ? old->id.size : 0;
    expect(before - ended.size() + found.entries == list.size(), "number of entries");
    if (fault) return;
    mass_relink_merge_work m = {};
    if (old) m.old = old->of(n);
    else m.old = {n.nodes, n.rows(), 0, n.directed, nullptr, nullptr, nullptr};
    m.ended_count = ended.size();
    m.fresh_count = found.entries;
    m.ended = gone.at;
    m.key = key.at;
    m.agent = agent.at;
    m.first = (*next)->first.at;
    m.source = (*next)->source.at;
    m.columns[m.column_count++] = {old ? old->id.at : nullptr, id.at, (*next)->id.at, sizeof(uint64_t)};
    m.columns[m.column_count++] = {old ? old->cut.at : nullptr, nullptr, (*next)->cut.at, 1};
    m.columns[m.column_count++] = {old ? old->value.at : nullptr, value.at, (*next)->value.at, sizeof(uint16_t)};
    const scratch of_merge(mass_cuda_relink_merge_scratch(&m));
    CHECK(mass_cuda_relink_merge(stream, &m, of_merge.at));
    expect((*next)->is(n, list), "entries");
}

/* Marks entries, draws requests, applies them in plain lists and on the device, and compares. dwell: 1, 2: edges end
 * with agents, which are known by their starts, or by the seats that they hold. */
void change(network &n, adjacency **there, uint32_t marks, uint32_t requests, bool gated, int dwell)
{
    const std::vector<entry> list = entries_of(n);
    const uint64_t rows = n.rows();
    array<uint32_t> gates(n.worlds), start(rows + 1), asked(n.edges.size()), wished(rows), source(MOST * rows);
    array<uint16_t> values(MOST * rows);
    array<uint64_t> before(rows + 1), ids(n.edges.size());
    array<uint8_t> ends(list.size());
    array<uint32_t> dwellers(rows + 1);
    array<mass_seats> seats(rows / 32 + 1);
    std::vector<bool> bare(rows);
    for (uint64_t r = 0; r < rows; r++) {
        bare[r] = dwell && below(20) == 0;
        dwellers.at[r + 1] = dwellers.at[r] + !bare[r];
        seats.at[r / 32].held |= (uint32_t)!bare[r] << r % 32;
    }
    for (int32_t w = 0; gated && w < n.worlds; w++) gates.at[w] = below(2);
    marks_of marked;                              /* in closed worlds */
    std::set<std::pair<uint32_t, uint64_t>> gone; /* by world and id */
    for (size_t i = 0; i < list.size(); i++) {
        (*there)->cut.at[i] = below(100) < marks;
        const uint32_t row = list[i].row, other = row - (uint32_t)(row % n.nodes) + list[i].source;
        if (!gates.at[n.world_of(row)] && (bare[row] || bare[other])) gone.insert({n.world_of(row), list[i].id});
        if (!(*there)->cut.at[i]) continue;
        if (gates.at[n.world_of(list[i].row)]) marked.insert({list[i].id, list[i].row});
        else gone.insert({n.world_of(list[i].row), list[i].id});
    }
    for (size_t i = 0; i < n.edges.size(); i++) ids.at[i] = n.edges[i].id, start.at[n.edges[i].row + 1]++;
    for (uint64_t r = 0; r < rows; r++) start.at[r + 1] += start.at[r];
    for (uint64_t r = 0; r < rows; r++) {
        wished.at[r] = below(100) < requests ? below(MOST + 1) : 0;
        for (uint32_t k = 0; k < wished.at[r]; k++) {
            source.at[k * rows + r] = below((uint32_t)n.nodes);
            values.at[k * rows + r] = (uint16_t)below(60000);
        }
    }
    /* The plain way. */
    std::set<std::tuple<uint32_t, uint32_t, uint32_t>> there_already, asked_for;
    const auto named = [&](uint32_t row, uint32_t from) {
        const uint32_t node = (uint32_t)(row % n.nodes);
        const bool turned = !n.directed && node < from;
        return std::make_tuple(n.world_of(row), turned ? node : from, turned ? from : node);
    };
    std::vector<edge> after;
    std::vector<uint64_t> ended, next_id = n.next_id;
    uint64_t edges_ended = 0, made = 0, wishes = 0;
    for (size_t i = 0; i < list.size(); i++)
        if (gone.count({n.world_of(list[i].row), list[i].id})) ended.push_back(i);
    for (const edge &e : n.edges) {
        if (gone.count({n.world_of(e.row), e.id})) edges_ended++;
        else after.push_back(e), there_already.insert(named(e.row, e.source));
    }
    std::vector<uint32_t> left = wished.values();
    std::vector<std::vector<std::pair<uint32_t, uint16_t>>> kept(rows);
    for (uint32_t r = 0; r < rows; r++) {
        if (gates.at[n.world_of(r)]) continue;
        wishes += wished.at[r];
        left[r] = 0;
        for (uint32_t k = 0; k < wished.at[r]; k++) {
            const uint32_t from = source.at[k * rows + r];
            if (!asked_for.insert(named(r, from)).second || bare[r] || bare[r - r % n.nodes + from]) continue;
            if (n.simple && (from == r % n.nodes || there_already.count(named(r, from)))) continue;
            kept[r].push_back({from, values.at[k * rows + r]});
            after.push_back({r, from, next_id[n.world_of(r)]++, values.at[k * rows + r]});
            left[r]++;
            made++;
        }
    }
    /* The device's way. */
    mass_relink_end_work e = {(*there)->of(n), (*there)->cut.at, ends.at, gates.at, ids.at, start.at, asked.at,
                              wished.at, before.at, {dwell == 1 ? dwellers.at : nullptr,
                                                     dwell == 2 ? seats.at : nullptr}};
    mass_relink_counts counts;
    const scratch of_end(mass_cuda_relink_end_scratch(&e));
    CHECK(mass_cuda_relink_end(stream, &e, of_end.at, &counts));
    expect(counts.edges == edges_ended && counts.entries == ended.size() && counts.requests == wishes, "counts");
    for (size_t i = 0; i < n.edges.size(); i++)
        expect((asked.at[i] == MASS_ASKED_KILL) == (gone.count({n.world_of(n.edges[i].row), n.edges[i].id}) == 1),
               "agents that die");
    if (fault) return;
    const mass_relink_values columns[] = {{(char *)source.at, sizeof(uint32_t)}, {(char *)values.at, sizeof(uint16_t)}};
    array<uint64_t> listed(ended.size());
    const mass_relink_judge_work j = {(*there)->of(n), ends.at, before.at, counts.requests, wished.at, source.at,
                                      n.simple, 2, columns, listed.at, e.dwellers};
    uint64_t refused = 0;
    const scratch of_judge(mass_cuda_relink_judge_scratch(&j));
    CHECK(mass_cuda_relink_judge(stream, &j, of_judge.at, &refused));
    expect(listed.values() == ended, "entries that end");
    expect(refused == wishes - made && wished.values() == left, "requests that are refused");
    for (uint32_t r = 0; r < rows; r++)
        for (size_t k = 0; k < kept[r].size(); k++)
            expect(source.at[k * rows + r] == kept[r][k].first && values.at[k * rows + r] == kept[r][k].second,
                   "values of requests");
    if (fault) return;
    std::sort(after.begin(), after.end(),
              [](const edge &a, const edge &b) { return std::tie(a.row, a.id) < std::tie(b.row, b.id); });
    const std::vector<uint64_t> known = n.next_id;
    n.edges = after;
    n.next_id = next_id;
    adjacency *next;
    merge(n, *there, ended, known, made, marked, &next);
    delete *there;
    *there = next;
}

void run(uint64_t nodes, int32_t worlds, bool directed, bool simple, uint32_t edges, uint32_t marks, uint32_t requests)
{
    network n = {nodes, worlds, directed, simple, {}, std::vector<uint64_t>((size_t)worlds)};
    for (int32_t w = 0; w < worlds; w++)
        for (uint32_t i = 0; i < edges; i++)
            n.edges.push_back({(uint32_t)(w * nodes + below((uint32_t)nodes)), below((uint32_t)nodes),
                               n.next_id[(size_t)w]++, (uint16_t)below(60000)});
    std::sort(n.edges.begin(), n.edges.end(),
              [](const edge &a, const edge &b) { return std::tie(a.row, a.id) < std::tie(b.row, b.id); });
    adjacency *there = nullptr;
    merge(n, nullptr, {}, std::vector<uint64_t>((size_t)worlds), n.edges.size(), {}, &there);
    for (int step = 0; step < 4 && !fault; step++)
        change(n, &there, marks, requests, worlds > 1 && step % 2, (int)below(3));
    delete there;
}

} // namespace

int main()
{
    if (!there_is_a_gpu()) return SKIPPED;
    CHECK(cudaStreamCreate(&stream));
    for (uint64_t nodes : {1, 2, 7, 300})
        for (int32_t worlds : {1, 3})
            for (int kind = 0; kind < 4; kind++)
                for (uint32_t edges : {0, 1, 900})
                    for (uint32_t change : {0, 5, 100}) {
                        run(nodes, worlds, kind & 1, kind & 2, edges, change, change);
                        run(nodes, worlds, kind & 1, kind & 2, edges, change, 100 - change);
                        if (!fault) continue;
                        fprintf(stderr, "%llu nodes, %d worlds, kind %d, %u edges, %u %%: other %s\n",
                                (unsigned long long)nodes, worlds, kind, edges, change, fault);
                        return 1;
                    }
    run(50000, 2, false, true, 200000, 3, 10);
    if (fault) fprintf(stderr, "50000 nodes: other %s\n", fault);
    return fault ? 1 : 0;
}
