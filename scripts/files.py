"""Files that are read whole, and written whole or not at all."""

import errno
import os
import stat
from pathlib import Path

MOST = 64 << 20  # bytes; what these scripts read has some thousands


def read_whole(path):
    """The bytes of a file. OSError also for a pipe or a device, which may never end, and for what is too large."""
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is a pipe or a device", str(path))
        read = file.read(MOST + 1)
    if len(read) > MOST:
        raise OSError(errno.EFBIG, f"it is larger than {MOST >> 20} MB", str(path))
    return read


def same(one, other):
    """Whether the two paths name one file, by whatever links, or would once it is there."""
    one, other = os.path.realpath(one), os.path.realpath(other)
    return one == other or (os.path.exists(one) and os.path.exists(other) and os.path.samefile(one, other))


def write_whole(path, text):
    """Writes a file that has its name only once it is complete; where that is a link, what it leads to. OSError names
    the file."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    path = Path(os.path.realpath(path) if os.path.islink(path) else path)
    if path.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        beside.write_text(text)
        beside.replace(path)
    except OSError as error:
        try:
            beside.unlink()
        except OSError:
            pass  # it was never there
        raise OSError(error.errno, error.strerror, str(path)) from None
