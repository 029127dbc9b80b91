"""When and at which commit figures are made."""

import csv
import datetime
import subprocess

from places import ROOT


def when():
    """The date, and the commit: "with changes" where files differ from it."""
    def git(*words):
        return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True, check=True).stdout.strip()

    changed = " with changes" if git("status", "--porcelain", "--untracked-files=no") else ""
    return str(datetime.date.today()), git("rev-parse", "--short", "HEAD") + changed


def record(folder, name):
    """Notes in made.csv of a folder when NAME.csv was made."""
    file = folder / "made.csv"
    made = {}
    if file.exists():
        made = {figure: rest for figure, *rest in list(csv.reader(file.read_text().splitlines()))[1:]}
    made[name] = when()
    with file.open("w", newline="") as out:
        lines = [["figure", "date", "commit"], *([figure, *rest] for figure, rest in sorted(made.items()))]
        csv.writer(out, lineterminator="\n").writerows(lines)
