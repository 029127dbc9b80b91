"""Tables of docs/papers.md: what five papers measured, by the present code on simulated platforms."""

import re
import statistics
import subprocess
from collections import defaultdict

import simulations
from figures.choices import chosen
from figures.figures import without_models
from figures.schedules import SCHEDULES
from places import ROOT

NATIVE = ("mpich", "ompi")  # selections of native collectives
PRODUCTS = {  # the paper's seconds by size: native collectives, optimised ones
    1000: (0.80, 0.65),
    2000: (5.51, 5.02),
    3000: (16.61, 11.05),
    4000: (74.29, 64.79),
    5000: (221.00, 188.72),
    6000: (494.24, 394.65),
}
GRIDS = ("grid4x4", "grid4x8", "grid4x22")  # descriptions of 16, 32 and 88 hosts at four sites
FIT = ROOT / "build/release/bin/fit_contention"
LARGE = 64 << 10  # bytes of a block from which on it counts as large


def lmo_products(tables):
    """papers.md: products of square matrices on ucd16, seconds; native, planned by LMO alone, and by default"""
    yield ("size", "paper, native / optimised", *(f"native, {name}" for name in NATIVE), "by LMO", "by default", "by LMO, best shares",
           "by default, best shares", "native / LMO", "native / default", "native / best")
    figures = tables.figures
    planners = figures.platform("ucd16", "lmo", without_models), figures.platform("ucd16")

    def seconds(size, platform, *words, selector="mpich"):
        words = ("matmul", "--size", size, "--algorithm", "rows", "--phantom", "--platform", platform, *words)
        return figures.report(f"ucd16, product of {size}", "ucd16", *words, selector=selector)["seconds"]

    for size, (paper_native, paper_planned) in PRODUCTS.items():
        native = [seconds(size, planners[1], "--shares", "speed", "--collectives", "native", selector=of) for of in NATIVE]
        by_speed = [seconds(size, platform, "--shares", "speed", "--panels", 1) for platform in planners]
        best = [seconds(size, platform) for platform in planners]
        ratios = [min(native) / time for time in (*by_speed, best[1])]
        yield (size, f"{paper_native:.2f} / {paper_planned:.2f} = {paper_native / paper_planned:.2f}",
               *(f"{time:.3g}" for time in (*native, *by_speed, *best)), *(f"{ratio:.2f}" for ratio in ratios))


def lmo_linear(tables):
    """papers.md: flat scatters and gathers, predicted over measured, without LMO's thresholds and with them"""
    yield "platform, cluster", "model", "scatters, small", "large", "gathers, small", "large"
    figures = tables.figures
    models = ("lmo", "lmo-extended")
    for platform, cluster in (("ucd16", "t"), ("grid5000", "c1"), ("grid5000", "c23"), ("uniform64", "")):
        every = (ROOT / f"lab/platforms/{platform}.hosts").read_text().split()
        hosts = figures.scratch / f"{platform}-{cluster}.hosts"
        hosts.write_text("\n".join(host for host in every if host.startswith(f"{cluster}-") or platform != "grid5000") + "\n")
        ratios = defaultdict(list)
        for thresholds in ((), ("--no-thresholds",)):
            words = ("models", "--models", ",".join(models), "--ops", "scatterv,gatherv", "--bytes", "1K:256K:x4", *thresholds)
            said = figures.simulate(f"{platform} {cluster}, scatters and gathers", platform, *words, "--format", "csv", "-o",
                                    figures.new_platform(), options=("--hosts", hosts))
            for row in simulations.rows(said):
                if row["algorithm"] == "flat" and row["segment"] == "0":
                    key = row["model"], row["op"], int(row["bytes"]) >= LARGE, bool(thresholds)
                    ratios[key].append(float(row["predicted_s"]) / float(row["measured_s"]))
        for model in models:
            yield (f"{platform}{cluster and ', '}{cluster} ({len(hosts.read_text().split())})", f"`{model}`",
                   *(", ".join(f"{statistics.median(ratios[model, operation, large, without]):.2f}" for without in (True, False))
                     for operation in ("scatterv", "gatherv") for large in (False, True)))


def poly_choices(tables):
    """papers.md: broadcasts inside the clusters of grid5000, by the poly-model of LogP, LogGP and pLogP"""
    yield "bytes", "cluster", "paper", "of its algorithms", "of all"
    for size, cluster, model, algorithm, any_model, any_algorithm, paper_model, paper_algorithm in chosen(tables.figures):
        yield (size, cluster, f"{paper_algorithm}, {paper_model}" if paper_model else paper_algorithm,
               f"{algorithm}, {model}", f"{any_algorithm}, {any_model}" if any_model else "")


