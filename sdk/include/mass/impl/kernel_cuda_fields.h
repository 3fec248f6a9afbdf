/* SPDX-License-Identifier: Apache-2.0 */
/* The data of a field in a thread of kernel_cuda.h, over a strip, by the field's view (views.h):
 *     window  the member of a body's window     begin   begins a world
 *     first   begins a strip                    load    begins a row
 *     get     sets the window for one place     put     takes the body's results from the window
 *     store   writes a row                      side    writes the ghosts of a strip that ends where an axis wraps
 *     fold    ends a row of contributions       flush   adds the contributions in a world to the tally
 *
 * A tally of one number for each world is combined by warps or by blocks (kernel_cuda_tallies.h): flush_warp; add_up,
 * hand_over. The field's pointer is p, and the strip's first place is element `at`. */
#ifndef MASS_KERNEL_CUDA_FIELDS_H
#define MASS_KERNEL_CUDA_FIELDS_H

#include <mass/impl/kernel_cuda_bins.h>
#include <mass/impl/kernel_cuda_ghosts.h>
#include <mass/impl/kernel_cuda_rows.h>
#include <mass/impl/kernel_cuda_tallies.h>
#include <mass/impl/keys.h>
#include <mass/impl/reach.h>
#include <mass/impl/views.h>

/* Returns the element at an offset from a place, or the default beyond the reach. */
template <class Near> MASS_FN auto mass_near(const Near &n, const mass_reach &r, int64_t dx, int64_t dy, int64_t dz)
{
    const bool within = mass_within(dx, r.along[0]) & mass_within(dy, r.along[1]) & mass_within(dz, r.along[2]);
    return within ? n.at((int)dx, (int)dy, (int)dz) : (decltype(n.at(0, 0, 0)))*n.none;
}
#define MASS_LOOK_(f, beyond, dx, dy, dz) mass_near(mass_w->f, mass_w->reach_, (dx), (dy), (dz))
#define MASS_OWN_(f) (mass_w->f.own())

#define MASS_VIEW_NUMBER_(VIEW) MASS_VIEW_##VIEW,
enum mass_view { MASS_VIEWS_(MASS_VIEW_NUMBER_) };

struct mass_held_nothing {
    template <class... A> MASS_FN_MEMBER void begin(A &&...) {}
    template <class... A> MASS_FN_MEMBER void first(A &&...) {}
    template <class... A> MASS_FN_MEMBER void load(A &&...) {}
    template <class... A> MASS_FN_MEMBER void put(A &&...) {}
    template <bool EDGE, class... A> MASS_FN_MEMBER void store(A &&...) {}
    template <int ROWS, class... A> MASS_FN_MEMBER void side(A &&...) {}
    template <int ROWS, class... A> MASS_FN_MEMBER void flush_rows(A &&...) {}
    MASS_FN_MEMBER void fold() {}
    MASS_FN_MEMBER void settle() {}
    template <class... A> MASS_FN_MEMBER void flush(A &&...) {}
    template <class... A> MASS_FN_MEMBER void flush_warp(A &&...) {}
    template <class... A> MASS_FN_MEMBER void add_up(A &&...) {}
    template <class... A> MASS_FN_MEMBER void hand_over(A &&...) {}
};

/* A pointer to elements: POINT, WHOLE, OTHERS, NEARBY, ANYBODY. */
template <mass_view VIEW, class T, int ACCESS, int CX, int RX, int RY, int RZ> struct mass_held : mass_held_nothing {
    static_assert(VIEW == MASS_VIEW_POINT_ || VIEW == MASS_VIEW_WHOLE_ || VIEW == MASS_VIEW_OTHERS_ ||
                  VIEW == MASS_VIEW_NEARBY_ || VIEW == MASS_VIEW_ANYBODY_, "a view of views.h lacks a mass_held");
    typedef T *window;
    MASS_FN_MEMBER void get(window &n, T *p, const mass_launch &l, int64_t at, int r, int c, int, bool)
    {
        n = VIEW == MASS_VIEW_POINT_ ? p + at + r * l.pitch + c : p;
    }
};

