"""Where the library is that lets ranks wait in the kernel (lab/emulation/wait_in_kernel.c)."""

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path

from places import WAITING


def waiting_library(program):
    """The one that TOMBOLO_WAIT_IN_KERNEL names, else that of the build that the program belongs to, else the one that
    belongs to these scripts. It need not be there."""
    named = os.environ.get("TOMBOLO_WAIT_IN_KERNEL")
    if named:
        return Path(named).resolve()
    beside = Path(program).resolve().parent.parent / "lib/libwait_in_kernel.so"
    return beside if beside.exists() else WAITING


@contextmanager
def plain_path(path):
    """A path without blanks and colons, which part the words of LD_PRELOAD and of what starts ranks: the path itself,
    or meanwhile a link to it."""
    if not set(str(path)) & set(" \t:"):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="tombolo-", dir="/tmp") as folder:
        os.chmod(folder, 0o755)  # for ranks of whoever it may be
        link = Path(folder, Path(path).name)
        link.symlink_to(path)
        yield link
