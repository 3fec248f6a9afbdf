/* SPDX-License-Identifier: Apache-2.0 */
/* Two ranks of a population on one GPU, whose boxes the test carries, or who write into each other's memory. */
#ifndef MASS_TESTS_KERNELS_CUDA_MANAGE_RANKS_CUH
#define MASS_TESTS_KERNELS_CUDA_MANAGE_RANKS_CUH

#include "../../gpu.cuh"
#include "cuda/manage_remote.h"
#include "cuda/manage_queued.h"

#include <algorithm>
#include <initializer_list>
#include <string.h>
#include <vector>

namespace {

enum { ROUNDS = 4 };

const uint32_t first_value = 77;
const uint8_t first_mark = 7;

uint64_t seed = 1;

uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}
uint64_t random64() { return mix(seed += 0x9e3779b97f4a7c15); }
uint32_t below(uint64_t n) { return (uint32_t)(random64() % n); }
uint32_t one_of(std::initializer_list<uint32_t> values) { return values.begin()[below(values.size())]; }

struct agent {
    uint64_t id;
    uint32_t cell; /* among all places */
    uint8_t lost;
    uint32_t value;
    uint8_t mark;

    bool operator==(const agent &other) const
    {
        return id == other.id && cell == other.cell && lost == other.lost && value == other.value && mark == other.mark;
    }
};

struct everybody {
    std::vector<agent> agents; /* in canonical order */
    uint64_t next_id;
    int64_t born, died, refused;
};

struct wish {
    uint32_t move, asked, child, child_value; /* cells among all places */
};

struct rules {
    uint32_t places, cut, seen; /* the second rank's first place; so many places at its ends each one sees of another */
    uint32_t order[3], conflict, children, phase;
    uint64_t key, step;
};

mass_manage_work work_of(const rules &how)
{
    mass_manage_work w = {};
    w.worlds = 1, w.step = how.step, w.phase = how.phase, w.capacity = 1, w.conflict = how.conflict;
    memcpy(w.sub_phases, how.order, sizeof w.sub_phases);
    w.priority_type = MASS_U32;
    w.children = how.children;
    return w;
}

/* ---- memory of the GPU ---- */

template <class T> T *room_for(size_t n)
{
    T *at;
    CHECK(cudaMalloc(&at, n * sizeof(T) + 256));
    CHECK(cudaMemset(at, 0, n * sizeof(T) + 256));
    return at;
}
template <class T> void put(const T *at, const std::vector<T> &data)
{
    CHECK(cudaMemcpy((void *)at, data.data(), data.size() * sizeof(T), cudaMemcpyHostToDevice));
}
template <class T> std::vector<T> get(const T *at, size_t n)
{
    std::vector<T> data(n);
    CHECK(cudaMemcpy(data.data(), at, n * sizeof(T), cudaMemcpyDeviceToHost));
    return data;
}

/* ---- a rank ---- */

struct one_rank {
    mass_manage_work w;
    mass_agent_array arrays[2];
    mass_cuda_queued q;
    mass_cuda_box boxes[2];
    cudaStream_t stream;
    /* Where others write, by turns. */
    char *in[2], *news_in[2];
    uint32_t *refused_in[2], *flags;
    mass_cuda_reach *reach[2];
    uint32_t first; /* place */
    uint32_t *cell[2], now;
    uint8_t *lost[2];
    std::vector<void *> all;

    template <class T> T *take(size_t n)
    {
        T *const at = room_for<T>(n);
        all.push_back(at);
        return at;
    }
};

uint32_t words_of(uint32_t room) { return MASS_CUDA_REFUSALS_FROM + (room + 3) / 4 * 4; }
uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* The runs of a rank's places that another one sees: its first ones, and its last. */
void list_runs(const rules &how, uint32_t places, bool own, size_t from, int32_t other, mass_cuda_run *runs)
{
    const uint32_t seen = smaller(how.seen, places);
    for (uint32_t k = 0; k < 2; k++) {
        runs[k] = {own ? (k ? places - seen : 0) : k * seen, seen, (uint32_t)(from / sizeof(uint32_t)), other};
        from += (seen + 31) / 32 * sizeof(uint32_t);
    }
}

