"""Writes files that include others, to be compiled in their place; prints a line `UNIT FILE` for each file included.

usage: unity_groups.py MOST ROOT INTO FILE...

MOST files are compiled as one as long as no name that one of them keeps to itself (in an unnamed namespace) occurs,
whatever it means there, where another or a header that another reads would find it: in the namespace around it or in one
inside that. So each says what it says by itself. Files that fit no other, or import a namespace of another project, stay
alone and are not printed. Units, written into the folder INTO, name files by relative paths, so that two clones of the
project have the same ones. It reads declarations as clang-format writes them, which the tests demand.
"""

import functools
import os
import re
import sys
from pathlib import Path

NOT_CODE = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
WORD = re.compile(r"(?<![\w.])(?<!->)(?<!std::)[A-Za-z_]\w*")
WORD_IN = re.compile(r"(\w+(?:::\w+)*)::(\w+)")
NAMESPACE = re.compile(r"(?:inline )?namespace ([\w:]+) \{$")
IMPORT = re.compile(r"^using namespace ([\w:]+);", re.MULTILINE)
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


def around(space):
    """A namespace and those that it lies in, from the inner to the outer, of no name."""
    parts = space.split("::") if space else []
    return ["::".join(parts[:count]) for count in range(len(parts), -1, -1)]


class Text:
    """What a file says: names as pairs (namespace, name)."""

    def __init__(self, file):
        self.text = file.read_text()
        self.imports = set(IMPORT.findall(self.text))
        self.spaces = {""} if self.imports else set()  # in which it says something
        self.own = set()  # what it keeps to itself
        self.declared = set()  # names that it declares outside of classes
        self._read()
        self.spaces = self.spaces or {""}

    def _read(self):
        code = NOT_CODE.sub('""', re.sub(r"(?m)^\}  // namespace ?(.*)$", r"#end \1", self.text))
        open_spaces, unnamed = [], 0
        for line in code.splitlines():
            space = "::".join(open_spaces)
            if found := NAMESPACE.match(line):
                open_spaces.append(found.group(1))
                self.spaces.add("::".join(open_spaces))
            elif line == "namespace {":
                unnamed += 1
            elif line == "#end ":
                unnamed -= 1
            elif line.startswith("#end "):
                open_spaces.pop()
            elif re.match(r"[A-Za-z_:]", line) and (name := declared(line)):
                self.declared.add(name)
                if (unnamed or line.startswith("static ")) and name not in KEYWORDS:
                    self.own.add((space, name))
            elif found := re.match(r"#define (\w+)", line):
                self.own.add(("", found.group(1)))
            elif (found := re.match(r"#undef (\w+)", line)) and ("", found.group(1)) in self.own:
                self.own.remove(("", found.group(1)))
        self.words = set(WORD.findall(code))
        self.words_in = set(WORD_IN.findall(code))

    def said(self, among=None):
        """All words that could mean a name kept by another file, as pairs, if they are among these names."""
        words = self.words if among is None else self.words & among
        outer = {outer for space in self.spaces for outer in around(space)}
        said = {(space, word) for space in outer for word in words}
        for space, word in self.words_in:
            if among is None or word in among:
                said |= {(f"{start}::{space}" if start else space, word) for start in outer}
        return said


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
    def text(self, header):
        return Text(header)

    def said_by(self, file):
        """What the headers say that a file reads, as far as one of them declares it."""
        read, left = set(), [file]
        while left:
            new = self.included(left.pop()) - read
            read |= new
            left += new
        texts = [self.text(header) for header in read]
        declared_names = set().union(*(text.declared for text in texts))
        return set().union(*(text.said(declared_names) for text in texts))


class Group:
    def __init__(self):
        self.files, self.own, self.said = [], set(), set()

    def fits(self, own, said):
        return not own & self.said and not self.own & said

    def add(self, file, own, said):
        self.files.append(file)
        self.own |= own
        self.said |= said


def main():
    most, root, into = int(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
    files = sorted(map(Path, sys.argv[4:]), key=lambda file: (libraries(file), file))
    texts = {file: Text(file) for file in files}
    ours = {file: text for file, text in texts.items() if all(re.match(r"tombolo\b", space) for space in text.imports)}
    imported = set().union(*(text.imports for text in ours.values()))
    headers = Headers(root)
    groups = []
    for file, text in ours.items():
        if text.imports:
            text.spaces |= imported  # it may be read behind a file that imports more
        said = text.said() | headers.said_by(file)
        group = next((group for group in groups if len(group.files) < most and group.fits(text.own, said)), None)
        if not group:
            group = Group()
            groups.append(group)
        group.add(file, text.own, said)
    into.mkdir(parents=True, exist_ok=True)
    united = {into / f"{number}.cpp": group for number, group in enumerate(g for g in groups if len(g.files) > 1)}
    for old in set(into.glob("*.cpp")) - set(united):
        old.unlink()
    for unit, group in united.items():
        text = "".join(f'#include "{os.path.relpath(file, into)}"\n' for file in group.files)
        if not unit.is_file() or unit.read_text() != text:
            unit.write_text(text)
        for file in group.files:
            print(unit, file)


if __name__ == "__main__":
    main()
