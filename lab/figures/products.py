"""Products of matrices on unequal hosts, native and planned: table 4 of Lastovetsky, Rychkov and O'Flynn (2009)."""

# The paper's seconds by size: native collectives, optimised ones.
PAPER = {
    1000: (0.80, 0.65),
    2000: (5.51, 5.02),
    3000: (16.61, 11.05),
    4000: (74.29, 64.79),
    5000: (221.00, 188.72),
    6000: (494.24, 394.65),
}
NATIVE = ("mpich", "ompi")


def product(figures, size, what, *words, selector="mpich"):
    words = ("matmul", "--size", size, "--phantom", "--platform", figures.platform("ucd16"), *words)
    return figures.report(f"ucd16, product of {size}, {what}", "ucd16", *words, selector=selector)["seconds"]


def products(figures):
    header = ["size", *(f"{selector}_s" for selector in NATIVE), "planned_s"]
    header += [*(f"{selector}_over_planned" for selector in NATIVE), "paper_native_s", "paper_planned_s", "paper_ratio"]
    lines = []
    curves = {of: {} for of in (*NATIVE, "planned")}
    for size, paper in PAPER.items():
        native = [product(figures, size, of, "--collectives", "native", selector=of) for of in NATIVE]
        planned = product(figures, size, "planned")
        for curve, time in zip(curves.values(), (*native, planned)):
            curve[size] = time
        seconds = [f"{s:.6g}" for s in (*native, planned)]
        lines.append([size, *seconds, *(f"{s / planned:.3f}" for s in native), *paper, f"{paper[0] / paper[1]:.3f}"])
    figures.table("products-ucd16", header, lines)
    title = "Products of square matrices, 16 ranks of ucd16"
    figures.plot("products-ucd16", title, curves.items(), "set xlabel 'size'\n")
