/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies that run once in each world, on CPUs and on GPUs. Every process and device that holds a part of a world runs
 * them on its own copy of the world's attributes, with the same result. Included by kernel.h. */
#ifndef MASS_KERNEL_ONCE_H
#define MASS_KERNEL_ONCE_H

#include <mass/callback.h>
#include <mass/impl/fields.h>
#include <mass/impl/views.h>

/* The members of a window, by view (views.h); before a body, and after it. */
#define MASS_ONCE_WINDOW_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_REST_(MASS_ONCE_WINDOW_##VIEW(n, T))
#define MASS_ONCE_WINDOW_SCALAR_(n, T) ~, T n;
#define MASS_ONCE_WINDOW_LIST_(n, T) ~, const T *n;
#define MASS_ONCE_WINDOW_VALUE_(n, T) ~, T n;
#define MASS_ONCE_GET_(CLASS, VIEW, ACCESS, n, ...) MASS_REST_(MASS_ONCE_GET_##VIEW(n))
#define MASS_ONCE_GET_SCALAR_(n) ~, window.n = f.n[world];
#define MASS_ONCE_GET_LIST_(n) ~, window.n = f.n + world;
#define MASS_ONCE_GET_VALUE_(n) ~, window.n = f.n[world];
#define MASS_ONCE_PUT_(CLASS, VIEW, ACCESS, n, ...) MASS_REST_(MASS_ONCE_PUT_##VIEW(n))
#define MASS_ONCE_PUT_VALUE_(n) ~, f.n[world] = window.n;

/* Runs the body in one world, unless its gate is closed. */
#define MASS_ONCE_AT_(NAME, LIST, CHECKED)                  \
    {                                                       \
        MASS_JOIN(NAME, _window) window;                    \
        if (l.gates && l.gates[world]) continue;            \
        memset(&window, 0, sizeof window);                  \
        window.site.launch = &l;                            \
        window.site.world = (int32_t)world;                 \
        window.reach_.checked = CHECKED;                    \
        MASS_EACH_(MASS_ONCE_GET_, LIST)                    \
        MASS_JOIN(NAME, _body)(&window);                    \
        MASS_EACH_(MASS_ONCE_PUT_, LIST)                    \
    }
#define MASS_ONCE_TYPES_(NAME, LIST, DRAWS)                              \
    typedef struct { MASS_EACH_(MASS_POINTER_, LIST) } MASS_JOIN(NAME, _fields); \
    typedef struct {                                                     \
        MASS_EACH_(MASS_ONCE_WINDOW_, LIST)                              \
        mass_reach reach_;                                               \
        mass_site site;                                                  \
        DRAWS                                                            \
        int64_t nowhere_; /* what an array does not have */              \
    } MASS_JOIN(NAME, _window);

#ifdef __CUDACC__
/* A block has one thread that works, and strides over the worlds. */
#define MASS_ONCE_OF_(NAME, LIST)                                                                          \
    MASS_ONCE_TYPES_(NAME, LIST, )                                                                         \
    MASS_BODY_(NAME, _body);                                                                               \
    extern "C" __global__ void MASS_JOIN(NAME, _once)(const __grid_constant__ MASS_JOIN(NAME, _fields) f,  \
                                                      const __grid_constant__ mass_launch l)               \
    {                                                                                                      \
        mass_follow_predecessor();                                                                         \
        if (threadIdx.x | threadIdx.y | blockIdx.x | blockIdx.y) return;                                   \
        for (int world = blockIdx.z; world < l.worlds; world += gridDim.z) MASS_ONCE_AT_(NAME, LIST, 0)    \
    }                                                                                                      \
    /* The engine does not run small worlds with such a body as blocks. */                                 \
    template <class... A> MASS_FN void MASS_JOIN(NAME, _in_world)(const A &...) {}                         \
    MASS_BODY_(NAME, _body)
#else
#define MASS_ONCE_LOOP_(NAME, LIST, SUFFIX, CHECKED)                                          \
    static void MASS_JOIN(NAME, SUFFIX)(const void *fields, const mass_launch *launch,        \
                                        const mass_range *range)                              \
    {                                                                                         \
        const MASS_JOIN(NAME, _fields) f = *(const MASS_JOIN(NAME, _fields) *)fields;         \
        const mass_launch l = *launch;                                                        \
        for (int64_t world = range->first_row; world < range->last_row; world++)              \
            MASS_ONCE_AT_(NAME, LIST, CHECKED)                                                \
    }
#define MASS_ONCE_OF_(NAME, LIST)                                                                             \
    MASS_ONCE_TYPES_(NAME, LIST, mass_draws *draws;)                                                          \
    MASS_BODY_(NAME, _body);                                                                                  \
    MASS_ONCE_LOOP_(NAME, LIST, _once_base, 0)                                                                \
    MASS_ONCE_LOOP_(NAME, LIST, _once_checked, 1)                                                             \
    static const mass_field MASS_JOIN(NAME, _reflection)[] = {MASS_EACH_(MASS_REFLECT_, LIST)};               \
    static const mass_form MASS_JOIN(NAME, _forms)[] = {                                                      \
        {sizeof(mass_form), MASS_FORM_LOOP, 0, 0, MASS_JOIN(NAME, _once_base), 0, 1, 1, 1, 0},                \
        {sizeof(mass_form), MASS_FORM_LOOP, 0, MASS_FORM_TALLIES, MASS_JOIN(NAME, _once_base), 0, 1, 1, 1, 0}, \
        {sizeof(mass_form), MASS_FORM_CHECKED, 0, 0, MASS_JOIN(NAME, _once_checked), 0, 1, 1, 1, 0},          \
        {sizeof(mass_form), MASS_FORM_KERNEL, 0, MASS_FORM_PUSHES, 0, #NAME "_once", 1, 1, 1, 0},             \
        {sizeof(mass_form), MASS_FORM_KERNEL, 0, MASS_FORM_PUSHES | MASS_FORM_TALLIES, 0, #NAME "_once", 1, 1, 1, \
            0}};                                                                                              \
    MASS_CALLBACK_(NAME) = {                                                                                  \
        sizeof(mass_callback), MASS_OVER_WORLDS, #NAME, 0, 0,                                                 \
        sizeof MASS_JOIN(NAME, _reflection) / sizeof(mass_field), sizeof(mass_field),                         \
        MASS_JOIN(NAME, _reflection),                                                                         \
        sizeof MASS_JOIN(NAME, _forms) / sizeof(mass_form), sizeof(mass_form),                                \
        MASS_JOIN(NAME, _forms), 0, 0, 0, 0, 0, 0, 0};                                                        \
    MASS_BODY_(NAME, _body)
#endif

#define MASS_ONCE(NAME, ...) MASS_ONCE_(, NAME, ##__VA_ARGS__)
#define MASS_ONCE_(E, NAME, ...) \
    MASS_JOIN(MASS_ONCE_EXPANDED_, MASS_IS_EXPANDED_(E, __VA_ARGS__##E))(E, NAME, __VA_ARGS__##E)
#define MASS_ONCE_EXPANDED_2(E, NAME, ...) MASS_ONCE_EXPANDED_1(E, NAME, __VA_ARGS__)
#define MASS_ONCE_EXPANDED_1(E, NAME, ...)              \
    MASS_UNPOPULATED_(NAME)                             \
    MASS_CHECKED_(E, NAME, WORLDS_, , __VA_ARGS__##E)   \
    MASS_ONCE_OF_(NAME, (MASS_LISTED_(E, WORLDS_, , NAME, __VA_ARGS__##E)))

#endif
