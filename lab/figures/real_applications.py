"""The product and the transpose on an emulated grid of unequal hosts: shares and collectives compared."""

import json

from figures.emulated import TOMBOLO, Emulated

WAYS = {
    "equal shares, native": ("--shares", "equal", "--collectives", "native"),
    "equal shares, planned": ("--shares", "equal"),
    "speed shares, native": ("--shares", "speed", "--collectives", "native"),
    "speed shares, planned": ("--shares", "speed"),
    "best": ("--shares", "best"),
}
HEADER = ("application", "size", "way", "runs", "seconds", "predicted", "verified", "times_as_fast_as_the_first", "phases")


def runs(grid, application, size, how, platform, count):
    """Reports of so many runs, the fastest first."""
    file = grid.scratch / "report.json"
    reports = []
    for _ in range(count):
        grid.run(grid.slots, TOMBOLO, application, "--size", size, "--platform", platform, "--report", file, *how)
        reports.append(json.loads(file.read_text()))
    return sorted(reports, key=lambda report: report["seconds"])


def applications(figures, description, products, transposes):
    """Products and transposes of sizes so and so often; of several runs, the median."""
    with Emulated(description, figures.scratch) as grid:
        platform = grid.platform(grid.slots)
        lines = []
        for application, sizes in (("matmul", products), ("transpose", transposes)):
            for size, count in sizes:
                first = None
                for way, how in WAYS.items():
                    if application == "transpose" and way == "best":
                        how = ("--shares", "links")
                    if application == "matmul" and way != "best":
                        how = (*how, "--algorithm", "rows")
                    grid.say(f"{application} {size}, {way}")
                    reports = runs(grid, application, size, how, platform, count)
                    report = reports[count // 2]
                    first = first or report["seconds"]
                    verified = all(one["verified"] for one in reports)
                    phases = " ".join(f"{phase['name']} {phase['seconds']:.3g}" for phase in report["phases"])
                    numbers = (count, f"{report['seconds']:.4g}", f"{report['predicted_s']:.4g}", verified)
                    lines.append((application, size, way, *numbers, f"{first / report['seconds']:.2f}", phases))
                    figures.table(f"real-{description}-applications", HEADER, lines)
    for line in lines:
        print(*line, sep="\t")