def grid_broadcast(tables):
    """papers.md: broadcasts over four sites, milliseconds; the schedules with whole vectors, and in segments"""
    sizes = (1 << 10, 16 << 10, 256 << 10, 4 << 20)
    yield "ranks", "", "1 KiB", "16 KiB", "256 KiB", "4 MiB"
    figures = tables.figures
    cells = []
    for description in GRIDS:
        simulated = figures.described(description)
        ranks = len(simulated.with_suffix(".hosts").read_text().split())
        common = ("bcast", "--bytes", "1K:4M:x16", "--platform", figures.platform(simulated))

        def curve(label, *words):
            rows = figures.bench(f"{description}, {label}", simulated, *common, *words)
            times = {int(row["bytes"]): float(row["median_s"]) for row in rows}
            cells.extend((description, ranks, label, size, f"{times[size]:.6g}") for size in sizes)
            return times

        def line(label, times):
            return ranks, label, *(f"{times[size] * 1e3:.3g}" for size in sizes)

        yield line("MPICH", curve("MPICH", "--impl", "native"))
        yield line("binomial", curve("binomial", "--impl", "tombolo", "--algorithm", "binomial", "--segment", 0))
        for how, options in (("whole", ("--segment", 0)), ("in segments", ())):
            of_it = {label: curve(f"{label}, {how}", "--impl", "tombolo", "--algorithm", "mapped", "--schedule", name, *options)
                     for name, label in SCHEDULES.items()}
            for label in ("Flat", "ECEF"):
                yield line(f"{label}, {how}", of_it[label])
            yield line(f"best schedule, {how}", {size: min(times[size] for times in of_it.values()) for size in sizes})
        yield line("Tombolo", curve("Tombolo", "--impl", "tombolo"))
    tables.kept.table("grid-broadcast", ("grid", "ranks", "curve", "bytes", "seconds"), cells)


SATURATES = 2 << 10  # bytes of a block from which on exchanges are counted apart
FITTED = ("24", "40", "80", "24,40,80")  # numbers of ranks that signatures are fitted to
NETWORKS = {"Fast Ethernet": 1, "Gigabit Ethernet": 10}  # icluster2, all its rates times this


def faster(times, folder):
    """icluster2 with rates that many times as high, its host file beside it."""
    description = (ROOT / "lab/platforms/icluster2.xml").read_text()
    file = folder / f"icluster2-{times}.xml"
    file.write_text(re.sub(r'(bw|bandwidth)="([\d.]+)MBps"', lambda rate: f'{rate[1]}="{float(rate[2]) * times}MBps"', description))
    file.with_suffix(".hosts").write_text((ROOT / "lab/platforms/icluster2.hosts").read_text())
    return file


def exchange_signature(tables):
    """papers.md: direct total exchanges among the first ranks of icluster2; the worst error from 2 KiB on, and at 512 B"""
    ranks = (10, 24, 40, 60, 80, 100)
    yield "network", "fitted at", "by", *(f"n = {number}" for number in ranks)
    figures = tables.figures
    cells = []
    for network, times in NETWORKS.items():
        platform = faster(times, figures.scratch)
        samples = []
        for number in ranks:
            words = ("--bytes", "512:32K:x4", "--impl", "tombolo", "--algorithm", "direct", "--segment", 0, "--window", 0)
            rows = figures.bench(f"{number} ranks, {network}", platform, "alltoall", *words, options=("-n", number))
            samples += [f"{number} {row['bytes']} {row['median_s']}" for row in rows]
        command = [FIT, figures.discovered(platform), *FITTED]
        said = subprocess.run(command, input="\n".join(samples), text=True, capture_output=True, check=True).stdout
        worst = defaultdict(float)
        for line in map(str.split, said.splitlines()):
            cells.append((network, *line))
            fitted, number, size, measured, *predicted = line
            for way, time in zip(("signature", "links"), map(float, predicted)):
                key = fitted, way, int(number), int(size) < SATURATES
                worst[key] = max(worst[key], abs(time / float(measured) - 1))
        for fitted in FITTED:
            for way, by in (("signature", "the signature"), ("links", "a term for each kind of link")):
                if way == "links" or "," not in fitted:  # a signature is of one number
                    errors = ((worst[fitted, way, number, small] for small in (False, True)) for number in ranks)
                    yield network, fitted.replace(",", ", "), by, *("{:.1%} ({:.1%})".format(*both) for both in errors)
    tables.kept.table("exchange-signature", ("network", "fitted", "ranks", "bytes", "seconds", "signature_s", "links_s"), cells)


PAPERS = (lmo_products, lmo_linear, poly_choices, grid_broadcast, exchange_signature)
