/* SPDX-License-Identifier: Apache-2.0 */
/* What a field is to the kernels of kernel_cuda.h, by its access and by what they are about to do:
 *     WINDOW  what a body sees of it            STRIP  what a thread keeps of it over a strip
 *     EMPTY   begins with a world               FIRST  begins with a strip
 *     LOAD    begins with a row                 GET    shows it to the body, for one place
 *     PUT     takes over what the body left     STORE  writes a row
 *     SIDE    writes the ghosts of a strip that ends where an axis wraps
 *     FLUSH   adds what was gathered in a world to the tally */
#ifndef MASS_KERNEL_CUDA_FIELDS_H
#define MASS_KERNEL_CUDA_FIELDS_H

#include <mass/kernel_cuda_bins.h>
#include <mass/kernel_cuda_ghosts.h>
#include <mass/kernel_cuda_rows.h>
#include <mass/kernel_cuda_tallies.h>
#include <mass/reach.h>

/* Of what is seen from one place, the element at an offset, or beyond the reach the default. */
template <class Near> MASS_FN auto mass_near(const Near &n, const mass_reach &r, int64_t dx, int64_t dy, int64_t dz)
{
    const bool within = mass_within(dx, r.along[0]) & mass_within(dy, r.along[1]) & mass_within(dz, r.along[2]);
    return within ? n.at((int)dx, (int)dy, (int)dz) : *n.none;
}
#define MASS_NEAR1(f, dx) MASS_NEAR3(f, dx, 0, 0)
#define MASS_NEAR2(f, dx, dy) MASS_NEAR3(f, dx, dy, 0)
#define MASS_NEAR3(f, dx, dy, dz) mass_near(w->f, w->reach_, (dx), (dy), (dz))
#define IN(f) (w->f.at(0, 0, 0))

#define MASS_WINDOW_(name, type, access, target) MASS_JOIN(MASS_WINDOW_, access)(type, name)
#define MASS_WINDOW_READ(T, n) typename mass_rows<T, CX, RX, RY, RZ>::near n;
#define MASS_WINDOW_WRITE(T, n) T n;
#define MASS_WINDOW_UPDATE(T, n) T n;
#define MASS_WINDOW_PARAM(T, n) T n;
#define MASS_WINDOW_SUM(T, n) MASS_JOIN(MASS_SUMMED_, T) n;
#define MASS_WINDOW_BINS(T, n) mass_counter n;
#define MASS_WINDOW_KEYS(T, n) mass_key_counter n;
#define MASS_WINDOW_ITEMS(T, n) const T *n;
#define MASS_WINDOW_MIN(T, n) T n;
#define MASS_WINDOW_MAX(T, n) T n;
#define MASS_WINDOW_RESIDENT(T, n) const T *n, *MASS_JOIN(n, _none);
#define MASS_WINDOW_RESIDENT_UPDATE(T, n) T *n, *MASS_JOIN(n, _none);

#define MASS_STRIP_(name, type, access, target) MASS_JOIN(MASS_STRIP_, access)(type, name)
#define MASS_STRIP_READ(T, n) mass_rows<T, CX, RX, RY, RZ> n;
#define MASS_STRIP_WRITE(T, n) T n[CX];
#define MASS_STRIP_UPDATE(T, n) T n[CX];
#define MASS_STRIP_PARAM(T, n) T n;
#define MASS_STRIP_SUM(T, n) MASS_JOIN(MASS_STRIP_SUM_, T) n;
#define MASS_STRIP_SUM_int64_t int64_t
#define MASS_STRIP_SUM_double mass_exact_window
#define MASS_STRIP_BINS(T, n) mass_counter n;
#define MASS_STRIP_KEYS(T, n)
#define MASS_STRIP_ITEMS(T, n)
#define MASS_STRIP_MIN(T, n) T n;
#define MASS_STRIP_MAX(T, n) T n;
#define MASS_STRIP_RESIDENT(T, n) const T *n;
#define MASS_STRIP_RESIDENT_UPDATE(T, n) T *n;

#define MASS_FIRST_(name, type, access, target) MASS_JOIN(MASS_FIRST_, access)(type, name)
#define MASS_FIRST_READ(T, n) s.n.first(f.n + at, l.pitch, l.plane, f.n + mass_default_element(&l));
#define MASS_FIRST_WRITE(T, n)
#define MASS_FIRST_UPDATE(T, n)
#define MASS_FIRST_PARAM(T, n) s.n = f.n[world];
#define MASS_FIRST_SUM(T, n)
#define MASS_FIRST_BINS(T, n)
#define MASS_FIRST_KEYS(T, n)
#define MASS_FIRST_ITEMS(T, n)
#define MASS_FIRST_MIN(T, n)
#define MASS_FIRST_MAX(T, n)
#define MASS_FIRST_RESIDENT(T, n) s.n = f.n;
#define MASS_FIRST_RESIDENT_UPDATE(T, n) s.n = f.n;

