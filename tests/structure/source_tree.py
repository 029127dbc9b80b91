"""The files of the source tree, for the tests that read them."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODE = (".c", ".h", ".cpp", ".hpp")
SCRIPTS = (".py", ".sh", ".cmake", ".def")


def _listed_by_git():
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        done = subprocess.run(command, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None  # an unpacked archive
    return [Path(os.fsdecode(name)) for name in done.stdout.split(b"\0") if name]


def _listed_by_walking():
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in ("build", ".git")]
        yield from (Path(folder, name).relative_to(ROOT) for name in names)


def files():
    """Every file that belongs to the project, relative to its root; what git ignores does not."""
    listed = _listed_by_git()
    if listed is None:
        listed = _listed_by_walking()
    return sorted({path for path in listed if (ROOT / path).is_file()})


def code_files():
    """The C and C++ files among them."""
    return [path for path in files() if path.suffix in CODE]


def read(path):
    """The text of a file given relative to the root."""
    return (ROOT / path).read_text(encoding="utf-8")
