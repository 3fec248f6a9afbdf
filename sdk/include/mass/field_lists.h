/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks by lists of FIELD(name, type, access, declared name), until the last of them is said by entries
 * (model.h). Included by kernel.h. */
#ifndef MASS_FIELD_LISTS_H
#define MASS_FIELD_LISTS_H

#define MASS_OLD_PLACES_(name, type, access, target) \
    MASS_OLD_(name, type, access, target, MASS_PLACED_(PLACES_, MASS_##access))
#define MASS_OLD_RESIDENTS_(name, type, access, target) \
    MASS_OLD_(name, type, access, target, MASS_PLACED_(RESIDENTS_, MASS_##access))
#define MASS_OLD_OCCUPIED_(name, type, access, target) \
    MASS_OLD_(name, type, access, target, MASS_PLACED_(OCCUPIED_, MASS_##access))
#define MASS_OLD_AGENTS_(name, type, access, target) \
    MASS_OLD_(name, type, access, target, MASS_PLACED_(AGENTS_, MASS_##access))
#define MASS_OLD_(name, type, access, target, ...) \
    MASS_JOIN(MASS_OLD_OF_, MASS_COUNT_(__VA_ARGS__))(name, type, access, target, __VA_ARGS__)
#define MASS_OLD_OF_1(name, type, access, target, none)
#define MASS_OLD_OF_2(name, type, access, target, CLASS, VIEW) \
    , (CLASS, VIEW, MASS_##access, name, MASS_JOIN(name, _none), type, type, #name, #target)

#define MASS_CHECKED_(NAME, LIST, KIND) MASS_PLACED_HERE_(NAME) LIST(MASS_CHECK_##KIND##_)
#define MASS_MAP(NAME, LIST) \
    MASS_CHECKED_(NAME, LIST, PLACES) MASS_KERNEL_(NAME, (LIST(MASS_OLD_PLACES_)), 0, 0, MASS_OVER_PLACES)
#define MASS_STENCIL(NAME, LIST, DIMENSIONS, RADIUS) \
    MASS_CHECKED_(NAME, LIST, PLACES)                \
    MASS_KERNEL_(NAME, (LIST(MASS_OLD_PLACES_)), DIMENSIONS, RADIUS, MASS_OVER_PLACES)
#define MASS_SCATTER(NAME, LIST, DIMENSIONS, RADIUS) MASS_STENCIL(NAME, LIST, DIMENSIONS, RADIUS)
#define MASS_AGENT(NAME, LIST, DIMENSIONS) \
    MASS_CHECKED_(NAME, LIST, AGENTS) MASS_AGENT_(NAME, (LIST(MASS_OLD_AGENTS_)), DIMENSIONS)
#define MASS_RESIDENTS(NAME, LIST, DIMENSIONS, RADIUS) \
    MASS_CHECKED_(NAME, LIST, RESIDENTS)               \
    MASS_KERNEL_(NAME, (LIST(MASS_OLD_RESIDENTS_)), DIMENSIONS, RADIUS, MASS_OVER_RESIDENTS)
#define MASS_OCCUPIED(NAME, LIST, DIMENSIONS, RADIUS) \
    MASS_CHECKED_(NAME, LIST, OCCUPIED)               \
    MASS_OCCUPIED_(NAME, (LIST(MASS_OLD_OCCUPIED_)), DIMENSIONS, RADIUS)

#endif