#define MASS_EMPTY_(name, type, access, target) MASS_JOIN(MASS_EMPTY_, access)(type, name)
#define MASS_EMPTY_READ(T, n)
#define MASS_EMPTY_WRITE(T, n)
#define MASS_EMPTY_UPDATE(T, n)
#define MASS_EMPTY_PARAM(T, n)
#define MASS_EMPTY_SUM(T, n) MASS_JOIN(MASS_EMPTY_SUM_, T)(n)
#define MASS_EMPTY_SUM_int64_t(n) s.n = 0;
#define MASS_EMPTY_SUM_double(n) if (TALLY) mass_exact_begin(&s.n, f.n + world * MASS_EXACT_WORDS);
#define MASS_EMPTY_BINS(T, n) s.n = mass_counter_of(f.n, l.bins[MASS_JOIN(n, _number)], world, TALLY, where);
#define MASS_EMPTY_KEYS(T, n)
#define MASS_EMPTY_ITEMS(T, n)
#define MASS_EMPTY_MIN(T, n) s.n = mass_limits<T>::greatest();
#define MASS_EMPTY_MAX(T, n) s.n = mass_limits<T>::smallest();
#define MASS_EMPTY_RESIDENT(T, n)
#define MASS_EMPTY_RESIDENT_UPDATE(T, n)

#define MASS_LOAD_(name, type, access, target) MASS_JOIN(MASS_LOAD_, access)(type, name)
#define MASS_LOAD_READ(T, n) s.n.load(l.pitch, l.plane, r + RY);
#define MASS_LOAD_WRITE(T, n)
#define MASS_LOAD_UPDATE(T, n) mass_load<CX>(s.n, f.n + at + r * l.pitch);
#define MASS_LOAD_PARAM(T, n)
#define MASS_LOAD_SUM(T, n)
#define MASS_LOAD_BINS(T, n)
#define MASS_LOAD_KEYS(T, n)
#define MASS_LOAD_ITEMS(T, n)
#define MASS_LOAD_MIN(T, n)
#define MASS_LOAD_MAX(T, n)
#define MASS_LOAD_RESIDENT(T, n)
#define MASS_LOAD_RESIDENT_UPDATE(T, n)

#define MASS_GET_(name, type, access, target) MASS_JOIN(MASS_GET_, access)(type, name)
#define MASS_GET_READ(T, n) s.n.see(window.n, r, c);
#define MASS_GET_WRITE(T, n)
#define MASS_GET_UPDATE(T, n) window.n = s.n[c];
#define MASS_GET_PARAM(T, n) window.n = s.n;
#define MASS_GET_SUM(T, n) MASS_JOIN(MASS_GET_SUM_, T)(n)
#define MASS_GET_SUM_int64_t(n) window.n = 0;
#define MASS_GET_SUM_double(n) window.n = TALLY ? &s.n : nullptr;
#define MASS_GET_BINS(T, n) window.n = s.n;
#define MASS_GET_KEYS(T, n) window.n.table = TALLY ? f.n + world : nullptr;
#define MASS_GET_ITEMS(T, n) window.n = f.n + at + r * l.pitch + c;
#define MASS_GET_MIN(T, n) window.n = mass_limits<T>::greatest();
#define MASS_GET_MAX(T, n) window.n = mass_limits<T>::smallest();
#define MASS_GET_RESIDENT(T, n)                                   \
    T MASS_JOIN(n, _of_nobody);                                      \
    memset(&MASS_JOIN(n, _of_nobody), 0, sizeof(T));                 \
    window.n = s.n, window.MASS_JOIN(n, _none) = &MASS_JOIN(n, _of_nobody);
#define MASS_GET_RESIDENT_UPDATE(T, n) MASS_GET_RESIDENT(T, n)

#define MASS_PUT_(name, type, access, target) MASS_JOIN(MASS_PUT_, access)(type, name)
#define MASS_PUT_READ(T, n)
#define MASS_PUT_WRITE(T, n) s.n[c] = window.n;
#define MASS_PUT_UPDATE(T, n) s.n[c] = window.n;
#define MASS_PUT_PARAM(T, n)
#define MASS_PUT_SUM(T, n) MASS_JOIN(MASS_PUT_SUM_, T)(n)
#define MASS_PUT_SUM_int64_t(n) if (TALLY && (!EDGE || c < columns)) s.n += window.n;
#define MASS_PUT_SUM_double(n)
#define MASS_PUT_BINS(T, n)
#define MASS_PUT_KEYS(T, n)
#define MASS_PUT_ITEMS(T, n)
#define MASS_PUT_MIN(T, n) if (TALLY && (!EDGE || c < columns) && window.n < s.n) s.n = window.n;
#define MASS_PUT_MAX(T, n) if (TALLY && (!EDGE || c < columns) && window.n > s.n) s.n = window.n;
#define MASS_PUT_RESIDENT(T, n)
#define MASS_PUT_RESIDENT_UPDATE(T, n)