class two_ranks {
public:
    two_ranks(const rules &how, const everybody &all, bool alone) : how(how), alone(alone)
    {
        room = 2 * how.places + 8;
        claims = how.places;
        CHECK(cudaHostAlloc(&ended, sizeof *ended, cudaHostAllocMapped));
        *ended = 0;
        for (int r = 0; r < 2; r++) make(r);
        for (int r = 0; r < 2; r++) reach(r);
        settle(all);
    }
    two_ranks(const two_ranks &) = delete;
    ~two_ranks()
    {
        for (one_rank &r : rank) {
            for (void *at : r.all) cudaFree(at);
            cudaStreamDestroy(r.stream);
        }
        cudaFreeHost(ended);
    }

    /* What agents ask for, wherever they are in the arrays. */
    void ask(const rules &now, const everybody &all, const std::vector<wish> &wishes);
    void put_in_order(void);
    /* Returns whether it stops. */
    bool manage(bool unsorted, bool keeps);
    mass_stop stop(int r) const { return get(rank[r].q.stop, 1)[0]; }
    /* Whether they have these agents; in canonical order. */
    bool hold(const everybody &all, bool ordered) const;
    bool see(const everybody &all) const;
    bool have_counted(const everybody &all) const;

private:
    rules how;
    bool alone;
    uint32_t room, claims, turn = 0;
    uint32_t *ended;
    one_rank rank[2];

    uint32_t places(int r) const { return r ? how.places - how.cut : how.cut; }
    void make(int r);
    void make_boxes(int r);
    void reach(int r);
    void settle(const everybody &all);
    void begin(one_rank *r, bool unsorted, bool keeps);
    void queue(int r, int step);
    void carry(int step);
    void go_on(one_rank *r);
    uint32_t count(int r) const { return get(rank[r].w.count, 1)[0]; }
    std::vector<agent> agents(int r) const;
};

void two_ranks::make(int r)
{
    one_rank &own = rank[r];
    own = {};
    own.first = r ? how.cut : 0;
    CHECK(cudaStreamCreateWithFlags(&own.stream, cudaStreamNonBlocking));
    mass_manage_work &w = own.w = work_of(how);
    w.places = places(r), w.room = room;
    w.random_keys = own.take<uint64_t>(1), w.count = own.take<uint32_t>(1), w.next_id = own.take<uint64_t>(1);
    w.id = own.take<uint64_t>(room), w.id_to = own.take<uint64_t>(room);
    for (int k = 0; k < 2; k++) own.cell[k] = own.take<uint32_t>(room), own.lost[k] = own.take<uint8_t>(room);
    w.cell = own.cell[0], w.lost = own.lost[0];
    w.start = own.take<uint32_t>(w.places + 1), w.occupancy = own.take<mass_seats>(w.places / 32 + 1);
    w.move = own.take<uint32_t>(room), w.asked = own.take<uint32_t>(room);
    w.child_cell = own.take<uint32_t>(room), w.remote_move = own.take<int64_t>(room);
    w.remote_child = own.take<int64_t>(room), w.closed = own.take<uint32_t>(1);
    w.born = own.take<int64_t>(1), w.died = own.take<int64_t>(1), w.refused = own.take<int64_t>(1);
    own.arrays[0] = {own.take<uint32_t>(room), own.take<uint32_t>(room), 4, own.take<uint32_t>(room), &first_value};
    own.arrays[1] = {own.take<uint8_t>(room), own.take<uint8_t>(room), 1, NULL, &first_mark};
    w.arrays = own.arrays, w.array_count = 2, w.priority = own.arrays[0].from;
    put(w.random_keys, std::vector<uint64_t>{how.key});
    make_boxes(r);
}

