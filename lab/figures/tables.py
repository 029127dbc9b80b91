"""Tables of the documentation: what each shows, and the runs that it is made of."""

import csv
import json
import os
import statistics
import subprocess

from figures.emulated import Emulated
from figures.figures import Figures
from figures.papers import NATIVE, PAPERS
from figures.pdgemm import pdgemm
from figures.predictions import predictions
from figures.programs import programs
from figures.real_collectives import timed
from figures.symbols import symbols
from figures.unmodified import unmodified
from places import ROOT
from simulations import Refused

ALONE = ("hockney", "loggp", "plogp", "lmo", "lmo-extended", "multiport")  # models that plan by themselves
CELLS = (("bcast,reduce,allreduce", "1K:1M:x32"), ("scatter,gather,allgather", "1K:64K:x8"), ("alltoall", "1K:16K:x4"))
FEWER = (("bcast,reduce,allreduce", "1K:1M:x1024"), ("scatter,gather,allgather", "1K:64K:x64"), ("alltoall", "1K:16K:x16"))
SHORT = (("bcast,reduce,allreduce", "1K:32K:x32"), *CELLS[1:])  # without what takes minutes to plan on many ranks
PLANNED = {  # platforms: cells, options of scripts/simulate
    "ucd16": (CELLS, ()),
    "mpichg2": (CELLS, ()),
    "grid5000": (SHORT, ()),
    "icluster2": (FEWER, ("-n", 40)),  # two of its switches
}
TURNS = (("rows", "blocks"), ("blocks", "rows"), ("blocks", "blocks"))
WAYS = {  # of a product
    "native, equal": ("--collectives", "native", "--shares", "equal"),
    "native": ("--collectives", "native", "--shares", "speed"),
    "planned, equal": ("--shares", "equal", "--panels", "1"),
    "by speed": ("--shares", "speed", "--panels", "1"),
    "best, no panels": ("--panels", "1"),
    "best": (),
}
MULTIPLIED_SIZES = {
    "distributed": {"ucd16": (1000, 4000), "mpichg2": (1000, 4000, 16000), "grid5000": (4000, 16000)},
    "root": {"ucd16": (1000, 4000), "mpichg2": (1000, 4000), "grid5000": (4000,)},
}
MULTIPLIED = {  # ways of a product, by rows and by rectangles
    "rows, native": ("--algorithm", "rows", "--collectives", "native"),
    "rows": ("--algorithm", "rows"),
    "columns": ("--algorithm", "columns"),
    "auto": ("--algorithm", "auto"),
}


def figure(value):
    return f"{value:.3g}"


def clusters_in(level):
    """The logical clusters of a platform file, at any depth."""
    if level["kind"] == "cluster":
        yield level
    for child in level.get("children", []):
        yield from clusters_in(child)


def rivalry(rows):
    """What scripts/rivals found, in a line: geometric means, and how many cells are slower."""
    ratios = [float(row["rival_over_ours"]) for row in rows]

    def mean(column):
        return f"{statistics.geometric_mean(float(row[column]) for row in rows if row[column]):.2f}"

    return (len(rows), mean("rival_over_ours"), mean("mpich_over_ours"), mean("ours_over_bound"),
            sum(ratio < 0.98 for ratio in ratios), f"{min(ratios):.2f}")


