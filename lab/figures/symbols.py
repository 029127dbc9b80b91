"""What becomes of each collective function that an MPI library exports, by the libraries' own tables of symbols."""

import re
import subprocess
from pathlib import Path

from places import ROOT

MPIS = {  # the C library, those of Fortran
    "mpich": ("libmpich.so.12", ("libmpichfort.so.12",)),
    "openmpi": ("libmpi.so.40", ("libmpi_mpifh.so.40",)),
}
FORMS = {  # by the name of MPI_Bcast, say
    "blocking": "MPI_{}",
    "`_c`": "MPI_{}_c",
    "`I`": "MPI_I{}",
    "`I`, `_c`": "MPI_I{}_c",
    "`_init`": "MPI_{}_init",
    "`_init_c`": "MPI_{}_init_c",
}
OPERATIONS = ("Barrier", "Bcast", "Reduce", "Allreduce", "Scan", "Exscan", "Gather", "Gatherv", "Scatter", "Scatterv",
              "Allgather", "Allgatherv", "Alltoall", "Alltoallv", "Alltoallw", "Reduce_scatter", "Reduce_scatter_block",
              "Reduce_local", "Neighbor_allgather", "Neighbor_allgatherv", "Neighbor_alltoall", "Neighbor_alltoallv",
              "Neighbor_alltoallw")
PLANNED = ("blocking", "`_c`")  # other forms are taken to be counted
COUNTED = ("Alltoallw",)


def names(file, *options):
    """The names in a library's table of symbols."""
    said = subprocess.run(["nm", "-D", *options, file], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1].partition("@")[0] for line in said.splitlines()}


def found(library):
    """The file of a library, as programs find it; None if it is not installed."""
    said = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    paths = re.findall(rf"^\s*{re.escape(library)} .*=> (.*)$", said, re.MULTILINE)
    return paths[0] if paths else None


def unknown(exported):
    """Collective functions that no row of the table is for."""
    like = re.compile(r"MPIX?_.*(barrier|bcast|reduce|scan|gather|scatter|alltoall)", re.IGNORECASE)
    known = {form.format(operation).lower() for form in FORMS.values() for operation in OPERATIONS}
    return {name for name in exported if like.match(name) and name.replace("MPIX_", "MPI_").lower() not in known}


def lines(libraries):
    """The rows of the table, from the folder of libtombolo_mpich.so and libtombolo_openmpi.so; None where an MPI library
    is missing."""
    tables = []
    for mpi, (library, fortran) in MPIS.items():
        files = [found(name) for name in (library, *fortran)]
        taken = Path(libraries, f"libtombolo_{mpi}.so")
        if None in files or not taken.exists():
            return None
        exported = {name.replace("MPIX_", "MPI_") for name in names(files[0], "--defined-only")}
        called = set().union(*(names(file, "--undefined-only") for file in files[1:]))
        tables.append((exported, names(taken, "--defined-only"), called))

    def state(operation, form):
        name = FORMS[form].format(operation.lower() if "I{}" in FORMS[form] else operation)
        states = []
        for exported, taken, _ in tables:
            kept = "planned" if form in PLANNED and operation not in COUNTED else "counted"
            is_taken = name in taken and f"P{name}" in taken
            states.append("absent" if name not in exported else kept if is_taken else "passed on")
        return states[0] if states[0] == states[1] else " / ".join(states)

    def way(operation):
        ways = []
        for _, _, called in tables:
            ways.append(next((f"`{prefix}`" for prefix in ("MPI_", "PMPI_") if f"{prefix}{operation}" in called), "none"))
        return ways[0] if ways[0] == ways[1] else " / ".join(ways)

    return [(f"`MPI_{operation}`", *(state(operation, form) for form in FORMS), way(operation)) for operation in OPERATIONS]


def symbols(_):
    """unmodified.md: collective functions of both MPI libraries, and what becomes of them"""
    return [("MPICH / Open MPI", *FORMS, "Fortran calls"), *lines(ROOT / "build/release/lib")]