void two_ranks::make_boxes(int r)
{
    one_rank &own = rank[r];
    mass_cuda_queued &q = own.q;
    const size_t slot = mass_cuda_queued_slot(&own.w), words = mass_cuda_queued_words(1) * sizeof(int64_t);
    q.w = &own.w, q.ranks = 2, q.rank = r, q.moves = true, q.rounds = ROUNDS;
    for (int k = 0; k < 2; k++) {
        const uint32_t of = k == r ? 0 : claims;
        own.boxes[k] = {q.out_slots, of, q.in_slots, of, q.out_words, q.in_words, k == r ? 1024u * 16 : 0, 0};
        q.out_slots += 1 + of, q.in_slots += 1 + of;
        q.out_words += words_of(of), q.in_words += words_of(of);
    }
    mass_cuda_run runs[4];
    list_runs(how, places(r), true, words, 1 - r, runs);
    list_runs(how, places(1 - r), false, words, 1 - r, runs + 2);
    mass_cuda_run *const runs_there = own.take<mass_cuda_run>(4);
    mass_cuda_box *const boxes = own.take<mass_cuda_box>(2);
    int64_t *const first_place = own.take<int64_t>(3);
    put(runs_there, std::vector<mass_cuda_run>(runs, runs + 4));
    put(boxes, std::vector<mass_cuda_box>(own.boxes, own.boxes + 2));
    put(first_place, std::vector<int64_t>{0, how.cut, how.places});
    q.first_place = first_place, q.boxes = boxes, q.seen_out = runs_there, q.seen_in = runs_there + 2;
    q.seen_out_count = q.seen_in_count = 2;
    q.place_counts = own.take<uint32_t>(2 * how.seen);
    q.out = own.take<char>(q.out_slots * slot), q.refused_out = own.take<uint32_t>((ROUNDS + 1) * q.out_words);
    q.news_out = own.take<char>(32 * 1024);
    for (int k = 0; k < 2; k++) {
        own.in[k] = own.take<char>(q.in_slots * slot);
        own.refused_in[k] = own.take<uint32_t>(ROUNDS * q.in_words);
        own.news_in[k] = own.take<char>(32 * 1024);
    }
    own.flags = own.take<uint32_t>(2 * MASS_CUDA_FLAGS);
    q.flags = own.flags, q.number = own.take<uint32_t>(1), q.ended = ended;
    const size_t remote = mass_cuda_order_scratch(&own.w);
    const size_t near = mass_cuda_queued_scratch(&own.w, q.in_slots, q.out_slots);
    q.scratch = own.take<char>(std::max(remote, near));
    CHECK(cudaMemset(q.scratch, 0xa5, std::max(remote, near)));
    q.stop = own.take<mass_stop>(1);
}

/* Where a rank's boxes are in the memory of each, by turns. */
void two_ranks::reach(int r)
{
    one_rank &own = rank[r];
    const size_t slot = mass_cuda_queued_slot(&own.w);
    for (int k = 0; k < 2; k++) {
        std::vector<mass_cuda_reach> all;
        for (one_rank &to : rank) {
            const mass_cuda_box &b = to.boxes[r];
            all.push_back({to.in[k] + b.in * slot, to.news_in[k] + b.news_in, to.refused_in[k] + b.refused_in,
                           to.flags + r * MASS_CUDA_FLAGS, to.q.in_words});
        }
        own.reach[k] = own.take<mass_cuda_reach>(2);
        put(own.reach[k], all);
    }
}

void two_ranks::settle(const everybody &all)
{
    for (int r = 0; r < 2; r++) {
        const mass_manage_work &w = rank[r].w;
        std::vector<uint64_t> id;
        std::vector<uint32_t> cell, value, stay, none;
        std::vector<uint8_t> lost, mark;
        std::vector<mass_seats> occupancy(w.places / 32 + 1);
        for (const agent &a : all.agents) {
            if ((a.cell >= how.cut) != (r == 1)) continue;
            const uint32_t own = a.cell - rank[r].first;
            id.push_back(a.id), cell.push_back(own), lost.push_back(a.lost);
            value.push_back(a.value), mark.push_back(a.mark);
            occupancy[own / 32].held |= 1u << own % 32;
        }
        for (size_t k = 1; k < occupancy.size(); k++)
            occupancy[k].before = occupancy[k - 1].before + (uint32_t)__builtin_popcount(occupancy[k - 1].held);
        put(w.id, id), put(w.cell, cell), put(w.lost, lost), put(w.occupancy, occupancy);
        put((const uint32_t *)w.arrays[0].from, value), put((const uint8_t *)w.arrays[1].from, mark);
        put(w.count, std::vector<uint32_t>{(uint32_t)id.size()});
        put(w.start + w.places, std::vector<uint32_t>{(uint32_t)id.size()});
        put(w.move, std::vector<uint32_t>(room, MASS_CELL_STAY));
        put(w.next_id, std::vector<uint64_t>{r ? all.next_id / 2 : all.next_id - all.next_id / 2});
    }
}