template <class T, int ACCESS, int CX, int RX, int RY, int RZ>
struct mass_held<MASS_VIEW_AROUND_, T, ACCESS, CX, RX, RY, RZ> : mass_held_nothing {
    typedef typename mass_rows<T, CX, RX, RY, RZ>::near window;
    mass_rows<T, CX, RX, RY, RZ> rows;
    MASS_FN_MEMBER void first(const T *p, const mass_launch &l, int64_t at, int)
    {
        rows.first(p + at, l.pitch, l.plane, p + mass_default_element(&l));
    }
    MASS_FN_MEMBER void load(const T *, const mass_launch &l, int64_t, int r) { rows.load(l.pitch, l.plane, r + RY); }
    MASS_FN_MEMBER void get(window &n, const T *, const mass_launch &, int64_t, int r, int c, int, bool)
    {
        rows.see(n, r, c);
    }
};

template <class T, int ACCESS, int CX, int RX, int RY, int RZ>
struct mass_held<MASS_VIEW_VALUE_, T, ACCESS, CX, RX, RY, RZ> : mass_held_nothing {
    typedef T window;
    T v[CX];
    MASS_FN_MEMBER void load(const T *p, const mass_launch &l, int64_t at, int r)
    {
        if constexpr (MASS_IS_LOADED_(ACCESS)) mass_load<CX>(v, p + at + r * l.pitch);
    }
    MASS_FN_MEMBER void get(window &n, const T *, const mass_launch &, int64_t, int, int c, int, bool)
    {
        if constexpr (MASS_IS_LOADED_(ACCESS)) n = v[c];
    }
    MASS_FN_MEMBER void put(const window &n, int c, bool, bool = false) { v[c] = n; }
    template <bool EDGE>
    MASS_FN_MEMBER void store(T *p, const mass_launch &l, int64_t at, int r, int columns, int x, int y, int z)
    {
        mass_store_row<EDGE, CX>(p + at + r * l.pitch, v, columns, l, x, y + r, z);
    }
    template <int ROWS> MASS_FN_MEMBER void side(T *p, const mass_launch &l, int64_t at, int x, int y)
    {
        mass_push_sides<CX, ROWS>(p + at, l, x, y);
    }
    /* Flushes the rows that this thread has stored. */
    template <int ROWS> MASS_FN_MEMBER void flush_rows(T *p, const mass_launch &l, int64_t at, int floats, int doubles)
    {
        if (!(floats | doubles)) return;
#pragma unroll 1
        for (int i = 0; i < ROWS * CX; i++) mass_flush_<T>(p + at + i / CX * l.pitch + i % CX, floats, doubles);
    }
};

template <class T, int ACCESS, int CX, int RX, int RY, int RZ>
struct mass_held<MASS_VIEW_SCALAR_, T, ACCESS, CX, RX, RY, RZ> : mass_held_nothing {
    typedef T window;
    T v;
    MASS_FN_MEMBER void first(const T *p, const mass_launch &, int64_t, int world) { v = p[world]; }
    MASS_FN_MEMBER void get(window &n, const T *, const mass_launch &, int64_t, int, int, int, bool) { n = v; }
};

/* The values stay in the device's memory, so a list of any length takes the registers of one address. */
template <class T, int ACCESS, int CX, int RX, int RY, int RZ>
struct mass_held<MASS_VIEW_LIST_, T, ACCESS, CX, RX, RY, RZ> : mass_held_nothing {
    typedef const T *window;
    const T *v;
    MASS_FN_MEMBER void first(const T *p, const mass_launch &, int64_t, int world) { v = p + world; }
    MASS_FN_MEMBER void get(window &n, const T *, const mass_launch &, int64_t, int, int, int, bool) { n = v; }
};

