"""Hosts with small TCP buffers, of which a single stream cannot fill a long link."""

import subprocess
import sys

import simulations

PLATFORMS = ("grid5000", "mpichg2")
BUFFERS = "network/TCP-gamma:262144"
COLUMNS = ["platform", "op", "bytes", "best_rival", "rival_s", "ours_s", "rival_over_ours", "algorithm"]


def small_buffers(figures):
    print(f"simulating {', '.join(PLATFORMS)} with {BUFFERS}", file=sys.stderr)
    sizes = "256K:4M:x16"
    words = ["--ops", "bcast,scatter,gather", "--vectors", sizes, "--blocks", sizes, "--chosen", "--cfg", BUFFERS]
    words += ["--jobs", "1", "--output", figures.scratch / "small-buffers"]
    command = [simulations.ROOT / "scripts/rivals", *PLATFORMS, *words]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode != 0:
        raise simulations.Refused(done.stderr.strip())
    lines = []
    for platform in PLATFORMS:
        for row in simulations.rows((figures.scratch / "small-buffers" / f"{platform}.csv").read_text()):
            for times in ("rival_s", "ours_s"):
                row[times] = f"{float(row[times]):.6g}"
            row["rival_over_ours"] = f"{float(row['rival_over_ours']):.3f}"
            lines.append([row[column] for column in COLUMNS])
    figures.table("small-buffers", COLUMNS, lines)
    cases = [(f"{line[0]} {line[1]} {int(line[2]) >> 10}K", line[4], line[5]) for line in lines]
    figures.bars("small-buffers", "Hosts with small TCP buffers", ["best of five", "Tombolo"], cases)
