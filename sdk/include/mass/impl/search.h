/* SPDX-License-Identifier: Apache-2.0 */
/* The searches behind EACH_WITHIN in device code (positions.h): agents of a walk that are within a distance. */
#ifndef MASS_SEARCH_H
#define MASS_SEARCH_H

#include <mass/impl/kernel_agents_nearby.h>
#include <mass/impl/points.h>

#ifdef __cplusplus

/* The rows of cells that a direct search goes through, and the agents of the present range that are left. */
struct mass_ranges {
    int32_t by_y, by_z, part; /* the row's offset, and its part: a row that goes over an edge along x has two */
    uint32_t from, to;
};

/* What a search on a GPU has found, in memory of the thread: words of 32 agents in the order of the search. A bit says
 * of each agent of a word whether it is within the distance, the highest bit of the first one. This is apart from
 * mass_search, whose members are in registers. */
struct mass_found {
    int once;
#ifdef __CUDACC__
    enum : uint32_t { most_words = 16 };
    uint32_t first[most_words], hits[most_words];
    mass_ranges ranges;
    mass_walk walk; /* of a search that is not direct; and what it points to */
    mass_site site;
    mass_walked walked;
#endif
};
/* Returns the memory of a search that has found nobody yet. */
MASS_FN mass_found mass_found_nobody()
{
    mass_found found;
    found.once = 1;
    return found;
}
#ifdef __CUDACC__
#define MASS_SEARCH_FN_ MASS_FN_MEMBER
#else
#define MASS_SEARCH_FN_ inline
#endif
/* Finds the agents of a walk that are within a distance, one after the other. */
template <class Within, class Walk, class Point> struct mass_search : Within {
    Walk walk;
    const Point *at;
    template <class Begin>
    MASS_SEARCH_FN_ void begin(const mass_site *, const mass_agents *, uint32_t, Begin walk_begin, mass_found *)
    {
        walk = walk_begin(this->cells);
    }
    template <class Handle> MASS_SEARCH_FN_ bool next(Handle *o, mass_found *)
    {
        while (mass_walk_next(&walk, o))
            if (mass_is_within(this, at + o->agent)) return true;
        return false;
    }
};

#ifdef __CUDACC__
/* Limits the registers of a kernel over agents that searches to 64 a thread, of the 65,536 of a processor: more warps
 * then hide its latencies. Other kernels have no bounds, which 0 means: even without a number of blocks, the compiler
 * would give them fewer registers than they use, and spill. */
template <class T> struct mass_is_point { static constexpr int value = 0; };
template <> struct mass_is_point<mass_point_float_1> { static constexpr int value = 1; };
template <> struct mass_is_point<mass_point_float_2> { static constexpr int value = 1; };
template <> struct mass_is_point<mass_point_float_3> { static constexpr int value = 1; };
template <> struct mass_is_point<mass_point_double_1> { static constexpr int value = 1; };
template <> struct mass_is_point<mass_point_double_2> { static constexpr int value = 1; };
template <> struct mass_is_point<mass_point_double_3> { static constexpr int value = 1; };
#define MASS_SEARCHES_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) + ((ACCESS) == MASS_NEARBY && mass_is_point<T>::value)
#define MASS_SEARCHES_ANY_(LIST) (0 MASS_EACH_(MASS_SEARCHES_, LIST))
#define MASS_SEARCH_REGISTERS_(LIST)                                     \
    __launch_bounds__(MASS_SEARCHES_ANY_(LIST) ? MASS_AGENT_THREADS : 0, \
                      MASS_SEARCHES_ANY_(LIST) ? 65536 / 64 / MASS_AGENT_THREADS : 0)

/* Returns how many cells along an axis coordinate `to` is away from cell `from`, by the shorter way if the axis
 * wraps. */
MASS_FN int32_t mass_offset_of(const mass_site *s, int axis, mass_gidx from, double to)
{
    const mass_launch *const l = s->launch;
    const mass_gidx by = mass_cell_along(to, l->cell, l->size[axis]) - from;
    if (!(l->torus >> axis & 1)) return (int32_t)by;
    return (int32_t)(2 * by >= l->size[axis] ? by - l->size[axis] : 2 * by < -l->size[axis] ? by + l->size[axis] : by);
}