template <class T, int ACCESS, int CX, int RX, int RY, int RZ>
struct mass_held<MASS_VIEW_SUM_, T, ACCESS, CX, RX, RY, RZ> : mass_held_nothing {
    typedef mass_place_sum window;
    int64_t v, beyond;
    uint32_t bytes; /* sum of bytes of a strip: below 2^32 for up to 16 million places */
    uint32_t one;   /* 1, which compilers do not know */
    /* In whole strips: bytes of the last places, up to four, and the factors that shift them into a word. */
    uint32_t word, set, unless, factor[4];
    bool has_bytes, has_set;
    MASS_FN_MEMBER void begin(int64_t *, const mass_launch &l, int, bool, mass_where, int)
    {
        v = 0, beyond = 0, bytes = 0, one = l.struct_size != 0;
#pragma unroll
        for (int k = 0; k < 4; k++) factor[k] = mass_byte_factor(l, k);
    }
    MASS_FN_MEMBER void get(window &n, int64_t *, const mass_launch &, int64_t, int, int, int, bool)
    {
        n = {v, beyond, one, 0, 0, 0, false, false};
    }
    /* If `whole` is false, some places of the row may be left out. */
    MASS_FN_MEMBER void put(const window &n, int c, bool counts, bool whole = false)
    {
        if (!counts) return;
        v = n.has_bytes ? n.rest + (n.bytes & ~255u) : n.rest;
        beyond = n.beyond;
        if (whole && CX % 4 == 0) put_in_word(n, c % 4);
        else {
            if (n.has_bytes) bytes = mass_add_by_product(bytes, n.bytes & 255, one);
            if (n.has_set) bytes = mass_add_by_product(bytes, n.set & ~n.unless & 1, one);
        }
    }
    MASS_FN_MEMBER void put_in_word(const window &n, int c)
    {
        word = c ? word + (n.bytes & 255) * factor[c] : n.bytes & 255;
        set = c ? set + n.set * factor[c] : n.set;
        unless = c ? unless + n.unless * factor[c] : n.unless;
        has_bytes = (c && has_bytes) || n.has_bytes;
        has_set = (c && has_set) || n.has_set;
        if (c < 3) return;
        if (has_bytes) bytes = mass_add_bytes(bytes, word);
        if (has_set) bytes = mass_add_bytes(bytes, set & ~unless & 0x01010101);
    }
    MASS_FN_MEMBER void fold() { v += bytes, bytes = 0; }
    MASS_FN_MEMBER void settle() { asm volatile("" : "+r"(bytes)); } /* otherwise rows wait in registers to be added */
    MASS_FN_MEMBER void flush_warp(int64_t *p, int world, bool counts, const mass_launch &l, int number)
    {
        if (mass_is_fixed(&l, number)) {
            const int64_t of_warp = mass_combine_warp_fixed(counts ? v + bytes : 0, counts ? beyond : 0);
            if (threadIdx.x % 32 == 0) mass_contribute_fixed(p + world, of_warp);
            return;
        }
        const int64_t sum = mass_combine_warp_sums(counts ? v : 0, counts ? bytes : 0);
        if (threadIdx.x % 32 == 0) mass_contribute<MASS_SUM>(p + world, sum);
    }
    MASS_FN_MEMBER void add_up(int64_t *parts, const mass_launch &l, int number)
    {
        mass_add_up_warp(parts, mass_is_fixed(&l, number) ? mass_combine_warp_fixed(v + bytes, beyond)
                                                          : mass_combine_warp_sums(v, bytes));
    }
    MASS_FN_MEMBER void hand_over(int64_t *p, const int64_t *parts, int world, int slot, const mass_launch &l,
                                  int number)
    {
        if (mass_is_fixed(&l, number)) mass_hand_over_block_fixed(p + world, parts, slot);
        else mass_hand_over_block<MASS_SUM>(p + world, parts, slot);
    }
};

template <int ACCESS, int CX, int RX, int RY, int RZ>
struct mass_held<MASS_VIEW_SUM_, double, ACCESS, CX, RX, RY, RZ> : mass_held_nothing {
    typedef mass_exact_window *window;
    mass_exact_window v;
    MASS_FN_MEMBER void begin(int64_t *p, const mass_launch &, int world, bool tallies, mass_where, int)
    {
        if (tallies) mass_exact_begin(&v, p + world * MASS_EXACT_WORDS);
    }
    MASS_FN_MEMBER void get(window &n, int64_t *, const mass_launch &, int64_t, int, int, int, bool tallies)
    {
        n = tallies ? &v : nullptr;
    }
    MASS_FN_MEMBER void flush(int64_t *, const mass_launch &, int, int) { mass_exact_flush_warp(&v); }
};

