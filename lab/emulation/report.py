"""What `scripts/grid status` and `check` say."""

import json
import time

from emulation import measured, shapers
from emulation.addresses import address
from emulation.up import say


def facts(grid):
    """All of it, as JSON has it."""
    described, processes = grid.description, grid.processes_by_host()
    shaper = shapers.of(grid)
    passed = shaper.statistics().get("links", []) if shaper.running() else []
    statistics = {(each["from"], each["to"]): each for each in passed}
    links = []
    for (i, j), link in sorted(grid.links().items()):
        seen = {key: value for key, value in statistics.get((i, j), {}).items() if key not in ("from", "to")}
        links.append({"from": described.sites[i].name, "to": described.sites[j].name, **vars(link), **seen})
    hosts = [{"name": host.name, "site": described.sites[host.site].name, "address": address(host),
              "cpu": grid.share(host), "processes": host.processes, "running": len(processes[host.name])}
             for host in described.hosts]
    kept = {key: grid.kept[key] for key in ("name", "description", "path", "since", "shaper")}
    return {**kept, "shaper_runs": shaper.running(), "hosts": hosts, "links": links}


def as_json(grid):
    return json.dumps(facts(grid), indent=1)


def table(header, rows):
    cells = [header, *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in cells]


def as_text(grid):
    said = facts(grid)
    since = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(said["since"]))
    lines = [f"{said['name']}: {said['description']} ({said['path']}), up since {since}, links by {said['shaper']}", ""]
    if not said["shaper_runs"]:
        lines.insert(1, f"The {said['shaper']} has ended, so nothing passes between sites: take the grid down.")
    rows = [[host["name"], host["site"], host["address"], "-" if host["cpu"] is None else f"{host['cpu']:g}",
             host["processes"], host["running"]] for host in said["hosts"]]
    lines += table(["host", "site", "address", "cpu", "processes", "running"], rows)
    rows = [[link["from"], link["to"], f"{link['delay_ms']:g} ms", rate(link["rate_mbit"]), f"{link['queue_ms']:g} ms",
             link.get("frames", "-"), link.get("dropped", "-"), late(link, "late_us_mean"), late(link, "late_us_most")]
            for link in said["links"]]
    header = ["from", "to", "delay", "rate", "queue", "frames", "dropped", "late on average", "at most"]
    if rows:
        lines += ["", *table(header, rows)]
    return "\n".join(lines)


def rate(mbit):
    return f"{mbit:g} Mbit/s" if mbit else "no limit"


def late(link, key):
    return f"{link[key]:.0f} us" if key in link else "-"


def link_in_words(grid, pair, link):
    ends = " to ".join(grid.description.sites[site].name for site in pair)
    return f"{ends}: {link.delay_ms:g} ms, {rate(link.rate_mbit)}, queue {link.queue_ms:g} ms"


def print_check(grid):
    """Measures, prints what was described beside it, and returns whether all of it is near."""
    rows = measured.compare(grid)
    shown = [[row.what, f"{row.described:.4g}", f"{row.measured:.4g}", row.unit, "" if row.ok else "off"]
             for row in rows]
    print("\n".join(table(["measured over the grid", "described", "measured", "unit", ""], shown)))
    off = [row.what for row in rows if not row.ok]
    if off:
        say(f"warning: {', '.join(off[:4])}{' and others' if len(off) > 4 else ''}: not as described; is this machine "
            "busy, or the description too fast for it?")
    return not off
