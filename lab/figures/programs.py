"""How long programs are predicted to take, and take, on simulated grids."""

import re

import numpy
from simulations import ROOT, simulate

EMULATED = ("grid4x4-unequal",)  # whose descriptions are of grids, and simulated here
PLATFORMS = ("ucd16", "grid5000", *EMULATED)
SIDE = 200  # of the square whose Laplacian cg solves with


def laplacian(file):
    """Writes that of a square of SIDE x SIDE points, the lower half, as a Matrix Market file."""
    points = SIDE * SIDE
    entries = [(i, i, 4) for i in range(points)]
    entries += [(i, i - 1, -1) for i in range(points) if i % SIDE]
    entries += [(i, i - SIDE, -1) for i in range(SIDE, points)]
    lines = [f"{row + 1} {column + 1} {value}" for row, column, value in entries]
    head = f"%%MatrixMarket matrix coordinate real symmetric\n{points} {points} {len(entries)}\n"
    file.write_text(head + "\n".join(lines) + "\n")
    return file


def programs(tables):
    """programs.md: seconds of programs on simulated platforms, predicted and taken"""
    yield "platform", "program", "platform known", "predicted", "taken", "off by"
    figures, scratch = tables.figures, tables.scratch
    numpy.save(scratch / "plate.npy", numpy.random.default_rng(1).random((2000, 2000)))
    examples = (("jacobi, 2000 x 2000, 50 passes", scratch / "plate.npy", scratch / "out.npy", "--iterations", 50),
                ("cg, 40,000 unknowns, 50 passes", laplacian(scratch / "a.mtx"), scratch / "x.npy", "--iterations", 50),
                ("mandelbrot, 1200 x 1000", scratch / "out.npy"))
    for name in PLATFORMS:
        platform = figures.described(name) if name in EMULATED else name
        for application in ("matmul", "transpose"):
            for known, words in (("in a second", ()), ("by discover", ("--platform", figures.discovered(platform)))):
                report = figures.report(f"{name}, {application}", platform, application, "--size", 4000, "--phantom", *words)
                yield line(name, f"{application}, 4000 x 4000", known, report["predicted_s"], report["seconds"])
        for label, *words in examples:
            said = simulate(platform, *words, "--explain", program=ROOT / "build/smpi/bin" / f"example_{label.split(',')[0]}")
            taken, predicted = re.search(r"^total +([\d.]+) +([\d.]+)", said, re.MULTILINE).groups()
            yield line(name, label, "in a second", float(predicted), float(taken))


def line(platform, program, known, predicted, taken):
    return platform, program, known, f"{predicted:.3g}", f"{taken:.3g}", f"{predicted / taken - 1:+.1%}"