template <class T, int ACCESS, int CX, int RX, int RY, int RZ>
struct mass_held<MASS_VIEW_EXTREME_, T, ACCESS, CX, RX, RY, RZ> : mass_held_nothing {
    typedef T window;
    T v;
    MASS_FN_MEMBER void begin(int64_t *, const mass_launch &, int, bool, mass_where, int)
    {
        v = mass_farthest<ACCESS, T>();
    }
    MASS_FN_MEMBER void get(window &n, int64_t *, const mass_launch &, int64_t, int, int, int, bool)
    {
        n = mass_farthest<ACCESS, T>();
    }
    MASS_FN_MEMBER void put(const window &n, int, bool counts, bool = false)
    {
        if (counts && (ACCESS == MASS_MIN ? n < v : n > v)) v = n;
    }
    MASS_FN_MEMBER void flush_warp(int64_t *p, int world, bool counts, const mass_launch &, int)
    {
        mass_flush_warp<ACCESS>(p + world, mass_limits<T>::rank(counts ? v : mass_farthest<ACCESS, T>()));
    }
    MASS_FN_MEMBER void add_up(int64_t *parts, const mass_launch &, int)
    {
        mass_add_up_warp(parts, mass_combine_warp<ACCESS>(mass_limits<T>::rank(v)));
    }
    MASS_FN_MEMBER void hand_over(int64_t *p, const int64_t *parts, int world, int slot, const mass_launch &, int)
    {
        mass_hand_over_block<ACCESS>(p + world, parts, slot);
    }
};

template <class T, int ACCESS, int CX, int RX, int RY, int RZ>
struct mass_held<MASS_VIEW_BINS_, T, ACCESS, CX, RX, RY, RZ> : mass_held_nothing {
    typedef mass_counter window;
    mass_counter v;
    MASS_FN_MEMBER void begin(int64_t *p, const mass_launch &l, int world, bool tallies, mass_where where, int number)
    {
        v = mass_counter_of(p, l.bins[number], world, tallies, where);
    }
    MASS_FN_MEMBER void get(window &n, int64_t *, const mass_launch &, int64_t, int, int, int, bool) { n = v; }
    MASS_FN_MEMBER void flush(int64_t *p, const mass_launch &l, int world, int number)
    {
        mass_bins_hand_over(p, l.bins[number], world);
    }
};

template <class T, int ACCESS, int CX, int RX, int RY, int RZ>
struct mass_held<MASS_VIEW_KEYS_, T, ACCESS, CX, RX, RY, RZ> : mass_held_nothing {
    typedef mass_key_counter window;
    MASS_FN_MEMBER void get(window &n, mass_key_table *p, const mass_launch &, int64_t, int, int, int world,
                            bool tallies)
    {
        n.table = tallies ? p + world : nullptr;
    }
};

#include <mass/impl/kernel_cuda_bits.h>

