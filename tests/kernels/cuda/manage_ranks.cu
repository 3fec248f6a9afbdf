/* SPDX-License-Identifier: Apache-2.0 */
/* manage over two ranks on one GPU, with all work queued, against the CPU's over all places. Populations are random,
 * and a place holds one agent. They keep their order in the arrays or not, and steps have several manages. The two
 * ranks take turns if the test copies their mailboxes. They run at once if they write into each other's memory.
 * Usage: `manage_ranks [SEED [CASES]]`. Ends with 77 if there is no GPU. */
#include "manage_ranks.cuh"
#include <mass/random.h> /* has C++ headers, and cpu/kernels.h includes it */
extern "C" {
#include "cpu/kernels.h"
}

#include <algorithm>

namespace {

/* ---- all places, on the CPU ---- */

/* Carries out what agents ask for; tallies go on. */
void manage_all(everybody *all, const std::vector<wish> &wishes, const rules &how)
{
    const uint32_t n = (uint32_t)all->agents.size(), room = 2 * n + 8, places = how.places;
    std::vector<uint64_t> id(room), id_to(room);
    std::vector<uint32_t> cell(room), cell_to(room), move(room), asked(room), child(room), start(places + 1);
    std::vector<uint32_t> value(room), value_to(room), child_value(room);
    std::vector<uint8_t> lost(room), lost_to(room), mark(room), mark_to(room);
    uint32_t count = n;
    for (uint32_t i = 0; i < n; i++) {
        const agent &a = all->agents[i];
        id[i] = a.id, cell[i] = a.cell, lost[i] = a.lost, value[i] = a.value, mark[i] = a.mark;
        move[i] = wishes[i].move, asked[i] = wishes[i].asked, child[i] = wishes[i].child;
        child_value[i] = wishes[i].child_value;
        start[a.cell + 1]++;
    }
    for (uint32_t c = 0; c < places; c++) start[c + 1] += start[c];
    const mass_agent_array arrays[] = {{value.data(), value_to.data(), 4, child_value.data(), &first_value},
                                       {mark.data(), mark_to.data(), 1, NULL, &first_mark}};
    mass_manage_work w = work_of(how);
    w.places = places, w.random_keys = &how.key, w.priority = value.data(), w.room = room, w.count = &count;
    w.next_id = &all->next_id, w.id = id.data(), w.cell = cell.data(), w.id_to = id_to.data();
    w.cell_to = cell_to.data(), w.lost_to = lost_to.data(), w.lost = lost.data(), w.start = start.data();
    w.move = move.data(), w.asked = asked.data(), w.child_cell = child.data(), w.array_count = 2, w.arrays = arrays;
    w.born = &all->born, w.died = &all->died, w.refused = &all->refused;
    mass_cpu_manage_scratch scratch = {};
    static mass_cpu_team *const team = mass_cpu_team_create(1, NULL);
    if (mass_cpu_manage(&w, &scratch, team, 1) > room) exit((fprintf(stderr, "the CPU's manage fails\n"), 1));
    mass_cpu_manage_free(&scratch);
    all->agents.resize(count);
    for (uint32_t i = 0; i < count; i++) all->agents[i] = {id_to[i], cell_to[i], lost_to[i], value_to[i], mark_to[i]};
}

/* ---- cases ---- */

everybody make_everybody(const rules &how, uint32_t agents)
{
    everybody all = {};
    std::vector<uint32_t> cells(how.places);
    for (uint32_t c = 0; c < how.places; c++) cells[c] = c;
    for (uint32_t c = how.places; c > 1; c--) std::swap(cells[c - 1], cells[below(c)]);
    cells.resize(agents);
    std::sort(cells.begin(), cells.end());
    std::vector<uint64_t> ids(agents);
    for (uint32_t i = 0; i < agents; i++) ids[i] = i;
    for (uint32_t i = agents; i > 1; i--) std::swap(ids[i - 1], ids[below(i)]);
    for (uint32_t i = 0; i < agents; i++)
        all.agents.push_back({ids[i], cells[i], (uint8_t)below(2), below(5), (uint8_t)random64()});
    all.next_id = agents + below(100);
    return all;
}

/* A cell nearby, around the end, or any. */
uint32_t cell_for(const rules &how, uint32_t cell, uint32_t motion)
{
    const uint32_t reach = motion == 0 ? 1 : motion == 1 ? 7 : how.places;
    const uint32_t by = below(2 * (uint64_t)reach + 1);
    return (uint32_t)(((uint64_t)cell + how.places + how.places * (uint64_t)(reach / how.places) + by - reach) %
                      how.places);
}

/* Nobody is born on another rank's place, as are children that stay with a parent who went there. */
std::vector<wish> make_wishes(const everybody &all, const rules &how, bool only_moves)
{
    const uint32_t motion = below(4), deaths = only_moves ? 0 : one_of({0, 3, 10});
    std::vector<wish> wishes;
    for (const agent &a : all.agents) {
        wish w = {cell_for(how, a.cell, motion), 0, MASS_CELL_STAY, below(1000)};
        if (motion == 3) w.move = a.cell + 1 < how.places ? a.cell + 1 : MASS_CELL_STAY; /* a line before a wall */
        if (below(8) == 0) w.move = one_of({MASS_CELL_STAY, MASS_CELL_NOWHERE, a.cell});
        if (deaths && below(deaths) == 0) w.asked |= MASS_ASKED_KILL;
        if (!only_moves && how.children) w.asked |= below(2);
        const uint32_t child = cell_for(how, a.cell, 0);
        if (how.order[2] == MASS_SPAWN) w.child = a.cell;
        if (below(3) && (child < how.cut) == (a.cell < how.cut)) w.child = child;
        wishes.push_back(w);
    }
    return wishes;
}

rules make_rules(void)
{
    static const uint32_t orders[3][3] = {{MASS_SPAWN, MASS_KILL, MASS_MIGRATE},
                                          {MASS_KILL, MASS_SPAWN, MASS_MIGRATE},
                                          {MASS_KILL, MASS_MIGRATE, MASS_SPAWN}};
    rules how = {};
    how.places = one_of({2, 9, 64, 200, 1500, 5000});
    how.cut = 1 + below(how.places - 1);
    how.seen = 1 + below(100);
    memcpy(how.order, orders[below(3)], sizeof how.order);
    how.conflict = below(3);
    how.children = below(2);
    how.key = random64(), how.step = random64() >> 40, how.phase = below(100);
    return how;
}

/* What is written of a case that goes wrong. */
bool fails(const char *what, const rules &how, uint32_t manage)
{
    fprintf(stderr, "  %s; manage %u of %u places, cut at %u, conflict %u, children %u, order %u%u%u\n", what, manage,
            how.places, how.cut, how.conflict, how.children, how.order[0], how.order[1], how.order[2]);
    return false;
}

/* The only manage that stops: somebody dies or is born where agents keep their places, on one rank or on both. */
bool check_refusal(const two_ranks &ranks, const everybody &all, const rules &how, uint32_t manage)
{
    for (int r = 0; r < 2; r++)
        if (ranks.stop(r).needed != UINT64_MAX) return fails("a stop says another reason", how, manage);
    return ranks.hold(all, false) ? true : fails("a manage that stops changes something", how, manage);
}

bool check(bool alone)
{
    rules how = make_rules();
    everybody all = make_everybody(how, below(how.places * (uint64_t)one_of({1, 2, 4}) / 4 + 1));
    two_ranks ranks(how, all, alone);
    bool unsorted = false;
    for (uint32_t manage = 0, manages = 1 + below(8); manage < manages; manage++) {
        const bool keeps = manage + 1 < manages && below(4), only_moves = keeps && below(8);
        const std::vector<wish> wishes = make_wishes(all, how, only_moves);
        bool refuses = false;
        for (const wish &w : wishes) refuses |= keeps && w.asked;
        how.step++, how.phase++;
        ranks.ask(how, all, wishes);
        if (unsorted && below(4) == 0) {
            ranks.put_in_order();
            unsorted = false;
            if (!ranks.hold(all, true)) return fails("agents are in another order", how, manage);
        }
        const bool stopped = ranks.manage(unsorted, keeps);
        if (stopped && (refuses || !alone))
            return !refuses || check_refusal(ranks, all, how, manage); /* else it takes more rounds */
        if (stopped != refuses) return fails(stopped ? "it stops" : "it does not stop", how, manage);
        manage_all(&all, wishes, how);
        unsorted = keeps;
        if (!ranks.hold(all, !unsorted)) return fails("agents differ", how, manage);
        if (!ranks.see(all)) return fails("crowds differ", how, manage);
        if (!ranks.have_counted(all)) return fails("tallies differ", how, manage);
    }
    return true;
}

} // namespace

int main(int count, char **arguments)
{
    setenv("CUDA_MODULE_LOADING", "EAGER", 1); /* no kernel is loaded while another one waits */
    if (!there_is_a_gpu()) return SKIPPED;
    const uint64_t first_seed = count > 1 ? strtoull(arguments[1], NULL, 10) : 1;
    const uint32_t cases = count > 2 ? (uint32_t)strtoul(arguments[2], NULL, 10) : 1000;
    int wrong = 0;
    for (uint32_t i = 0; i < cases && wrong < 10; i++) {
        const uint64_t own = seed = mix(first_seed * 1000003 + i);
        if (check(i % 2)) continue;
        fprintf(stderr, "case %u, state of the numbers %llu\n", i, (unsigned long long)own);
        wrong++;
    }
    if (wrong) fprintf(stderr, "%u cases: %d wrong\n", cases, wrong);
    return wrong != 0;
}
