"""Broadcast over four sites, for real: figure 8 of the adaptive framework (Steffenel et al.)."""

from figures.emulated import Emulated, half_interval
from figures.schedules import SCHEDULES

HEADER = ("transport", "ranks", "curve", "bytes", "seconds", "half_interval", "repetitions", "times_as_fast_as_mpi")
# From some size on UCX agrees with the receiver before it sends; that costs further round trips, unless it is told not to.
UCX, EAGER, SOCK = "as UCX is", "without rendezvous", "ch3:sock"
SUFFIX = {UCX: "", EAGER: "-eager", SOCK: "-sock"}


def environment(transport, sock):
    """Of all ranks; sock: where an MPICH of device ch3:sock is installed."""
    if transport == SOCK:
        return (f"LD_LIBRARY_PATH={sock}/lib",)
    return ("UCX_RNDV_THRESH=inf",) if transport == EAGER else ()


def curves():
    """(label, options of tombolo bench)."""
    yield "MPI (MPICH)", ("--impl", "native")
    for schedule in ("flat", "fef", "ecef", "ecef-la", "ecef-LAt", "ecef-LAT"):
        # As in the paper a vector is one message between clusters.
        yield SCHEDULES[schedule], ("--impl", "tombolo", "--algorithm", "mapped", "--schedule", schedule, "--segment", 0)
    yield "Tombolo", ("--impl", "tombolo")


def broadcast(figures, description, ranks, sizes, transports=(UCX, EAGER)):
    """Over UCX as it comes and without rendezvous, and over plain sockets where there is such an MPICH."""
    lines = []
    for transport in (*transports, *([SOCK] if figures.sock else [])):
        with Emulated(description, figures.scratch, environment(transport, figures.sock)) as grid:
            drawn = []
            for label, how in curves():
                rows = grid.bench(ranks, "bcast", "--bytes", sizes, "--least", 3, "--most", 7, "--precision", 0.05, *how)
                drawn.append((label, {int(row["bytes"]): float(row["median_s"]) for row in rows}))
                for row in rows:
                    size, median = int(row["bytes"]), float(row["median_s"])
                    gain = drawn[0][1][size] / median
                    lines.append((transport, ranks, label, size, f"{median:.4g}", f"{half_interval(row):.3f}", row["reps"], f"{gain:.2f}"))
            name = f"real-{description}-bcast{SUFFIX[transport]}"
            figures.plot(name, f"Broadcast on {ranks} ranks of {description}, {transport}", drawn,
                         "set logscale x\nset xlabel 'bytes'\nset format x '10^{%T}'\n")
            figures.table(f"real-{description}-bcast", HEADER, lines)
    for line in lines:
        print(*line, sep="\t")