#define MASS_HELD_(VIEW, ACCESS, T) mass_held<MASS_VIEW_##VIEW, T, ACCESS, CX, RX, RY, RZ>
/* The type of a pointer's elements is const if they are only read. */
#define MASS_WINDOW_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) \
    MASS_HELD_(VIEW, ACCESS, MASS_ELEMENT_(VIEW, ACCESS, T))::window n; MASS_REST_(MASS_NOBODY_##VIEW(ACCESS, n, T))
#define MASS_ELEMENT_(VIEW, ACCESS, T) MASS_REST_(MASS_ELEMENT_OF_##VIEW(ACCESS)) T
#define MASS_ELEMENT_OF_POINT_(ACCESS) ~, MASS_CONST_(ACCESS)
#define MASS_ELEMENT_OF_OTHERS_(ACCESS) ~, MASS_CONST_(ACCESS)
#define MASS_ELEMENT_OF_NEARBY_(ACCESS) ~, MASS_CONST_(ACCESS)
#define MASS_ELEMENT_OF_ANYBODY_(ACCESS) ~, MASS_CONST_(ACCESS)
#define MASS_NOBODY_OTHERS_(ACCESS, n, T) ~, MASS_CONST_(ACCESS) T *MASS_JOIN(n, _nobody);
#define MASS_STRIP_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_HELD_(VIEW, ACCESS, MASS_ELEMENT_(VIEW, ACCESS, T)) n;
#define MASS_EMPTY_(CLASS, VIEW, ACCESS, n, ...) s.n.begin(f.n, l, world, TALLY, where, MASS_FIELD_NUMBER_(VIEW, n));
/* The number of a field among the callback's BINS, or its SUMs; 0 for other fields. */
#define MASS_FIELD_NUMBER_(VIEW, n) (MASS_BIN_NUMBER_(VIEW, n) + MASS_SUM_NUMBER_(VIEW, n))
#define MASS_BIN_NUMBER_(VIEW, n) (0 MASS_REST_(MASS_BIN_NUMBER_OF_##VIEW(n)))
#define MASS_BIN_NUMBER_OF_BINS_(n) ~, + MASS_JOIN(n, _number)
#define MASS_FIRST_(CLASS, VIEW, ACCESS, n, ...) s.n.first(f.n, l, at, world);
#define MASS_LOAD_(CLASS, VIEW, ACCESS, n, ...) s.n.load(f.n, l, at, r);
#define MASS_GET_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) \
    s.n.get(window.n, f.n, l, at, r, c, world, TALLY); MASS_REST_(MASS_SHOW_NOBODY_##VIEW(n, n2, T))
#define MASS_SHOW_NOBODY_OTHERS_(n, n2, T)           \
    ~, T MASS_JOIN(n, _of_nobody);                   \
    memset(&MASS_JOIN(n, _of_nobody), 0, sizeof(T)); \
    window.MASS_JOIN(n, _nobody) = &MASS_JOIN(n, _of_nobody);
#define MASS_SHOW_NOBODY_NEARBY_(n, n2, T) MASS_GET_OTHER_(others_, n, n2, T)
#define MASS_SHOW_NOBODY_ANYBODY_(n, n2, T) MASS_GET_OTHER_(anybody_, n, n2, T)
#define MASS_PUT_(CLASS, VIEW, ACCESS, n, ...) s.n.put(window.n, c, TALLY && (!EDGE || c < columns), !EDGE);
#define MASS_STORE_(CLASS, VIEW, ACCESS, n, ...) s.n.template store<EDGE>(f.n, l, at, r, columns, x, y, z);
#define MASS_SIDE_(CLASS, VIEW, ACCESS, n, ...) s.n.template side<ROWS>(f.n, l, at, x, y);
#define MASS_FLUSH_ROWS_(CLASS, VIEW, ACCESS, n, ...) s.n.template flush_rows<ROWS>(f.n, l, at, MASS_FLUSH_BITS_(n));
#define MASS_FOLD_(CLASS, VIEW, ACCESS, n, ...) s.n.fold();
#define MASS_SETTLE_(CLASS, VIEW, ACCESS, n, ...) s.n.settle();
#define MASS_FLUSH_WARP_(CLASS, VIEW, ACCESS, n, ...) \
    s.n.flush_warp(f.n, t.world, t.stores, l, MASS_SUM_NUMBER_(VIEW, n));
#define MASS_ADD_UP_(CLASS, VIEW, ACCESS, n, ...) \
    s.n.add_up(parts[MASS_TALLY_SLOT_(VIEW, n)], l, MASS_SUM_NUMBER_(VIEW, n));
#define MASS_HAND_OVER_(CLASS, VIEW, ACCESS, n, ...)                                          \
    s.n.hand_over(f.n, parts[MASS_TALLY_SLOT_(VIEW, n)], world, MASS_TALLY_SLOT_(VIEW, n), l, \
                  MASS_SUM_NUMBER_(VIEW, n));
/* The numbers of a callback's plain tallies; 0 for other fields. */
#define MASS_TALLY_NUMBER_(CLASS, VIEW, ACCESS, n, ...) MASS_REST_(MASS_TALLY_NUMBER_##VIEW(n))
#define MASS_TALLY_NUMBER_SUM_(n) ~, MASS_JOIN(n, _tally),
#define MASS_TALLY_NUMBER_EXTREME_(n) ~, MASS_JOIN(n, _tally),
#define MASS_TALLY_SLOT_(VIEW, n) (0 MASS_REST_(MASS_TALLY_SLOT_##VIEW(n)))
#define MASS_TALLY_SLOT_SUM_(n) ~, + MASS_JOIN(n, _tally)
#define MASS_TALLY_SLOT_EXTREME_(n) ~, + MASS_JOIN(n, _tally)
#define MASS_FLUSH_(CLASS, VIEW, ACCESS, n, ...) s.n.flush(f.n, l, world, MASS_BIN_NUMBER_(VIEW, n));

/* Adds to an element to which any thread may add. */
template <class T, class V> MASS_FN void mass_scatter_to(T *to, V v)
{
    if constexpr (sizeof(T) == sizeof(unsigned)) atomicAdd((unsigned *)to, (unsigned)(T)v);
    else atomicAdd((unsigned long long *)to, (unsigned long long)(T)v);
}
#define MASS_SCATTER_TO_(to, v) mass_scatter_to((to), (v))

#endif