void two_ranks::ask(const rules &now, const everybody &all, const std::vector<wish> &wishes)
{
    std::vector<uint32_t> by_cell(how.places, UINT32_MAX);
    for (uint32_t i = 0; i < all.agents.size(); i++) by_cell[all.agents[i].cell] = i;
    for (int r = 0; r < 2; r++) {
        mass_manage_work &w = rank[r].w;
        const uint32_t n = count(r), first = rank[r].first;
        std::vector<uint32_t> move = get(w.move, n), asked = get(w.asked, n), child(n), value(n);
        std::vector<int64_t> remote(n);
        const std::vector<uint32_t> cell = get(w.cell, n);
        for (uint32_t i = 0; i < n; i++) {
            const wish &own = wishes[by_cell[cell[i] + first]];
            const bool stays = own.move == MASS_CELL_STAY || own.move == MASS_CELL_NOWHERE;
            if (move[i] != MASS_CELL_STAY || asked[i]) exit((fprintf(stderr, "requests are left\n"), 1));
            move[i] = stays ? own.move : own.move - first < places(r) ? own.move - first : MASS_CELL_REMOTE;
            remote[i] = own.move;
            asked[i] = own.asked;
            child[i] = own.child == MASS_CELL_STAY ? own.child : own.child - first;
            value[i] = own.child_value;
        }
        w.step = now.step, w.phase = now.phase;
        put(w.move, move), put(w.asked, asked), put(w.child_cell, child), put(w.remote_move, remote);
        put((const uint32_t *)w.arrays[0].child, value);
    }
}

void two_ranks::put_in_order(void)
{
    for (one_rank &r : rank) {
        CHECK(mass_cuda_order(r.stream, &r.w, r.q.scratch));
        CHECK(cudaStreamSynchronize(r.stream));
    }
}

/* Where agents keep their places, cells and losers go where they are. */
void two_ranks::begin(one_rank *r, bool unsorted, bool keeps)
{
    r->w.order.finds = unsorted ? MASS_ORDER_ANY : MASS_ORDER_SORTED;
    r->w.order.leaves = keeps ? MASS_ORDER_ANY : MASS_ORDER_SORTED;
    r->w.cell_to = r->cell[keeps ? r->now : 1 - r->now], r->w.lost_to = r->lost[keeps ? r->now : 1 - r->now];
    r->q.in = r->in[turn], r->q.refused_in = r->refused_in[turn], r->q.news_in = r->news_in[turn];
    r->q.reach = alone ? r->reach[turn] : NULL;
}

enum { BEGIN, MOVE, REFUSE, CONCLUDE = REFUSE + ROUNDS, COMMIT };

void two_ranks::queue(int r, int step)
{
    const mass_cuda_queued *const q = &rank[r].q;
    const cudaStream_t stream = rank[r].stream;
    switch (step) {
    case BEGIN: CHECK(mass_cuda_queued_begin(stream, q)); break;
    case MOVE: CHECK(mass_cuda_queued_move(stream, q)); break;
    case CONCLUDE: CHECK(mass_cuda_queued_conclude(stream, q)); break;
    case COMMIT: CHECK(mass_cuda_queued_commit(stream, q)); break;
    default:
        if (!alone || step == REFUSE) CHECK(mass_cuda_queued_refuse(stream, q, (uint32_t)(step - REFUSE)));
    }
}

/* What lies in boxes before a step goes to the other rank. */
void two_ranks::carry(int step)
{
    const size_t slot = mass_cuda_queued_slot(&rank[0].w);
    CHECK(cudaDeviceSynchronize());
    for (int r = 0; r < 2; r++) {
        one_rank &from = rank[r], &to = rank[1 - r];
        const mass_cuda_box &out = from.boxes[1 - r], &in = to.boxes[r];
        const uint32_t round = (uint32_t)(step - REFUSE);
        if (step == MOVE)
            CHECK(cudaMemcpy(to.q.in + in.in * slot, from.q.out + out.out * slot, (1 + claims) * slot,
                             cudaMemcpyDeviceToDevice));
        if (step >= REFUSE && step < CONCLUDE)
            CHECK(cudaMemcpy(to.q.refused_in + (size_t)round * to.q.in_words + in.refused_in,
                             from.q.refused_out + (size_t)round * from.q.out_words + out.refused_out,
                             words_of(claims) * sizeof(uint32_t), cudaMemcpyDeviceToDevice));
        if (step == COMMIT)
            CHECK(cudaMemcpy(to.q.news_in + in.news_in, from.q.news_out + out.news_out, 16 * 1024,
                             cudaMemcpyDeviceToDevice));
    }
    CHECK(cudaDeviceSynchronize());
}

