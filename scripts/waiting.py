"""Where the library is that lets ranks wait in the kernel (grid/wait_in_kernel.c)."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def waiting_library(program):
    """The one that TOMBOLO_WAIT_IN_KERNEL names, else that of the build that the program belongs to, else this clone's.
    It need not be there."""
    named = os.environ.get("TOMBOLO_WAIT_IN_KERNEL")
    if named:
        return Path(named).resolve()
    beside = Path(program).resolve().parent.parent / "lib/libwait_in_kernel.so"
    return beside if beside.exists() else ROOT / "build/release/lib/libwait_in_kernel.so"
