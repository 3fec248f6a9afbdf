# SPDX-License-Identifier: Apache-2.0
# Draws docs/pictures/turn-rounds.png from what turn-rounds prints. At the top of the source:
#
#     turn-rounds >build/rounds.txt
#     gnuplot docs/pictures/turn-rounds.gnuplot
set terminal pngcairo size 800,480 font "sans,11"
set output "docs/pictures/turn-rounds.png"
set key outside right title "radius"
set grid
set logscale xy
set xlabel "places with an agent, %"
set ylabel "rounds"
set xrange [0.8:100]
set yrange [0.8:5000]
set xtics (1, 5, 10, 20, 40, 80)
plot for [column=7:2:-1] "build/rounds.txt" using 1:column with linespoints linewidth 2 pointtype 7 \
    title columnheader(column)