#define MASS_STORE_(name, type, access, target) MASS_JOIN(MASS_STORE_, access)(type, name)
#define MASS_STORE_READ(T, n)
#define MASS_STORE_WRITE(T, n) mass_store_row<EDGE, CX>(f.n + at + r * l.pitch, s.n, columns, l, x, y + r, z);
#define MASS_STORE_UPDATE(T, n) mass_store_row<EDGE, CX>(f.n + at + r * l.pitch, s.n, columns, l, x, y + r, z);
#define MASS_STORE_PARAM(T, n)
#define MASS_STORE_SUM(T, n)
#define MASS_STORE_BINS(T, n)
#define MASS_STORE_KEYS(T, n)
#define MASS_STORE_ITEMS(T, n)
#define MASS_STORE_MIN(T, n)
#define MASS_STORE_MAX(T, n)
#define MASS_STORE_RESIDENT(T, n)
#define MASS_STORE_RESIDENT_UPDATE(T, n)

#define MASS_SIDE_(name, type, access, target) MASS_JOIN(MASS_SIDE_, access)(type, name)
#define MASS_SIDE_READ(T, n)
#define MASS_SIDE_WRITE(T, n) mass_push_sides<CX, ROWS>(f.n + at, l, x, y);
#define MASS_SIDE_UPDATE(T, n) mass_push_sides<CX, ROWS>(f.n + at, l, x, y);
#define MASS_SIDE_PARAM(T, n)
#define MASS_SIDE_SUM(T, n)
#define MASS_SIDE_BINS(T, n)
#define MASS_SIDE_KEYS(T, n)
#define MASS_SIDE_ITEMS(T, n)
#define MASS_SIDE_MIN(T, n)
#define MASS_SIDE_MAX(T, n)
#define MASS_SIDE_RESIDENT(T, n)
#define MASS_SIDE_RESIDENT_UPDATE(T, n)

#define MASS_FLUSH_(name, type, access, target) MASS_JOIN(MASS_FLUSH_, access)(type, name)
#define MASS_FLUSH_READ(T, n)
#define MASS_FLUSH_WRITE(T, n)
#define MASS_FLUSH_UPDATE(T, n)
#define MASS_FLUSH_PARAM(T, n)
#define MASS_FLUSH_SUM(T, n) MASS_JOIN(MASS_FLUSH_SUM_, T)(n)
#define MASS_FLUSH_SUM_int64_t(n) mass_flush_block<MASS_SUM>(f.n + world, s.n);
#define MASS_FLUSH_SUM_double(n) mass_exact_flush_warp(&s.n);
#define MASS_FLUSH_BINS(T, n) mass_bins_hand_over(f.n, l.bins[MASS_JOIN(n, _number)], world);
#define MASS_FLUSH_KEYS(T, n)
#define MASS_FLUSH_ITEMS(T, n)
#define MASS_FLUSH_MIN(T, n) mass_flush_block<MASS_MIN>(f.n + world, mass_limits<T>::rank(s.n));
#define MASS_FLUSH_MAX(T, n) mass_flush_block<MASS_MAX>(f.n + world, mass_limits<T>::rank(s.n));
#define MASS_FLUSH_RESIDENT(T, n)
#define MASS_FLUSH_RESIDENT_UPDATE(T, n)

/* Fields that are added to, by any thread. */
template <class T, class V> MASS_FN void mass_scatter_to(T *to, V v)
{
    if constexpr (sizeof(T) == sizeof(unsigned)) atomicAdd((unsigned *)to, (unsigned)(T)v);
    else atomicAdd((unsigned long long *)to, (unsigned long long)(T)v);
}
#define MASS_SCATTER_TO_(to, v) mass_scatter_to((to), (v))
#define MASS_WINDOW_SCATTER_ADD(T, n) struct { T *to; } n;
#define MASS_STRIP_SCATTER_ADD(T, n) T *n;
#define MASS_FIRST_SCATTER_ADD(T, n) s.n = f.n;
#define MASS_EMPTY_SCATTER_ADD(T, n)
#define MASS_LOAD_SCATTER_ADD(T, n)
#define MASS_GET_SCATTER_ADD(T, n) window.n.to = s.n;
#define MASS_PUT_SCATTER_ADD(T, n)
#define MASS_STORE_SCATTER_ADD(T, n)
#define MASS_SIDE_SCATTER_ADD(T, n)
#define MASS_FLUSH_SCATTER_ADD(T, n)

#endif