/* Returns v + d * d, rounded once. */
MASS_FN float mass_add_square(float d, float v) { return __fmaf_rn(d, d, v); }
MASS_FN double mass_add_square(double d, double v) { return __fma_rn(d, d, v); }
/* Returns the bits of a word, one place up, and the sign of a number as the lowest bit. */
MASS_FN uint32_t mass_add_sign(uint32_t bits, float v) { return __funnelshift_l(__float_as_uint(v), bits, 1); }
MASS_FN uint32_t mass_add_sign(uint32_t bits, double v)
{
    return __funnelshift_l((uint32_t)__double2hiint(v), bits, 1);
}
/* Returns a little more than the square of a distance: more than all roundings of a sum of squares come to. */
MASS_FN float mass_a_little_more(float square) { return square * (1 + 0x1p-19f) + 0x1p-120f; }
MASS_FN double mass_a_little_more(double square) { return square * (1 + 0x1p-48) + 0x1p-1000; }

/* mass_find_... continue a search until there are no more agents, or the memory of `found` is full. They return the
 * number of words that they found; the bit MASS_SEARCH_IS_OVER is set at the end of the search. */
enum : uint32_t { MASS_SEARCH_IS_OVER = 0x80000000u };
template <class Within, class Point>
static __device__ __noinline__ uint32_t mass_find_by_walk(Within w, const Point *at, uint32_t self, mass_found *found)
{
    mass_walk *const walk = &found->walk;
    uint32_t count = 0, last = 0;
    do
        for (; walk->next != walk->end; walk->next++) {
            const uint32_t i = walk->base + walk->next;
            if (i == self || !mass_is_within(&w, at + i)) continue;
            if (count == 0 || i <= last || i - found->first[count - 1] >= 32) {
                if (count == mass_found::most_words) return count;
                found->first[count] = i;
                found->hits[count++] = 0;
            }
            found->hits[count - 1] |= 0x80000000u >> (i - found->first[count - 1]);
            last = i;
        }
    while (mass_walk_on(walk));
    return count | MASS_SEARCH_IS_OVER;
}
/* It takes a copy of a direct search, so that the search itself stays in registers. */
template <class Search> static __device__ __noinline__ uint32_t mass_find_over_edges(Search s, mass_found *found)
{
    s.find_over_edges(found);
    return s.count | (s.is_over ? MASS_SEARCH_IS_OVER : 0);
}

/* The same of agents as they were before the phase. It first finds many, and then hands them out: if the threads of a
 * warp did both by turns, each would wait for the bodies of all others.
 *
 * Where the process holds the space, and twice the distance is less than each axis, a search is direct. The agents of a
 * row of cells are one range, or two if the row goes over an edge. The ways to all agents of a range go over the same
 * edges: `shift` is what that adds to a difference of coordinates. A direct search needs no walk, and does not ask for
 * the shorter way. If no row goes over an edge, the rows are the same for all threads of a warp.
 *
 * It looks for agents by fused operations, which are fewer and round in another way, and within a little more than the
 * distance. Each one that it hands out is then tested as everywhere else. */
