"""Broadcasts with every root in turn: figure 8 of Karonis et al. (2000)."""

SIZES = "1K:1M:x4"


def clusters_of(level):
    """The logical clusters at or below a level."""
    below = [cluster for child in level["children"] for cluster in clusters_of(child)]
    return [level] if level["kind"] == "cluster" else below


def by_machine(platform):
    """The platform as if nothing were known of sites: MagPIe-machine."""
    platform["levels"]["children"] = clusters_of(platform["levels"])
    return platform


def by_site(platform):
    """The platform as if nothing were known of machines, each site one cluster: MagPIe-site."""
    site_of = {}
    for site in platform["levels"]["children"]:
        clusters = clusters_of(site)
        site_of |= {cluster["name"]: site["name"] for cluster in clusters}
        site["kind"] = "cluster"
        site["children"] = [host for cluster in clusters for host in cluster["children"]]
    links = {}
    for link in platform["links"]:
        between = tuple(sorted(site_of[name] for name in link["between"]))
        if between[0] != between[1]:
            links.setdefault(between, link | {"between": between})
    platform["links"] = list(links.values())
    return platform


# What the paper's trees know of the platform.
KNOWN = {"two levels, machines": by_machine, "two levels, sites": by_site, "multilevel": None}


def timed(figures, label, *words):
    common = ("bcast", "--root", "turns", "--bytes", SIZES, "--impl", "tombolo")
    rows = figures.bench(f"mpichg2, {label}", "mpichg2", *common, *words)
    return label, {int(row["bytes"]): float(row["median_s"]) for row in rows}


def every_root(figures):
    found = figures.platform("mpichg2")
    curves = [timed(figures, "binomial", "--algorithm", "binomial", "--segment", 0, "--platform", found)]
    for label, change in KNOWN.items():
        mapped = ("--algorithm", "mapped", "--schedule", "flat over binomial", "--segment", 0)
        curves.append(timed(figures, label, *mapped, "--platform", figures.platform("mpichg2", change=change)))
    curves.append(timed(figures, "Tombolo", "--platform", found))
    figures.draw("mpichg2-every-root", "Broadcasts with each of 48 roots of mpichg2", curves)
