"""Where the parts of scripts/grid and scripts/unequal are, and how users call them: in a clone. An installation has
another file of this name, which cmake/places.py.in becomes."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(1, str(ROOT / "lab"))  # where the packages emulation and figures are

GRID = "scripts/grid"
UNEQUAL = "scripts/unequal"
TOMBOLO = "build/release/bin/tombolo"
MANUAL = "docs/grid.md"
REPAIR = "build it (scripts/build release)"  # what to do where a part is missing

GRIDS = ROOT / "lab/grids"
RELAY = ROOT / "build/release/bin/tombolo-relay"
WAITING = ROOT / "build/release/lib/libwait_in_kernel.so"
MPIRUN = ROOT / "tests/support/mpirun"
