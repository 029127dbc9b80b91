"""Where figures go, how they are drawn, and what simulations they are of."""

import csv
import json
import statistics
import subprocess
import sys
from collections import Counter, defaultdict

import simulations
from figures.made import record

COLOURS = ["#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#d4880f"]
COLOURS += ["#555555", "#e377c2", "#17a2b8", "#7f6000", "#000000"]


def without_models(platform):
    """A platform as if discovery had estimated no model, for those that are to be alone."""
    return platform | {"models": {}}


class Figures:
    """Where figures go, and what was found on the way."""

    def __init__(self, output, scratch, sock=None):
        self.output = output
        self.scratch = scratch
        self.sock = sock  # where an MPICH of device ch3:sock is installed
        self.errors = []
        self.platforms = {}

    def survey(self, name, platform, models, operations, sizes, hosts=None, ranks=None, plots=None):
        """The rows that tombolo models says, and the parameters of the models."""
        written = self.scratch / f"{name}.json"
        options = []
        if hosts:
            (self.scratch / f"{name}.hosts").write_text("\n".join(hosts) + "\n")
            options += ["--hosts", self.scratch / f"{name}.hosts"]
        if ranks:
            options += ["-n", ranks]
        words = ["models", "--models", models, "--ops", operations, "--bytes", sizes, "--format", "csv", "-o", written]
        if plots:
            words += ["--plots", plots]
        said = self.simulate(name, platform, *words, options=options)
        return simulations.rows(said), json.loads(written.read_text())["models"]

    def simulate(self, name, platform, *words, options=()):
        """What tombolo says on a simulated platform, with these options of scripts/simulate."""
        print(f"simulating {name}", file=sys.stderr)
        return simulations.simulate(platform, *words, options=options)

    def bench(self, name, platform, operation, *words, **how):
        """The rows that tombolo bench says: of each case one time, after one that warms up."""
        words = ("bench", operation, "--least", 1, "--most", 1, "--format", "csv", *words)
        return simulations.rows(self.simulate(name, platform, *words, **how))

    def report(self, name, platform, *words, selector="mpich"):
        """The report of a run of an application, as JSON has it."""
        report = self.scratch / "report.json"
        self.simulate(name, platform, *words, "--report", report, options=("--selector", selector))
        return json.loads(report.read_text())

    def platform(self, platform, models="multiport", change=None, options=()):
        """The file of a platform with estimates of these models, once in a run; as discovered, or changed."""
        key = platform, models, change, options
        if key not in self.platforms:
            print(f"discovering {platform}, estimating {models}", file=sys.stderr)
            self.platforms[key] = simulations.with_models(platform, models, self.new_platform(), change, options)
        return self.platforms[key]

    def discovered(self, platform, options=()):
        """The file of a platform as it is discovered, once in a run."""
        key = platform, options
        if key not in self.platforms:
            self.platforms[key] = self.new_platform()
            self.simulate(f"discovery of {platform}", platform, "discover", "-o", self.platforms[key], options=options)
        return self.platforms[key]

    def described(self, grid):
        """The description of an emulated grid as one of SimGrid's, with its host file beside it."""
        file = self.scratch / f"{grid}.xml"
        subprocess.run([simulations.ROOT / "scripts/grid", "platform", grid, "-o", file], check=True)
        return file

    def new_platform(self):
        return self.scratch / f"platform-{len(self.platforms)}.json"

    def table(self, name, header, lines):
        """NAME.csv with these lines, noted in made.csv."""
        with (self.output / f"{name}.csv").open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([header, *lines])
        record(self.output, name)

    def draw(self, name, title, curves, key="left top"):
        """Curves are (label, {bytes: seconds}); those measured beside predictions are points, others lines."""
        found = [[label, size, f"{y:.6g}"] for label, curve in curves for size, y in sorted(curve.items())]
        self.table(name, ["curve", "bytes", "seconds"], found)
        self.plot(name, title, curves, "set logscale x\nset xlabel 'bytes'\nset format x '10^{%T}'\n", key)

    def plot(self, name, title, curves, axis, key="left top"):
        """The picture alone; `axis` is what gnuplot is to know of the horizontal one."""
        script = axis
        plots = []
        colours = {}
        lines = Counter()
        for number, (label, points) in enumerate(curves):
            data = "".join(f"{size} {seconds:.6g}\n" for size, seconds in sorted(points.items()))
            script += f"$c{number} << end\n{data}end\n"
            of_what = label.split(",")[0]
            colour = colours.setdefault(of_what, COLOURS[len(colours) % len(COLOURS)])
            style = "with points pt 7 ps 0.6"
            if "measured" not in label:
                lines[of_what] += 1
                style = f"with lines lw 1.5 dt {lines[of_what]}"
            plots.append(f"$c{number} {style} lc rgb '{colour}' title '{label}'")
        self.gnuplot(name, title, script + f"set key {key}\nplot " + ", ".join(plots) + "\n")

    def bars(self, name, title, labels, lines):
        """For each line (case, seconds, ...) its seconds side by side; no CSV."""
        script = "$d << end\n" + "".join(f'"{case}" {" ".join(times)}\n' for case, *times in lines) + "end\n"
        script += "set style data histograms\nset style fill solid\nset xtics rotate by -45\nset key above\nset rmargin 8\n"
        plots = [
            f"$d using {column}:xtic(1) lc rgb '{COLOURS[column - 2]}' title '{label}'"
            for column, label in enumerate(labels, 2)
        ]
        self.gnuplot(name, title, script + "plot " + ", ".join(plots) + "\n")

    def gnuplot(self, name, title, script):
        common = "set terminal svg size 640,420 enhanced background rgb 'white' font 'sans-serif,12'\n"
        common += f"set output '{self.output / name}.svg'\nset title '{title}'\n"
        common += "set logscale y\nset grid\nset ylabel 'seconds'\nset format y '10^{%T}'\n"
        subprocess.run(["gnuplot"], input=common + script, text=True, check=True)

    def compare(self, figure, curve, model, pairs):
        errors = [abs(predicted / measured - 1) for predicted, measured in pairs]
        median, worst = statistics.median(errors), max(errors)
        self.errors.append([figure, curve, model, len(errors), f"{median:.3f}", f"{worst:.3f}"])

    def predicted_and_measured(self, figure, title, rows, algorithms, models):
        """Of each algorithm, the points and a line per model; rows are of one operation, place and number of ranks."""
        curves = []
        for algorithm, segmented, label in algorithms:
            of_it = [row for row in rows if row["algorithm"] == algorithm and (row["segment"] != "0") == segmented]
            by_model = defaultdict(dict)
            measured = {}
            for row in of_it:
                measured[int(row["bytes"])] = float(row["measured_s"])
                by_model[row["model"]][int(row["bytes"])] = float(row["predicted_s"])
            curves.append((f"{label}, measured" if len(models) == 1 else "measured", measured))
            for model in models:
                points = by_model[model]
                curves.append((f"{label}, {model}" if len(models) == 1 else model, points))
                self.compare(figure, label, model, [(points[size], measured[size]) for size in points])
        self.draw(figure, title, curves)
        return curves
