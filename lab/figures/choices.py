"""What is believed and chosen in each cluster of a grid: table 4 of the adaptive framework (Steffenel et al.)."""

import json

from figures.figures import without_models
from figures.schedules import SCHEDULES

MODELS = "logp,loggp,plogp"
# The paper's algorithms, and ours: names and whether vectors are cut.
ALGORITHMS = {
    "flat": ("flat", False),
    "pipeline": ("chain", True),
    "binary": ("binary", False),
    "binomial": ("binomial", False),
}
# By bytes and cluster; its C2 is three clusters of like latencies here.
PAPER = {
    8 << 10: dict.fromkeys(("C1", "C2", "C3", "C4"), ("LogP", "binomial")),
    512 << 10: {"C1": ("LogGP", "pipeline"), **dict.fromkeys(("C2", "C3", "C4"), ("pLogP", "pipeline"))},
}
CLUSTERS = {"c1": "C1", "c21": "C2", "c23": "C2", "c3": "C3", "c4": "C4"}  # c22 is one host


def best_of_paper(found, cluster, size):
    """The algorithm of the paper's that is predicted to be the fastest, and the model that is believed of it."""
    of_it = [row for row in found["judged"] if (row["cluster"], row["bytes"]) == (cluster, size)]
    named = []
    for name, (algorithm, segmented) in ALGORITHMS.items():
        for row in of_it:
            if row["algorithm"] == algorithm and (row["segment"] > 0) == segmented:
                named.append((row["predicted_s"]["poly"], name, row["predicted_s"]))
    least, name, predicted = min(named, key=lambda entry: entry[0])
    return next(model for model in MODELS.split(",") if predicted[model] == least), name


def between(figures, size):
    """The schedule that is predicted to be the fastest, with whole vectors."""

    def predicted(schedule):
        words = ("plan", "bcast", "--bytes", size, "--platform", figures.platform("grid5000"), "--format", "json")
        words += ("--algorithm", "mapped", "--schedule", schedule)
        said = figures.simulate(f"grid5000, plan of {schedule}", "grid5000", *words, options=("-n", 1))
        return json.loads(said)["predicted_s"]

    return min(SCHEDULES, key=predicted)


def chosen(figures):
    """(bytes, cluster, model, algorithm of the paper's; model, algorithm of all; model, algorithm in the paper)."""
    said = figures.simulate(
        "grid5000, poly-model",
        "grid5000",
        *("models", "--platform", figures.platform("grid5000", MODELS, without_models), "--models", MODELS),
        *("--ops", "bcast", "--bytes", "8K:512K:x8", "--no-thresholds", "--format", "json"),
    )
    found = json.loads(said)
    for size, paper in PAPER.items():
        for cluster, of_paper in CLUSTERS.items():
            (choice,) = [c for c in found["choices"] if (c["cluster"], c["bytes"]) == (cluster, size)]
            best = best_of_paper(found, cluster, size)
            yield size, cluster, *best, choice["model"], choice["algorithm"], *paper[of_paper]
        yield size, "between clusters", "multiport", SCHEDULES[between(figures, size)], "", "", "", "ECEF"
