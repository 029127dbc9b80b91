"""Says which files may be compiled as one: for every FILE a line `GROUP FILE`, without those that stay alone.

usage: unity_groups.py MOST ROOT FILE...

Files of one folder share a group of at most MOST as long as no name that one of them keeps to itself (in an unnamed
namespace) occurs in another, whatever it means there, or is a class of a header below ROOT: so each says what it says by
itself. It reads declarations as clang-format writes them, which the tests demand.
"""

import re
import sys
from pathlib import Path

NOT_CODE = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
WORD = re.compile(r"(?<![\w.])(?<!->)(?<!std::)[A-Za-z_]\w*")
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


def classes(root):
    """The classes of all headers of the project."""
    found = set()
    for folder in root.iterdir():
        if folder.is_dir() and folder.name != "build":
            for header in folder.rglob("*.hpp"):
                found.update(re.findall(r"^(?:class|struct|enum class|using) (\w+)", header.read_text(), re.MULTILINE))
    return found


class Group:
    def __init__(self):
        self.files, self.own, self.words = [], set(), set()

    def add(self, file, own, words):
        self.files.append(file)
        self.own |= own
        self.words |= words


def main():
    most = int(sys.argv[1])
    public = classes(Path(sys.argv[2]))
    folders = {}
    for file in sorted(sys.argv[3:]):
        own, words = names(Path(file).read_text())
        if own & public:
            continue
        groups = folders.setdefault(Path(file).parent, [])
        for group in groups:
            if len(group.files) < most and not own & group.words and not group.own & words:
                break
        else:
            group = Group()
            groups.append(group)
        group.add(file, own, words)
    shared = [group for groups in folders.values() for group in groups if len(group.files) > 1]
    for number, group in enumerate(shared):
        for file in group.files:
            print(number, file)


if __name__ == "__main__":
    main()