/* What was written is what there is now. */
void two_ranks::go_on(one_rank *r)
{
    mass_manage_work &w = r->w;
    uint64_t *const id = (uint64_t *)w.id;
    w.id = w.id_to, w.id_to = id;
    for (mass_agent_array &a : r->arrays) {
        void *const to = a.to;
        a.to = (void *)a.from, a.from = to;
    }
    w.priority = r->arrays[0].from;
    r->now = 1 - r->now;
    w.cell = r->cell[r->now], w.lost = r->lost[r->now];
}

bool two_ranks::manage(bool unsorted, bool keeps)
{
    for (one_rank &r : rank) begin(&r, unsorted, keeps);
    CHECK(cudaDeviceSynchronize());
    for (int step = BEGIN; step <= COMMIT; step++) {
        if (!alone && step > BEGIN) carry(step);
        for (int r = 0; r < 2; r++) queue(r, step);
    }
    CHECK(cudaDeviceSynchronize());
    turn = 1 - turn;
    const bool stopped = stop(0).stopped;
    if (stopped != (stop(1).stopped != 0)) exit((fprintf(stderr, "one rank stops alone\n"), 1));
    for (int r = 0; r < 2 && !stopped && !keeps; r++) go_on(&rank[r]);
    return stopped;
}

std::vector<agent> two_ranks::agents(int r) const
{
    const mass_manage_work &w = rank[r].w;
    const uint32_t n = count(r);
    const std::vector<uint64_t> id = get(w.id, n);
    const std::vector<uint32_t> cell = get(w.cell, n), value = get((const uint32_t *)w.arrays[0].from, n);
    const std::vector<uint8_t> lost = get(w.lost, n), mark = get((const uint8_t *)w.arrays[1].from, n);
    std::vector<agent> all;
    for (uint32_t i = 0; i < n; i++) all.push_back({id[i], cell[i] + rank[r].first, lost[i], value[i], mark[i]});
    return all;
}

void show_difference(const std::vector<agent> &found, const std::vector<agent> &right)
{
    size_t k = 0;
    while (k < found.size() && k < right.size() && found[k] == right[k]) k++;
    fprintf(stderr, "  %zu agents, where there are %zu; number %zu", found.size(), right.size(), k);
    for (const auto *all : {&found, &right}) {
        const agent a = k < all->size() ? (*all)[k] : agent{};
        fprintf(stderr, "%s id %llu, cell %u, lost %u, value %u, mark %u", all == &found ? " has" : "; right is",
                (unsigned long long)a.id, a.cell, a.lost, a.value, a.mark);
    }
    fprintf(stderr, "\n");
}

bool two_ranks::hold(const everybody &all, bool ordered) const
{
    std::vector<agent> found = agents(0), others = agents(1);
    for (int r = 0; r < 2; r++)
        if (get(rank[r].w.start + places(r), 1)[0] != count(r)) return false;
    found.insert(found.end(), others.begin(), others.end());
    if (!ordered)
        std::sort(found.begin(), found.end(), [](const agent &a, const agent &b) { return a.cell < b.cell; });
    if (found == all.agents) return true;
    show_difference(found, all.agents);
    return false;
}

bool two_ranks::see(const everybody &all) const
{
    std::vector<uint32_t> held(how.places);
    for (const agent &a : all.agents) held[a.cell] = 1;
    for (int r = 0; r < 2; r++) {
        const uint32_t n = places(1 - r), seen = smaller(how.seen, n), first = rank[1 - r].first;
        const std::vector<uint32_t> place_counts = get(rank[r].q.place_counts, 2 * seen);
        for (uint32_t k = 0; k < seen; k++)
            if (place_counts[k] != held[first + k] ||
                place_counts[seen + k] != held[first + n - seen + k]) return false;
    }
    return true;
}

bool two_ranks::have_counted(const everybody &all) const
{
    int64_t born = 0, died = 0, refused = 0;
    uint64_t next_id = 0;
    for (const one_rank &r : rank) {
        born += get(r.w.born, 1)[0], died += get(r.w.died, 1)[0], refused += get(r.w.refused, 1)[0];
        next_id += get(r.w.next_id, 1)[0];
    }
    return born == all.born && died == all.died && refused == all.refused && next_id == all.next_id;
}

} // namespace
#endif
