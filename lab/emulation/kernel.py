"""What Python 3.11 has no calls for: namespaces, mounts, and children that die with their parent."""

import ctypes
import os
import signal
from pathlib import Path

CLONE_NEWNET = 0x40000000
MS_BIND = 4096
MNT_DETACH = 2
PR_SET_PDEATHSIG = 1
NAMESPACES = Path("/run/netns")  # where ip looks for them

libc = ctypes.CDLL(None, use_errno=True)


def check(result):
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def die_with_parent():
    """In a child, before it becomes another program."""
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def make_namespace(name, prepare):
    """A network namespace that ip knows by this name; prepare() is called inside it, in a process of its own."""
    NAMESPACES.mkdir(mode=0o755, exist_ok=True)
    path = NAMESPACES / name
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDONLY, 0o444))
    child = os.fork()
    if child == 0:
        status = 1
        try:
            die_with_parent()
            check(libc.unshare(CLONE_NEWNET))
            prepare()
            check(libc.mount(b"/proc/self/ns/net", bytes(path), b"none", MS_BIND, None))
            status = 0
        except OSError as error:
            status = error.errno or 1
        finally:
            os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status != 0:
        path.unlink()
        raise OSError(abs(status), f"no network namespace could be made ({os.strerror(abs(status))})")


def enter(name):
    """Moves this process, one that is to become another program, into a namespace."""
    file = os.open(NAMESPACES / name, os.O_RDONLY)
    check(libc.setns(file, CLONE_NEWNET))
    os.close(file)


def remove_namespace(name):
    """Returns whether there was one; a file without a namespace, which a killed process may leave, goes as well."""
    path = NAMESPACES / name
    libc.umount2(bytes(path), MNT_DETACH)
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    return True


def inode_of_namespace(name):
    """A number for it that /proc/PID/ns/net has as well; None where there is none."""
    try:
        return (NAMESPACES / name).stat().st_ino
    except OSError:
        return None


def processes_in(inodes):
    """Ids of the processes whose network namespace is one of these, with the number of theirs."""
    found = {}
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            inode = os.stat(f"/proc/{process}/ns/net").st_ino
        except OSError:
            continue  # it has ended
        if inode in inodes and int(process) != os.getpid():
            found[int(process)] = inode
    return found


def start_time(process):
    """When a process began, in ticks since the machine did: with its id, unique. None where there is none such."""
    try:
        text = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    return None if fields[0] == "Z" else int(fields[19])


def boot_id():
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
