"""Broadcast over a grid: figure 8 of the adaptive framework (Steffenel et al.)."""

SIZES = "1K:4M:x4"
SCHEDULES = {
    "flat": "Flat",
    "fef": "FEF",
    "ecef": "ECEF",
    "ecef-la": "ECEF-LA",
    "ecef-LAt": "ECEF-LAt",
    "ecef-LAT": "ECEF-LAT",
    "bottom-up": "bottom-up",
}
def broadcast(figures, what, *words):
    common = ("bcast", "--bytes", SIZES, "--platform", figures.platform("grid5000"))
    rows = figures.bench(f"grid5000, {what}", "grid5000", *common, *words)
    return what, {int(row["bytes"]): float(row["median_s"]) for row in rows}


def schedules(figures):
    curves = [broadcast(figures, "MPI (mpich)", "--impl", "native")]
    # What was MPI's own in the paper.
    curves.append(broadcast(figures, "binomial", "--impl", "tombolo", "--algorithm", "binomial", "--segment", 0))
    for schedule, label in SCHEDULES.items():
        # As in the paper a vector is one message between clusters.
        of_it = ("--algorithm", "mapped", "--schedule", schedule, "--segment", 0)
        curves.append(broadcast(figures, label, "--impl", "tombolo", *of_it))
    curves.append(broadcast(figures, "Tombolo", "--impl", "tombolo"))
    figures.draw("grid5000-bcast", "Broadcast on 78 ranks of grid5000", curves)
