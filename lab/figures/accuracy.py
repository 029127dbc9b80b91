"""How right models are: collectives and single messages, predicted and measured."""

from collections import defaultdict

from simulations import ROOT

# A host of each type, but for the one whose latency is four times the others'.
UCD_HOSTS = ["t1-0", "t2-0", "t3-0", "t5-0", "t6-0", "t7-0"]


def judged(rows, operation, ranks):
    return [r for r in rows if r["use"] == "judge" and r["op"] == operation and int(r["ranks"]) == ranks]


def at(nodes, size):
    """A curve of pLogP, linear between its nodes."""
    before, after = nodes[-2], nodes[-1]
    for low, high in zip(nodes, nodes[1:]):
        if size <= high[0]:
            before, after = low, high
            break
    return (before[1] + (after[1] - before[1]) * (size - before[0]) / (after[0] - before[0])) / 1e12


def exchange(figures, name, rows, plogp, ranks):
    """Table 3's bounds, from the class of pairs that is slowest, and the factor that fits best between them.

    The direct exchange is Tombolo's, in rotated order; the one in the order of ranks is Tombolo's linear."""
    slowest = max(plogp["parameters"]["classes"], key=lambda entry: entry["gap"][-1][1])

    def times(algorithm, column):
        of_it = [r for r in judged(rows, "alltoallv", ranks) if r["algorithm"] == algorithm and r["model"] == "plogp"]
        return {int(r["bytes"]): float(r[column]) for r in of_it}

    measured = times("direct", "measured_s")
    lower, upper = {}, {}
    for size in measured:
        receives = (ranks - 1) * at(slowest["receive_overhead"], size) + slowest["latency"] / 1e12
        lower[size] = (ranks - 1) * at(slowest["send_overhead"], size) + receives
        upper[size] = (ranks - 1) * at(slowest["gap"], size) + receives
    # Least squares of times, in which large blocks count, as on the linear axes of the paper.
    a = [upper[s] - lower[s] for s in measured]
    b = [measured[s] - lower[s] for s in measured]
    factor = sum(x * y for x, y in zip(a, b)) / sum(x * x for x in a)
    between = {s: lower[s] + (upper[s] - lower[s]) * factor for s in measured}
    predicted = times("direct", "predicted_s")
    unrotated, unrotated_predicted = times("linear", "measured_s"), times("linear", "predicted_s")
    figures.compare(name, "direct", "plogp", [(predicted[s], measured[s]) for s in measured])
    figures.compare(name, "linear", "plogp", [(unrotated_predicted[s], unrotated[s]) for s in unrotated])
    figures.compare(name, "direct", f"bounds, factor {factor:.2f}", [(between[s], measured[s]) for s in measured])
    figures.draw(
        name,
        f"Total exchange, {ranks} ranks of icluster2",
        [
            ("direct (rotated), measured", measured),
            ("linear (not rotated), measured", unrotated),
            ("pairwise, measured", times("pairwise", "measured_s")),
            ("lower bound", lower),
            ("upper bound", upper),
            (f"between them, factor {factor:.2f}", between),
            ("direct (rotated), predicted step by step", predicted),
            ("linear (not rotated), predicted step by step", unrotated_predicted),
        ],
    )


def intra(figures, ranks):
    name = f"intra-{ranks}"
    rows, models = figures.survey(name, "icluster2", "plogp", "bcast,scatterv,alltoallv", "64:1M:x2", ranks=ranks)
    where = f"{ranks} ranks of icluster2"
    figures.predicted_and_measured(
        f"{name}-bcast",
        f"Broadcast, {where}",
        judged(rows, "bcast", ranks),
        [("flat", False, "flat"), ("binomial", False, "binomial"), ("chain", True, "segmented chain")],
        ["plogp"],
    )
    figures.predicted_and_measured(
        f"{name}-scatter",
        f"Scatter, {where}",
        judged(rows, "scatterv", ranks),
        [("flat", False, "flat"), ("binomial", False, "binomial")],
        ["plogp"],
    )
    exchange(figures, f"{name}-alltoall", rows, models["plogp"], ranks)


def points(figures):
    """Six ranks: the samples that models are fitted to are then of two, so a flat broadcast is one message."""
    models = "logp,loggp,plogp,lmo"
    for name, platform, hosts in (("ucd16", "ucd16", UCD_HOSTS), ("uniform64", "uniform64", None)):
        rows, _ = figures.survey(
            f"points-{name}", platform, models, "bcast", "32:4M:x2", hosts=hosts, ranks=None if hosts else 6
        )
        messages = [r for r in rows if r["use"] == "fit" and int(r["ranks"]) == 2]
        flat = [("flat", False, "a message")]
        if name == "ucd16":
            figures.predicted_and_measured(
                "point-to-point-ucd16", "One message in ucd16", messages, flat, ["loggp", "plogp", "lmo"]
            )
        figures.predicted_and_measured(
            f"logp-family-{name}", f"One message in {name}", messages, flat, ["logp", "loggp", "plogp"]
        )


def cluster(figures):
    """The largest cluster of grid5000, alone."""
    hosts = [host for host in (ROOT / "lab/platforms/grid5000.hosts").read_text().split() if host.startswith("c1-")]
    pictures = figures.scratch / "pictures"
    rows, _ = figures.survey(
        "cluster", "grid5000", "logp,loggp,plogp", "bcast", "64:4M:x4", hosts=hosts, plots=pictures
    )
    drawn = sorted(pictures.glob("*-bcast.svg"))[0]
    (figures.output / "grid5000-cluster-bcast.svg").write_text(drawn.read_text())
    kept = judged(rows, "bcast", len(hosts))
    figures.table("grid5000-cluster-bcast", kept[0].keys(), [row.values() for row in kept])
    panels = defaultdict(list)
    for row in kept:
        segments = " in segments" if row["segment"] != "0" else ""
        panels[row["algorithm"] + segments, row["model"]].append((float(row["predicted_s"]), float(row["measured_s"])))
    for (panel, model), pairs in panels.items():
        figures.compare("grid5000-cluster-bcast", panel, model, pairs)
