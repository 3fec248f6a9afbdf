/* SPDX-License-Identifier: Apache-2.0 */
/* Stores that update ghosts. A strip also writes its results to the ghosts of its own partition that show them, along
 * the axes of launch.push. So no separate launch has to fill them. Strips that no ghost shows pay one comparison. */
#ifndef MASS_KERNEL_CUDA_GHOSTS_H
#define MASS_KERNEL_CUDA_GHOSTS_H

#include <mass/impl/kernel_cuda_rows.h>
#include <mass/impl/launch.h>

/* Finds the ghosts that copy coordinate `here` along an axis that wraps: they are at here + k * extent, for each k from
 * `from` to `to`. k = 0 is the place itself. */
MASS_FN void mass_images(const mass_launch &l, int axis, int here, int &from, int &to)
{
    from = to = 0;
    if (!(l.push >> axis & 1)) return;
    while (here + (from - 1) * l.extent[axis] >= -l.ghost[axis]) from--;
    while (here + (to + 1) * l.extent[axis] < l.extent[axis] + l.ghost[axis]) to++;
}

/* Copies a row of a strip to the ghosts that show it, along the axes of l.push. p is the address at which the row was
 * stored, (x, y, z) its first place. */
template <int CX, class T>
MASS_FN void mass_push_row(T *p, const T *v, int columns, const mass_launch &l, int x, int y, int z)
{
    int from[3], to[3];
    mass_images(l, 0, x, from[0], to[0]);
    int last_from, last_to; /* of the row's last place */
    mass_images(l, 0, x + CX - 1, last_from, last_to);
    if (last_from < from[0]) from[0] = last_from;
    mass_images(l, 1, y, from[1], to[1]);
    mass_images(l, 2, z, from[2], to[2]);
#pragma unroll 1
    for (int kz = from[2]; kz <= to[2]; kz++)
#pragma unroll 1
        for (int ky = from[1]; ky <= to[1]; ky++)
#pragma unroll 1
            for (int kx = from[0]; kx <= to[0]; kx++) {
                const int first = x + kx * l.extent[0];
                T *q = p + kz * (l.extent[2] * l.plane) + ky * (l.extent[1] * l.pitch) + kx * (int64_t)l.extent[0];
                if (kx | ky | kz)
#pragma unroll
                    for (int c = 0; c < CX; c++)
                        if (c < columns && first + c >= -l.ghost[0] && first + c < l.extent[0] + l.ghost[0])
                            q[c] = v[c];
            }
}

/* Is true if ghosts that this launch writes show a place of a strip, or if one is outside the partition. */
MASS_FN bool mass_at_edge(const mass_launch &l, int x, int y, int z, int columns, int rows)
{
    return x < l.inner_first[0] || x + columns > l.inner_last[0] || y < l.inner_first[1] ||
           y + rows > l.inner_last[1] || z < l.inner_first[2] || z >= l.inner_last[2];
}

/* Is true if a strip in the middle, for which mass_at_edge is false, starts or ends where an axis wraps. It then holds
 * all ghosts of that side (launch.inner_first). */
MASS_FN bool mass_wraps_x(const mass_launch &l, int x, int columns)
{
    return (l.push & MASS_AXIS_X) && (x == 0 || x + columns == l.extent[0]);
}
MASS_FN bool mass_wraps_y(const mass_launch &l, int y, int rows)
{
    return (l.push & MASS_AXIS_Y) && (y == 0 || y + rows == l.extent[1]);
}

/* Copies the outermost columns and rows of such a strip, stored at p, to the ghosts beyond the opposite sides. */
template <int CX, int ROWS, class T> MASS_FN void mass_push_sides(T *p, const mass_launch &l, int x, int y)
{
    const bool wraps_x = mass_wraps_x(l, x, CX), wraps_y = mass_wraps_y(l, y, ROWS);
    const int64_t right = x == 0 ? l.extent[0] : -(int64_t)l.extent[0];
    const int64_t down = (y == 0 ? l.extent[1] : -(int64_t)l.extent[1]) * l.pitch;
    const int first_column = x == 0 ? 0 : CX - l.ghost[0], first_row = y == 0 ? 0 : ROWS - l.ghost[1];
    if (wraps_x) {
        T *q = p + first_column;
#pragma unroll 1
        for (int g = 0; g < l.ghost[0]; g++, q++)
#pragma unroll
            for (int r = 0; r < ROWS; r++) q[r * l.pitch + right] = q[r * l.pitch];
    }
    if (wraps_y) {
        T *q = p + first_row * l.pitch;
#pragma unroll 1
        for (int g = 0; g < l.ghost[1]; g++, q += l.pitch) {
            T row[CX];
            mass_load<CX>(row, q);
            mass_store<CX>(q + down, row);
            for (int c = first_column; wraps_x && c < first_column + l.ghost[0]; c++) q[down + right + c] = q[c];
        }
    }
}

/* Stores a row of a strip. In the middle of a partition it stores all elements at once, and nothing else. */
template <bool EDGE, int CX, class T>
MASS_FN void mass_store_row(T *p, const T *v, int columns, const mass_launch &l, int x, int y, int z)
{
    if constexpr (!EDGE && mass_is_packed<T, CX>) {
        uint32_t words[CX / 4];
#pragma unroll
        for (int c = 0; c < CX; c++)
            words[c / 4] = c % 4 ? words[c / 4] + (uint8_t)v[c] * mass_byte_factor(l, c % 4) : (uint8_t)v[c];
        mass_store<CX / 4>((uint32_t *)p, words);
    } else if constexpr (!EDGE) mass_store<CX>(p, v);
    else {
#pragma unroll
        for (int c = 0; c < CX; c++)
            if (c < columns) p[c] = v[c];
        if (l.push) mass_push_row<CX>(p, v, columns, l, x, y, z);
    }
}

#endif
