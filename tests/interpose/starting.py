"""How tests start unmodified programs: by either MPI library, natively or under tombolo-run."""

import os
import shutil
from pathlib import Path

BIN = Path(os.environ["TOMBOLO_BIN"])
LIBRARIES = BIN.parent / "lib"
MPIRUN = os.environ["TOMBOLO_MPIRUN"]
TOMBOLO_RUN = str(Path(__file__).resolve().parents[2] / "scripts" / "run")


def libraries(program):
    """Those that there is a build of a program of tests/interpose/programs for."""
    return [mpi for mpi in ("mpich", "openmpi") if (BIN / f"{program}_{mpi}").exists()]


def launcher(mpi, ranks):
    return [shutil.which("env"), f"TOMBOLO_MPIEXEC=mpiexec.{mpi}", MPIRUN, str(ranks)]


def environment():
    """Of what starts the ranks."""
    return dict(os.environ, TOMBOLO_WAIT_IN_KERNEL=f"{LIBRARIES}/libwait_in_kernel.so")


def command(mpi, ranks, program, cache, *options, planned=True, hosts=True):
    """The words that start a program; on hosts of two ranks each, as it seems to them, and planned by tombolo-run."""
    # As tests/support/mpirun does, which finds the library beside the program.
    preload = [f"{LIBRARIES}/libwait_in_kernel.so"] + [f"{LIBRARIES}/libseveral_hosts_{mpi}.so"] * hosts
    words = [*launcher(mpi, ranks), shutil.which("env"), f"LD_PRELOAD={':'.join(preload)}"]
    if planned:
        words += [f"TOMBOLO_LIBRARIES={LIBRARIES}", f"TOMBOLO_CACHE={cache}", TOMBOLO_RUN, *options]
    return [*words, *map(str, program)]