template <class Within, class Point> struct mass_search<Within, mass_walk, Point> : Within {
    typedef decltype(Within::most) number;
    typedef decltype(Point::x) coordinate;
    enum : uint32_t { axes = sizeof(Point) / sizeof(coordinate), group = MASS_POINTS_READ, word_bits = 32 };
    const mass_site *site;
    const Point *at;
    const uint32_t *start; /* the first agent of each cell */
    uint32_t self;
    uint32_t first, hits, word, count; /* the word in hand, the next one, and the number of words that were found */
    bool is_over, is_direct, is_inside; /* is_inside: no way goes over an edge, for all threads of the warp */

    template <class Begin>
    MASS_FN_MEMBER void begin(const mass_site *s, const mass_agents *g, uint32_t own, Begin walk_begin,
                              mass_found *found)
    {
        const mass_launch *const l = s->launch;
        const mass_gidx where[3] = {s->x, s->y, s->z}, within = this->cells;
        site = s;
        self = own;
        start = g->start;
        first = hits = word = count = 0;
        is_over = false;
        is_direct = !MASS_HOLDS_A_PART_(l) && !g->occupancy && within >= 0 && within <= l->reach;
        for (uint32_t a = 0; a < axes; a++) {
            const bool alone = l->size[a] == 1 && !(l->torus >> a & 1); /* on a torus, ways go round in one cell, too */
            is_direct &= alone || l->size[a] >= 2 * within + 2;
        }
        is_inside = __all_sync(__activemask(), is_direct && mass_is_whole(l, where, within));
        found->ranges = {-most_by(1) - 1, -most_by(2), 1, 0, 0}; /* before the first row */
        if (is_inside) return;
        found->site = *s; /* functions that are not inlined get no pointer to what bodies use */
        if (is_direct) return;
        mass_walk walk = walk_begin(within);
        walk.site = &found->site;
        walk.walked = &found->walked;
        found->walk = walk;
    }
    /* How many cells away the search goes along an axis. */
    MASS_FN_MEMBER int32_t most_by(int axis) const { return site->launch->size[axis] > 1 ? (int32_t)this->cells : 0; }
    /* Returns a cell. */
    MASS_FN_MEMBER uint32_t cell_of(uint32_t x, uint32_t y, uint32_t z) const
    {
        const mass_launch *const l = site->launch;
        return (uint32_t)site->world * (uint32_t)l->populations[0].places +
               (z * (uint32_t)l->size[1] + y) * (uint32_t)l->size[0] + x;
    }
    /* Looks for up to 32 agents of a range, and takes them from it. */
    template <bool is_shifted>
    MASS_FN_MEMBER void look(mass_ranges *ranges, const number shift[3], mass_found *found)
    {
        const uint32_t agent = ranges->from / group * group, left = ranges->to - agent;
        const uint32_t n = left < word_bits ? left : word_bits;
        const number most = -mass_a_little_more(this->most);
        const uint4 *p = (const uint4 *)(at + agent);
        uint32_t bits = 0, k = 0;
#pragma unroll 1 /* threads with few agents leave early */
        do {
            uint4 raw[group * sizeof(Point) / sizeof(uint4)];
            coordinate c[group * axes];
            for (uint32_t j = 0; j < sizeof raw / sizeof *raw; j++) raw[j] = __ldg(p++);
            memcpy(c, raw, sizeof raw);
            for (uint32_t j = 0; j < group; j++) {
                number v = most;
                for (uint32_t a = 0; a < axes; a++) {
                    number d = (number)c[j * axes + a] - this->from[a];
                    if (is_shifted) d += shift[a];
                    v = mass_add_square(d, v);
                }
                bits = mass_add_sign(bits, v);
            }
            k += group;
        } while (k < n);
        bits = bits << (word_bits - k) & ~0u >> (ranges->from - agent) & ~0u << (word_bits - n);
        if (self - agent < n) bits &= ~(0x80000000u >> (self - agent));
        if (bits) found->first[count] = agent, found->hits[count++] = bits;
        ranges->from = agent + n;
    }
    /* Finds agents, until there are no more or their memory is full, where no row goes over an edge. */
    MASS_FN_MEMBER void find_inside(mass_found *found)
    {
        const mass_launch *const l = site->launch;
        const int32_t most_x = most_by(0), most_y = most_by(1), most_z = most_by(2);
        const uint32_t here = cell_of((uint32_t)site->x, (uint32_t)site->y, (uint32_t)site->z);
        const number none[3] = {0, 0, 0};
        mass_ranges ranges = found->ranges;
        word = count = 0;
        for (;;) {
            while (ranges.from == ranges.to) {
                if (ranges.by_y++ == most_y) {
                    ranges.by_y = -most_y;
                    if (ranges.by_z++ == most_z) {
                        is_over = true;
                        return;
                    }
                }
                const int32_t row = (ranges.by_z * (int32_t)l->size[1] + ranges.by_y) * (int32_t)l->size[0];
                ranges.from = start[here + (uint32_t)row - (uint32_t)most_x];
                ranges.to = start[here + (uint32_t)row + (uint32_t)most_x + 1];
            }
            if (count == mass_found::most_words) break;
            look<false>(&ranges, none, found);
        }
        found->ranges = ranges;
    }
    /* Returns the cell in the space of a cell coordinate beyond an edge, and in *shift what to add to coordinates
     * there. -1: the axis does not wrap. */
    MASS_FN_MEMBER int32_t over(int axis, int32_t to, number *shift) const
    {
        const mass_launch *const l = site->launch;
        const int32_t size = (int32_t)l->size[axis];
        *shift = 0;
        if ((uint32_t)to < (uint32_t)size) return to;
        if (!(l->torus >> axis & 1)) return -1;
        *shift = to < 0 ? -this->length[axis] : this->length[axis];
        return to < 0 ? to + size : to - size;
    }
    /* Finds the range of ranges->part, and the shift of its ways. Keeps what is left of a range that was begun. */
    MASS_FN_MEMBER void find_range(mass_ranges *ranges, number shift[3], bool is_begun) const
    {
        const mass_launch *const l = site->launch;
        const int32_t y = over(1, (int32_t)site->y + ranges->by_y, shift + 1);
        const int32_t z = over(2, (int32_t)site->z + ranges->by_z, shift + 2);
        const int32_t wide = (int32_t)l->size[0], low = (int32_t)site->x - most_by(0);
        const int32_t high = (int32_t)site->x + most_by(0), wraps = l->torus & 1;
        int32_t begin = low < 0 ? 0 : low, end = high < wide ? high : wide - 1;
        shift[0] = 0;
        if (low < 0 && wraps && ranges->part == 0) { /* from the other edge on */
            begin = low + wide, end = wide - 1;
            shift[0] = -this->length[0];
        } else if (high >= wide && wraps && ranges->part == 1) {
            begin = 0, end = high - wide;
            shift[0] = this->length[0];
        }
        if (is_begun) return;
        ranges->from = ranges->to = 0;
        if (y < 0 || z < 0 || (ranges->part == 1 && (!wraps || (low >= 0 && high < wide)))) return;
        ranges->from = start[cell_of((uint32_t)begin, (uint32_t)y, (uint32_t)z)];
        ranges->to = start[cell_of((uint32_t)end + 1, (uint32_t)y, (uint32_t)z)];
    }
    /* Does the same as find_inside for a search whose rows go over edges. */
    MASS_FN_MEMBER void find_over_edges(mass_found *found)
    {
        mass_ranges ranges = found->ranges;
        number shift[3];
        word = count = 0;
        if (ranges.from != ranges.to) find_range(&ranges, shift, true);
        for (;;) {
            while (ranges.from == ranges.to) {
                if (ranges.part++ == 1) {
                    ranges.part = 0;
                    if (++ranges.by_y > most_by(1)) {
                        ranges.by_y = -most_by(1);
                        if (++ranges.by_z > most_by(2)) {
                            is_over = true;
                            return;
                        }
                    }
                }
                find_range(&ranges, shift, false);
            }
            if (count == mass_found::most_words) break;
            look<true>(&ranges, shift, found);
        }
        found->ranges = ranges;
    }
    template <class Handle> MASS_FN_MEMBER bool next(Handle *o, mass_found *found)
    {
        Point there;
        do {
            while (hits == 0) {
                if (word == count) {
                    if (is_over) return false;
                    if (is_inside) find_inside(found);
                    else {
                        mass_search apart = *this;
                        apart.site = &found->site;
                        const uint32_t all = is_direct ? mass_find_over_edges(apart, found)
                                                       : mass_find_by_walk<Within, Point>(*this, at, self, found);
                        word = 0;
                        count = all & ~MASS_SEARCH_IS_OVER;
                        is_over = all != count;
                    }
                    continue;
                }
                first = found->first[word];
                hits = found->hits[word++];
            }
            const uint32_t nth = (uint32_t)__clz((int)hits);
            hits ^= 0x80000000u >> nth;
            o->agent = first + nth;
            there = at[o->agent];
        } while (!set_way(there));
        const mass_point_double_3 to = mass_three(there);
        o->dx = mass_offset_of(site, 0, site->x, to.x);
        o->dy = mass_offset_of(site, 1, site->y, to.y);
        o->dz = mass_offset_of(site, 2, site->z, to.z);
        return true;
    }
    /* Finds the way to a point. Is true if it is within the distance. */
    MASS_FN_MEMBER bool set_way(Point p)
    {
        if (!is_inside) return mass_is_within(this, &p);
        coordinate c[axes];
        number d[3] = {0, 0, 0};
        memcpy(c, &p, sizeof p);
        for (uint32_t a = 0; a < axes; a++) d[a] = (number)c[a] - this->from[a];
        this->way.x = d[0], this->way.y = d[1], this->way.z = d[2];
        this->way.square = d[0] * d[0];
        for (uint32_t a = 1; a < axes; a++) this->way.square += d[a] * d[a];
        return this->way.square <= this->most;
    }
};
#endif

/* Begins a search for agents of population k. `self`: the agent itself, which is left out, or MASS_NOBODY. */
template <class Within, class Begin, class Point>
MASS_FN auto mass_search_begin(const Within &within, Begin walk_begin, const Point *at, const mass_site *site,
                               uint32_t k, uint32_t self, mass_found *found)
{
    mass_search<Within, decltype(walk_begin(within.cells)), Point> s;
    (Within &)s = within;
    s.at = at;
    s.begin(site, &site->launch->populations[k], self, walk_begin, found);
    return s;
}
#endif
#endif
