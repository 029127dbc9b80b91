"""What it is worth which processor takes which place of a tree: figure 2 of Lastovetsky, Rychkov and O'Flynn (2009)."""

SIZES = "1K:1M:x2"
# The heterogeneous Hockney model, as in the paper, and one in which messages share ports.
MODELS = ("hockney-pairs", "multiport")
MAPPINGS = {"good": "good mapping", "pessimal": "pessimal mapping", "ranks": "order of ranks"}


def mapping(figures):
    file = figures.platform("ucd16", ",".join(MODELS))
    for operation in ("scatter", "gather"):
        name = f"mapping-ucd16-{operation}"
        curves = []
        for which, label in MAPPINGS.items():
            for model in MODELS:
                rows = figures.bench(
                    f"{name}, {which} by {model}",
                    "ucd16",
                    *(operation, "--algorithm", "binomial", "--segment", 0, "--window", 0, "--mapping", which),
                    *("--impl", "tombolo", "--bytes", SIZES, "--platform", file, "--model", model),
                )
                measured = {int(row["bytes"]): float(row["median_s"]) for row in rows}
                predicted = {int(row["bytes"]): float(row["predicted_s"]) for row in rows}
                if model == MODELS[0]:  # the mapping that is timed is the paper's
                    curves.append((f"{label}, measured", measured))
                curves.append((f"{label}, {model}", predicted))
                figures.compare(name, label, model, [(predicted[size], measured[size]) for size in measured])
        figures.draw(name, f"Binomial {operation}, 16 ranks of ucd16", curves, key="right bottom")
