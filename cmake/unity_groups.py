"""Writes files that include others, to be compiled in their place; prints a line `UNIT FILE` for each file included.

usage: unity_groups.py MOST ROOT INTO FILE...

MOST files are compiled as one as long as no name that one of them keeps to itself (in an unnamed namespace) occurs in
another, whatever it means there, or in a header that another reads: so each says what it says by itself. Files that fit
no other, or import another namespace, stay alone and are not printed. Units, written into the folder INTO, name files by
relative paths, so that two clones of the project have the same ones. It reads declarations as clang-format writes them,
which the tests demand.
"""

import functools
import os
import re
import sys
from pathlib import Path

NOT_CODE = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
WORD = re.compile(r"(?<![\w.])(?<!->)(?<!std::)[A-Za-z_]\w*")
IMPORT = re.compile(r"^using namespace (?!tombolo\b)", re.MULTILINE)
INCLUDE = re.compile(r'^#include (?:<tombolo/([^>]+)>|"([^"]+)")', re.MULTILINE)
LIBRARY = re.compile(r"^#include <((?!tombolo/|fmt/)\w+/[^>]+)>", re.MULTILINE)
KEYWORDS = set("operator static_assert if for return requires".split())


def declared(line):
    """The name that a line of a namespace declares: the word before the first ( = { ; [ or : outside of <>."""
    line = re.sub(r"::", "__", re.sub(r"^template <.*> ?(?=\w)", "", line))
    depth = 0
    for place, sign in enumerate(line):
        depth += (sign == "<") - (sign == ">")
        if depth <= 0 and sign in "(={;[:":
            words = re.findall(r"\w+", line[:place])
            return words[-1] if words else None
    return None


def names(text):
    """The names that a file keeps to itself, and all words that could mean another file's."""
    text = text.replace("\n}  // namespace\n", "\n#end\n")
    own, inside = set(), False
    code = NOT_CODE.sub('""', text)
    for line in code.splitlines():
        inside = (inside or line == "namespace {") and line != "#end"
        if re.match(r"[A-Za-z_:]", line) and (inside or line.startswith("static ")):
            own.add(declared(line))
        own.update(re.findall(r"^#define (\w+)", line))
    return own - KEYWORDS - {None, "namespace"}, set(WORD.findall(code))


def libraries(file):
    """The headers of other projects that a file reads; files that read the same ones are best compiled as one."""
    return sorted(set(LIBRARY.findall(file.read_text())))


class Headers:
    """The headers of the project."""

    def __init__(self, root):
        self.root = root

    @functools.cache
    def included(self, file):
        """The headers that a file reads itself."""
        found = set()
        for ours, other in INCLUDE.findall(file.read_text()):
            near = [self.root / ours, self.root / "include/tombolo" / ours] if ours else []
            near += [folder / other for folder in file.parents if self.root in folder.parents] if other else []
            found.update(path for path in near if path.is_file())
        return found

    @functools.cache
    def declares(self, header):
        """The names that a header declares outside of classes."""
        lines = NOT_CODE.sub('""', header.read_text()).splitlines()
        return {declared(line) for line in lines if re.match(r"[A-Za-z_]", line)} - {None}

    def seen_by(self, file):
        """The names of all headers that a file reads."""
        read, left = set(), [file]
        while left:
            new = self.included(left.pop()) - read
            read |= new
            left += new
        return set().union(*(self.declares(header) for header in read))


class Group:
    def __init__(self):
        self.files, self.own, self.words = [], set(), set()

    def fits(self, own, words):
        return not own & self.words and not self.own & words

    def add(self, file, own, words):
        self.files.append(file)
        self.own |= own
        self.words |= words


def main():
    most, root, into = int(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
    headers = Headers(root)
    groups = []
    for file in sorted(map(Path, sys.argv[4:]), key=lambda file: (libraries(file), file)):
        text = file.read_text()
        if IMPORT.search(text):
            continue
        own, words = names(text)
        words |= headers.seen_by(file)
        group = next((group for group in groups if len(group.files) < most and group.fits(own, words)), None)
        if not group:
            group = Group()
            groups.append(group)
        group.add(file, own, words)
    into.mkdir(parents=True, exist_ok=True)
    for number, group in enumerate(group for group in groups if len(group.files) > 1):
        unit = into / f"{number}.cpp"
        text = "".join(f'#include "{os.path.relpath(file, into)}"\n' for file in group.files)
        if not unit.is_file() or unit.read_text() != text:
            unit.write_text(text)
        for file in group.files:
            print(unit, file)


if __name__ == "__main__":
    main()
