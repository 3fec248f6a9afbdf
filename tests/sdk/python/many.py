#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""10,000 models that are opened and closed leave the process as large as the first thousand: many.py [COUNT]"""
import sys

from scene import mass

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 10000
MOST = 1024  # KiB that the process may grow after the first tenth


def resident():
    """The resident memory of this process in KiB."""
    with open("/proc/self/status", encoding="ascii") as f:
        return next(int(line.split()[1]) for line in f if line.startswith("VmRSS"))


for i in range(COUNT):
    with mass.Model("sugarscape" if i % 2 else "life", size=16, seed=i, device="cpu", threads=1) as m:
        m.step()
        m.hash()
    if i == COUNT // 10:
        begin = resident()
grown = resident() - begin
if grown > MOST:
    sys.exit(f"the process has grown by {grown} KiB with {COUNT - COUNT // 10} models, and {MOST} KiB are allowed")
