"""The product and the transpose on an emulated grid of unequal hosts: shares and collectives compared."""

import json

from figure_parts.emulated import TOMBOLO, Emulated

WAYS = {
    "equal shares, native": ("--shares", "equal", "--collectives", "native"),
    "equal shares, planned": ("--shares", "equal"),
    "speed shares, native": ("--shares", "speed", "--collectives", "native"),
    "speed shares, planned": ("--shares", "speed"),
    "best": ("--shares", "best"),
}
HEADER = ("application", "size", "way", "seconds", "predicted", "verified", "times_as_fast_as_the_first", "phases")


def applications(figures, description, products, transposes):
    """Products and transposes of these sizes, one run each."""
    with Emulated(description, figures.scratch) as grid:
        ranks = grid.slots
        platform = grid.platform(ranks)
        lines = []
        for application, sizes in (("matmul", products), ("transpose", transposes)):
            for size in sizes:
                first = None
                for way, how in WAYS.items():
                    if application == "transpose" and way == "best":
                        how = ("--shares", "links")
                    grid.say(f"{application} {size}, {way}")
                    file = figures.scratch / "report.json"
                    grid.run(ranks, TOMBOLO, application, "--size", size, "--platform", platform, "--report", file, *how)
                    report = json.loads(file.read_text())
                    first = first or report["seconds"]
                    phases = " ".join(f"{phase['name']} {phase['seconds']:.3g}" for phase in report["phases"])
                    numbers = (f"{report['seconds']:.4g}", f"{report['predicted_s']:.4g}", report["verified"])
                    lines.append((application, size, way, *numbers, f"{first / report['seconds']:.2f}", phases))
    figures.table(f"real-{description}-applications", HEADER, lines)
    for line in lines:
        print(*line, sep="\t")