class Tables:
    """Makes tables as lists of rows, the header first. Platform files and reports go to a scratch folder."""

    def __init__(self, scratch):
        self.scratch = scratch
        self.figures = Figures(scratch, scratch)
        self.kept = Figures(ROOT / "docs/figures", scratch)  # for cells that a table sums up

    def transpose(self, platform, *words):
        """The seconds of a transpose."""
        return figure(self.figures.report(f"{platform}, a transpose", platform, "transpose", *words)["seconds"])

    def relabelling(self):
        """layouts.md: seconds of transposes of 4000 x 4000 doubles, equal shares"""
        yield "platform", "", "auto", "never"
        for platform in ("mpichg2", "grid5000"):
            for start, end in TURNS:
                words = ("--size", 4000, "--layout", start, "--to", end, "--shares", "equal")
                words += ("--platform", self.figures.discovered(platform))
                yield platform, f"{start} to {end}", *(self.transpose(platform, *words, "--relabel", way)
                                                       for way in ("auto", "never"))

    def shares(self):
        """layouts.md: seconds of transposes of 4000 x 4000 doubles, by rows"""
        yield "platform", "links", "speed", "equal"
        for platform in ("ucd16", "mpichg2", "grid5000"):
            words = ("--size", 4000, "--platform", self.figures.discovered(platform))
            yield platform, *(self.transpose(platform, *words, "--shares", way) for way in ("links", "speed", "equal"))

    def large(self):
        """layouts.md: seconds of transposes of 20,000 x 20,000 doubles, by rows"""
        yield "platform", "equal, native", "equal, planned", "speed, native", "speed, planned", "links, planned"
        for platform in ("mpichg2", "grid5000"):
            words = ("--size", 20000, "--phantom", "--platform", self.figures.discovered(platform))
            ways = (("equal", "native"), ("equal", "tombolo"), ("speed", "native"), ("speed", "tombolo"),
                    ("links", "tombolo"))
            yield platform, *(self.transpose(platform, *words, "--shares", shares, "--collectives", by)
                              for shares, by in ways)

    def products(self):
        """programs.md: seconds of products of square matrices, platforms with their models"""
        yield "platform", "size", *WAYS, "ranks", "off by", "native / best"
        for platform in ("ucd16", "grid5000"):
            for size in (1000, 2000, 4000, 6000):
                yield platform, size, *self.product(platform, size)

    def product(self, platform, size):
        words = ("--size", size, "--algorithm", "rows", "--phantom", "--platform", self.figures.platform(platform))
        name = f"{platform}, product of {size}"
        reports = {}
        for way, options in WAYS.items():
            selectors = NATIVE if "native" in options else ("mpich",)
            reports[way] = min((self.figures.report(name, platform, "matmul", *words, *options, selector=selector)
                                for selector in selectors), key=lambda report: report["seconds"])
        best = reports["best"]
        ranks = sum(1 for processor in best["processors"] if processor["rows"] > 0)
        native = min(reports[way]["seconds"] for way in WAYS if way.startswith("native"))
        return (*(figure(reports[way]["seconds"]) for way in WAYS), ranks,
                f"{best['predicted_s'] / best['seconds'] - 1:+.1%}", f"{native / best['seconds']:.2f}")

    def distributed(self):
        """products.md: seconds of products of square matrices in parts on the ranks, platforms with their models"""
        yield from self.multiplied("distributed")

    def held_at_root(self):
        """products.md: seconds of products of square matrices held by rank 0, platforms with their models"""
        yield from self.multiplied("root")

    def multiplied(self, held):
        yield "platform", "size", "all at full speed", *MULTIPLIED, "chosen", "off by", "rows / auto", "native rows / auto"
        for platform, sizes in MULTIPLIED_SIZES[held].items():
            for size in sizes:
                words = ("--size", size, "--held", held, "--phantom", "--platform", self.figures.platform(platform))
                name = f"{platform}, product of {size}, {held}"
                reports = {way: self.figures.report(name, platform, "matmul", *words, *options)
                           for way, options in MULTIPLIED.items()}
                seconds = {way: report["seconds"] for way, report in reports.items()}
                auto = reports["auto"]
                together = sum(processor["speed_flops"] for processor in auto["processors"])
                yield (platform, size, figure(2 * size ** 3 / together), *map(figure, seconds.values()),
                       auto["compared"][0]["way"], f"{auto['predicted_s'] / auto['seconds'] - 1:+.1%}",
                       f"{seconds['rows'] / auto['seconds']:.2f}", f"{seconds['rows, native'] / auto['seconds']:.2f}")

    def discovery(self):
        """discovery.md: what it finds and costs, simulated"""
        yield "platform", "ranks", "clusters found", "messages", "seconds"
        for platform in ("grid5000", "mpichg2", "ucd16", "icluster2", "uniform64"):
            found = json.loads(self.figures.discovered(platform).read_text())
            origin = found["origin"]
            yield (platform, len(found["processors"]), len(list(clusters_in(found["levels"]))), f"{origin['messages']:,}",
                   figure(origin["seconds"]))

    def planners(self):
        """trusting-models.md: what plans take that are chosen by one model alone, over the least of all"""
        yield "platform", "cells", *ALONE, "by default"
        seconds = []
        for platform, (cells, options) in PLANNED.items():
            models = self.figures.platform(platform, ",".join(ALONE), options=options)
            ways = {model: ("--platform", models, "--model", model) for model in ALONE}
            ways["by default"] = ("--platform", self.figures.discovered(platform, options))
            taken = {way: self.planned(platform, words, cells, options) for way, words in ways.items()}
            best = {cell: min(times[cell] for times in taken.values()) for cell in taken["by default"]}
            loss = {way: [times[cell] / best[cell] for cell in best] for way, times in taken.items()}
            seconds += [(platform, *cell, *(f"{times[cell]:.6g}" for times in taken.values())) for cell in best]
            yield platform, len(best), *(f"{statistics.geometric_mean(each):.2f} ({max(each):.1f})" for each in loss.values())
        self.kept.table("planners", ("platform", "op", "bytes", *ways), seconds)

    def planned(self, platform, words, cells, options):
        """The seconds that the chosen plan of every cell takes, by operation and bytes."""
        times = {}
        for operations, sizes in cells:
            rows = self.figures.bench(f"{platform}, {operations}", platform, operations, "--bytes", sizes, "--impl",
                                      "tombolo", *words, options=options)
            times |= {(row["op"], row["bytes"]): float(row["median_s"]) for row in rows}
        return times

    def real(self, *words):
        """The report of a run on two ranks of this machine, and the most memory that one of its processes took, in GB."""
        report = self.scratch / "report.json"
        command = ["mpiexec.mpich", "-n", "2", ROOT / "build/release/bin/tombolo", *words, "--report", report]
        started = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(started.pid, 0)
        if status:
            raise Refused(f"{' '.join(map(str, words))} ended with {status}")
        return json.loads(report.read_text()), used.ru_maxrss * 1024e-9

    def in_place(self):
        """transpose.md: two buffers and in place, on two ranks of this machine; medians of 5"""
        yield "A, doubles", "", "most taken on a rank", "seconds"
        for rows, columns in ((12000, 12000), (20000, 7001)):
            for way, options in (("two buffers", ()), ("in place", ("--in-place",))):
                runs = [self.real("transpose", "--m", rows, "--n", columns, *options) for _ in range(5)]
                seconds = statistics.median(report["seconds"] for report, _ in runs)
                most = max(memory for _, memory in runs)
                yield f"{rows} x {columns}, {rows * columns * 8e-9:.2f} GB", way, f"{most:.2f} GB", f"{seconds:.2f}"

    def generated(self):
        """rivals.md: twenty generated platforms beside five MPI libraries, as tombolo discover alone finds them"""
        found = ROOT / "rivals/generated"  # what was discovered may be of another commit
        for kept in found.glob("*.json"):
            kept.unlink()
        command = [ROOT / "scripts/rivals", "--generated", "--chosen", "--recorded", ROOT / "docs/figures", "--output", found, "--vectors", "64:4M:x16",
                   "--blocks", "64:256K:x16", "--pairs", "64:64K:x16", "--ops",
                   "barrier,bcast,reduce,allreduce,scatter,gather,allgather,alltoall"]
        if subprocess.run(list(map(str, command)), stdout=subprocess.DEVNULL).returncode:
            raise Refused("scripts/rivals --generated failed")
        yield "platform", "ranks", "cells", "best of five / ours", "mpich / ours", "ours / bound", "slower", "least"
        cells = []
        for file in sorted(found.glob("*.hosts")):
            with file.with_suffix(".csv").open(newline="") as lines:
                rows = list(csv.DictReader(lines))
            cells += rows
            yield file.stem, len(file.read_text().split()), *rivalry(rows)
        yield "all", "", *rivalry(cells)
        self.kept.table("rivals-generated", list(cells[0]), [row.values() for row in cells])

    def rivals(self):
        """rivals.md: planned collectives beside five MPI libraries, of the cells that figures/rivals-PLATFORM.csv has"""
        operations = "barrier bcast reduce allreduce scatterv gatherv allgatherv alltoallv".split()
        yield "platform", "ranks", "cells", "best of five / ours", "mpich / ours", "ours / bound", "slower", "least", *operations, "made"
        with (ROOT / "docs/figures/made.csv").open(newline="") as lines:
            made = {figure: f"{date}, {commit}" for figure, date, commit in csv.reader(lines)}
        for description in sorted((ROOT / "lab/platforms").glob("*.xml")):
            found = ROOT / f"docs/figures/rivals-{description.stem}.csv"
            if not found.exists():
                continue
            with found.open(newline="") as lines:
                rows = list(csv.DictReader(lines))
            ranks = len(description.with_suffix(".hosts").read_text().split())
            ratios = [[float(row["rival_over_ours"]) for row in rows if row["op"] == each] for each in operations]
            yield (description.stem, ranks, *rivalry(rows),
                   *(f"{statistics.geometric_mean(of):.2f}" if of else "-" for of in ratios), made[found.stem])

    def truth(self):
        """trusting-models.md: predictions on emulated grids of real MPI, by what tombolo discover finds in its default budget"""
        yield "grid", "ranks", "cells", "median", "90th percentile", "worst", "MPICH / planned", "slower than MPICH by over 2 %"
        for description in ("grid4x4", "uneven", "metro"):
            with Emulated(description, self.scratch) as grid:
                ranks = grid.slots
                cells = timed(grid, ranks)
            seconds = {who: {cell: float(of[who]["median_s"]) for cell, of in cells.items()} for who in ("native", "tombolo")}
            off = {cell: abs(float(of["tombolo"]["predicted_s"]) / seconds["tombolo"][cell] - 1) for cell, of in cells.items()}
            gain = {cell: seconds["native"][cell] / seconds["tombolo"][cell] for cell in cells}
            deciles = statistics.quantiles(off.values(), n=10)
            worst, least = max(off, key=off.get), min(gain, key=gain.get)
            yield (description, ranks, len(cells), f"{statistics.median(off.values()):.1%}", f"{deciles[-1]:.1%}",
                   f"{off[worst]:.0%}, {worst[0]} of {worst[1]} B",
                   f"{statistics.geometric_mean(gain.values()):.2f}, at least {gain[least]:.2f}",
                   sum(each < 1 / 1.02 for each in gain.values()))

    def bounds(self):
        """algorithms.md: predicted times over lower bounds, of all operations on the described platforms"""
        operations = "barrier bcast reduce allreduce scan exscan scatterv gatherv allgatherv reduce_scatter alltoallv".split()
        largest = {"barrier": 0, "scatterv": 1 << 18, "gatherv": 1 << 18, "allgatherv": 1 << 18, "alltoallv": 1 << 16}
        recorder = ROOT / "build/release/bin/record_plans"
        yield "platform", "cells", "all", *operations
        for description in sorted((ROOT / "lab/platforms").glob("*.xml")):
            wanted = [(operation, size) for operation in operations for size in (0, *(64 << 4 * k for k in range(5)))
                      if (size == 0) == (operation == "barrier") and size <= largest.get(operation, 1 << 22)]
            lines = "".join(f"{operation} {size} 0 equal\n" for operation, size in wanted)
            done = subprocess.run((recorder, description, description.with_suffix(".hosts")), input=lines,
                                  capture_output=True, text=True)
            if done.returncode != 0:
                raise Refused(done.stderr.strip())
            ratios = [(row[0], int(row[5]) / int(row[6])) for row in csv.reader(done.stdout.splitlines())]

            def mean(operation):
                return f"{statistics.geometric_mean(ratio for each, ratio in ratios if operation in ('', each)):.2f}"

            yield description.stem, len(ratios), mean(""), *map(mean, operations)

    def even(self):
        """algorithms.md: chosen plans of even networks over the optimum in Hockney's model"""
        yield "operation", "cells", "mean", "worst", "the worst: network, ranks, bytes, plan", "over 10 %"
        lines = []
        for operation in ("barrier", "bcast", "reduce", "allreduce"):
            done = subprocess.run((ROOT / "build/release/bin/even_plans", operation), capture_output=True, text=True)
            if done.returncode:
                raise Refused(done.stderr.strip() or f"even_plans {operation} ended with {done.returncode}")
            lines += done.stdout.splitlines()[len(lines) > 0:]
        cells = {}
        for row in csv.DictReader(lines):
            cells.setdefault(row["operation"], []).append((int(row["predicted_ps"]) / int(row["optimum_ps"]), row))
        for operation, of in cells.items():
            ratios = [ratio for ratio, _ in of]
            most, worst = max(of, key=lambda cell: cell[0])
            where = "" if most < 1.0005 else f"{worst['network']}, {worst['ranks']}, {worst['bytes']}, {worst['plan']}"
            yield (operation, len(of), f"{statistics.fmean(ratios):.3f}", f"{most:.3f}", where,
                   sum(ratio > 1.1 for ratio in ratios))


PREDICTED = ("bounds", "even")
SIMULATED = ("relabelling", "shares", "large", "products", "distributed", "held_at_root", "discovery", "planners", "generated", "rivals")
METHODS = (*PREDICTED, *SIMULATED, "in_place", "truth")
REAL = ("in_place", "truth", "symbols", "pdgemm")
TABLES = {name: getattr(Tables, name) for name in METHODS} | {make.__name__: make for make in (*PAPERS, pdgemm, predictions, programs, symbols, unmodified)}


def page_of(name):
    """The page of the documentation, and what the table shows."""
    page, _, shows = TABLES[name].__doc__.partition(": ")
    return page, shows
