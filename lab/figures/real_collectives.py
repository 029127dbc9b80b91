"""Every collective on an emulated grid: MPICH's and Open MPI's own, planned ones, and a bound from the description."""

import json
import statistics
import sys

import simulations
from figures.emulated import TOMBOLO, Emulated, build_for_openmpi, command, half_interval
from simulations import ROOT

VECTORS = "bcast,reduce,allreduce,reduce_scatter,scan,exscan"
BLOCKS = "scatter,gather,allgather,alltoall"
GROUPS = {"barrier": (0,), VECTORS: (1, 32, 1024, 32768, 1048576), BLOCKS: (1, 16, 256, 4096, 65536)}  # bytes, by a factor
V_FORMS = {"scatter": "scatterv", "gather": "gatherv", "allgather": "allgatherv", "alltoall": "alltoallv"}
HEADER = ("op", "bytes", "mpich_s", "openmpi_s", "ours_s", "mpich_over_ours", "better_over_ours", "ours_over_bound")
HEADER += ("predicted_over_measured", "algorithm", "repetitions", "half_interval")


REGULAR = {v_form: regular for regular, v_form in V_FORMS.items()}


def span(sizes):
    """As tombolo bench takes sizes."""
    return f"{sizes[0]}:{sizes[-1]}:x{sizes[1] // sizes[0] if len(sizes) > 1 else 2}"


def key(row):
    return REGULAR.get(row["op"], row["op"]), int(row["bytes"])


def of_open_mpi(grid, ranks):
    """Seconds of its own collectives, by operation and bytes."""
    program = grid.scratch / "native_collectives"
    if not build_for_openmpi(ROOT / "tests/rivals/mpi/native_collectives.cpp", program):
        print("without Open MPI, which is not installed (openmpi-bin, libopenmpi-dev)", file=sys.stderr)
        return {}
    found = {}
    for operations, sizes in GROUPS.items():
        grid.say(f"{operations}, Open MPI's own")
        said = grid.run(ranks, program, operations, "--bytes", ",".join(map(str, sizes)), mpi="openmpi")
        found.update((key(row), float(row["median_s"])) for row in simulations.rows(said))
    return found


def timed(grid, ranks):
    """What tombolo bench says of every cell, by operation and bytes, then by implementation."""
    cells = {}
    for operations, sizes in GROUPS.items():
        for row in grid.bench(ranks, operations, "--bytes", span(sizes), "--most", 15, "--precision", 0.05):
            cells.setdefault(key(row), {})[row["impl"]] = row
    return cells


def bound(description, operation, size):
    """Seconds that no plan can beat on links as they are described, a rank on each host."""
    stated = ("--bytes", size, "--platform", description, "--format", "json")
    said = command(TOMBOLO, "plan", V_FORMS.get(operation, operation), *stated)
    return json.loads(said)["bound_s"]


def simulated(figures, description, ranks):
    """Predicted over measured in a simulation of the same description, planned by what is discovered inside."""
    file = figures.described(description)
    platform = simulations.with_models(file, "multiport", figures.scratch / "simulated.json")
    lines = []
    for operations, sizes in GROUPS.items():
        common = ("--impl", "tombolo", "--platform", platform, "--format", "csv")
        said = simulations.simulate(file, "bench", operations, "--bytes", span(sizes), *common, options=("-n", ranks))
        for row in simulations.rows(said):
            measured, predicted = float(row["median_s"]), float(row["predicted_s"] or "nan")
            lines.append((*key(row), f"{measured:.4g}", f"{predicted / measured:.3f}", row["algorithm"]))
    figures.table(f"simulated-{description}", ("op", "bytes", "seconds", "predicted_over_measured", "algorithm"), lines)


def collectives(figures, description, ranks):
    with Emulated(description, figures.scratch) as grid:
        described = grid.described()
        cells = [(operation, size) for operations, sizes in GROUPS.items() for operation in operations.split(",")
                 for size in sizes]
        bounds = {cell: bound(described, *cell) for cell in cells}
        measured = timed(grid, ranks)
        open_mpi = of_open_mpi(grid, ranks)
        lines = []
        for cell, of in measured.items():
            native, ours = (float(of[who]["median_s"]) for who in ("native", "tombolo"))
            better = min(native, open_mpi.get(cell, native))
            least = bounds[cell]
            ratios = (native / ours, better / ours, ours / least if least > 0 else 1)
            plan = of["tombolo"]
            error = float(plan["predicted_s"] or "nan") / ours
            how = (plan["algorithm"], plan["reps"], f"{half_interval(plan):.3f}")
            numbers = (native, open_mpi.get(cell, float("nan")), ours, *ratios, error)
            lines.append((*cell, *(f"{number:.4g}" for number in numbers), *how))
    figures.table(f"real-{description}", HEADER, lines)
    for column, name in enumerate(HEADER[5:8], 5):
        print(f"{name}: {statistics.geometric_mean(float(line[column]) for line in lines):.2f} in geometric mean, "
              f"{min(float(line[column]) for line in lines):.2f} to {max(float(line[column]) for line in lines):.2f}")
    print(f"slower than the better by over 5 %: {sum(float(line[6]) < 0.95 for line in lines)} of {len(lines)}")
