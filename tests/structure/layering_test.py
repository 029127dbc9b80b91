"""Folders use only what stands above them, and MPI is called only where that is allowed."""

import re
import unittest
from pathlib import Path

import source_tree

LAYERS = ["platform", "models", "collectives", "interpose", "framework", "lab", "apps"]  # each may use those before it
LIBRARIES = LAYERS[:-1]
ROOMS = {
    # sub-folders of a layer in the order of the flow; "" holds the files of the layer itself;
    # mpi/ is a library of its own and may use them all
    "platform": ["", "system", "json", "description", "file", "measuring", "clustering", "simgrid"],
    "models": ["fitting", "pairs", "network", "", "experiments", "kinds"],
    "collectives": ["request", "topology", "plan", "operations", "algorithms", "prove", "predict", "mapping", "calibrate",
                    "choose"],
    "framework": ["matrix", "partition", "arrays", "report", "program/declare", "program/plan", "program/adapt",
                  "program/report"],
}
MPI_ROOMS = {"framework": ["session", "arrays", "program"]}  # beside what implements the public headers
UMBRELLA = "tombolo.hpp"  # all that programs include
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
MOST_PUBLIC = 12
IN_TREE = [Path("examples/relay.cpp")]  # an algorithm for this tree, which is not installed
OF_LAYERS = re.compile(r"^tombolo_(mpi_)?library\((\w+) HEADERS ([\w\s]+?)\s+USES", re.MULTILINE)


def public_headers():
    """By the name of each header of include/tombolo/: its layer, and whether it takes MPI; the top CMakeLists.txt says."""
    return {
        f"{name}.hpp": (layer, bool(mpi))
        for mpi, layer, names in OF_LAYERS.findall(source_tree.read("CMakeLists.txt"))
        for name in names.split()
    }


PUBLIC = public_headers()


def is_public(path):
    return path.parts[0] == "include"


def layer_of(path):
    """The layer that a file belongs to; a test belongs to that of what it tests, support and examples use all."""
    if is_public(path):
        return PUBLIC[path.name][0]
    parts = path.parts[1:] if path.parts[0] == "tests" else path.parts
    return parts[0] if parts[0] in LAYERS else LAYERS[-1]


def is_library_or_its_test(path):
    return layer_of(path) in LIBRARIES


def may_call_mpi(path):
    if is_public(path):
        return PUBLIC[path.name][1]
    folders = path.parts[:-1]
    if "mpi" in folders or "twins" in folders or folders[0] in ("apps", "interpose"):
        return True
    return folders[:2] in (("tests", "support"), ("tests", "apps"), ("tests", "interpose"))


def rooms_of(path):
    """The rooms of the layer of a file, or of its mpi/; none where there is no order."""
    return (MPI_ROOMS if path.parts[1] == "mpi" else ROOMS).get(path.parts[0], [])


def room_of(path):
    """The room that a file is in, or else the sub-folder; "" for the layer itself."""
    folders = path.parts[2 if path.parts[1] == "mpi" else 1:-1]
    inner = "/".join(folders[:2])
    return inner if inner in rooms_of(path) else "".join(folders[:1])


def points_back(path, included):
    """Whether a file includes a header of a later room of the same layer, or of the same mpi/."""
    rooms = rooms_of(path)
    if included.parts[0] != path.parts[0] or rooms_of(included) != rooms:
        return False
    both = [room_of(included), room_of(path)]
    return all(room in rooms for room in both) and rooms.index(both[0]) > rooms.index(both[1])


def public_complaints(path, bracket, name):
    """What is wrong with one include of a public header."""
    included = Path(name)
    where = f"{path}: includes {name}"
    if included.parts[0] == "tombolo":
        if len(included.parts) > 2:
            yield f"{where}, but public headers include public ones only"
        elif included.name in PUBLIC and PUBLIC[included.name][1] > may_call_mpi(path):
            yield f"{where}, which takes MPI"
    elif "/" in name and path.name != "command_line.hpp":
        yield f"{where}, but users need nothing to compile but MPI"
    elif "." in name and included.name not in ("mpi.h", "CLI.hpp"):
        yield f"{where}, but users need nothing to compile but MPI"


def complaints(path, text):
    """What is wrong with the includes of a file: one line each."""
    rooms = rooms_of(path) if path.parts[0] in LIBRARIES else []
    if rooms and room_of(path) not in (rooms if path.parts[1] != "mpi" else ["", *rooms]):
        yield f"{path}: {path.parts[0]} has no room for it; its rooms are {', '.join(filter(None, rooms))} (ROOMS)"
        return
    for bracket, name in INCLUDE.findall(text):
        if is_public(path):
            yield from public_complaints(path, bracket, name)
        included = Path(name)
        where = f"{path}: includes {name}"
        if included.name == "mpi.h" and not may_call_mpi(path):
            yield f"{where}, but MPI is called in */mpi/, apps/, tests/**/mpi/ and tests/support/ only"
        if included.parts[0] == "tombolo":
            layer = included.parts[1]
            if path.parts[0] == "examples" and path not in IN_TREE and len(included.parts) > 2:
                yield f"{where}, but examples are installed and use public headers only"
            if len(included.parts) == 2 and layer in PUBLIC and layer != UMBRELLA:
                layer, takes_mpi = PUBLIC[layer]
                if takes_mpi and is_library_or_its_test(path) and not may_call_mpi(path) and not is_public(path):
                    yield f"{where}, but pure files do not use what calls MPI"
            elif is_public(path):
                continue
            if bracket == '"':
                yield f"{where} in quotes; project headers are included as <tombolo/...>"
            if layer == UMBRELLA:
                if path.parts[0] in LAYERS:
                    yield f"{where}, which is for programs; include what is used"
            elif layer not in LAYERS:
                yield f"{where}, but there is no folder {layer}"
            elif LAYERS.index(layer) > LAYERS.index(layer_of(path)):
                yield f"{where}, but {layer} stands below {layer_of(path)}"
            if len(included.parts) > 2 and layer == path.parts[0] and points_back(path, Path(*included.parts[1:])):
                yield f"{where}, which is a later room of {layer} (ROOMS)"
            if "mpi" in included.parts[2:-1] and is_library_or_its_test(path) and not may_call_mpi(path):
                yield f"{where}, but pure files do not use what calls MPI"
        elif bracket == '"' and path.parts[0] in LIBRARIES:
            yield f"{where} in quotes; project headers are included as <tombolo/...>"


class Layering(unittest.TestCase):
    def test_every_file_keeps_to_its_layer(self):
        found = [line for path in source_tree.code_files() for line in complaints(path, source_tree.read(path))]
        self.assertEqual(found, [], "\n" + "\n".join(found))

    def test_public_headers_are_few_and_each_is_of_one_layer(self):
        found = {path.name for path in source_tree.files() if is_public(path)}
        self.assertEqual(found, set(PUBLIC))
        self.assertLessEqual(len(found), MOST_PUBLIC)

    def test_there_is_something_to_check(self):
        self.assertTrue(any(is_library_or_its_test(path) for path in source_tree.code_files()))

    def test_violations_are_found(self):
        for path, line in [
            ("platform/a.cpp", "#include <tombolo/models/model.hpp>"),
            ("models/mpi/a.hpp", "#include <tombolo/collectives/plan/plan.hpp>"),
            ("tests/models/a.cpp", "#include <tombolo/framework/arrays/distribution.hpp>"),
            ("collectives/bcast/a.cpp", "#include <mpi.h>"),
            ("tests/collectives/a.cpp", "# include <mpi.h>"),
            ("examples/a.cpp", "#include <mpi.h>"),
            ("collectives/plan/a.cpp", "#include <tombolo/collectives/mpi/execute.hpp>"),
            ("collectives/a.cpp", "#include <vector>"),
            ("tests/collectives/a.cpp", "#include <tombolo/models/mpi/measure.hpp>"),
            ("models/a.cpp", '#include "hockney.hpp"'),
            ("apps/a.cpp", '#include "tombolo/models/kinds/hockney/hockney.hpp"'),
            ("collectives/plan/a.cpp", "#include <tombolo/collectives/predict/predict.hpp>"),
            ("models/model.hpp", "#include <tombolo/models/kinds/model_kind.hpp>"),
            ("framework/shares.hpp", "#include <vector>"),
            ("models/a.cpp", "#include <tombolo/shares.hpp>"),
            ("framework/partition/a.cpp", "#include <tombolo/session.hpp>"),
            ("collectives/mpi/a.cpp", "#include <tombolo/session.hpp>"),
            ("include/tombolo/units.hpp", "#include <tombolo/platform/readable.hpp>"),
            ("examples/a.cpp", "#include <tombolo/platform/readable.hpp>"),
            ("include/tombolo/counts.hpp", "#include <tombolo/matrix.hpp>"),
            ("include/tombolo/shares.hpp", "#include <tombolo/collectives.hpp>"),
            ("include/tombolo/session.hpp", "#include <fmt/format.h>"),
            ("include/tombolo/session.hpp", "#include <CLI/CLI.hpp>"),
            ("include/tombolo/matrix.hpp", "#include <mpi.h>"),
            ("framework/program/a.cpp", "#include <vector>"),
            ("framework/mpi/tasks/a.cpp", "#include <vector>"),
            ("framework/partition/a.cpp", "#include <tombolo/framework/arrays/distribution.hpp>"),
            ("framework/program/declare/tasks/a.cpp", "#include <tombolo/framework/program/plan/costs.hpp>"),
            ("framework/mpi/session/a.cpp", "#include <tombolo/framework/mpi/program/tasks/task_runner.hpp>"),
            ("apps/a.cpp", "#include <tombolo/mdoels/hockney.hpp>"),
            ("apps/a.cpp", "#include <tombolo/tombolo.hpp>"),
            ("framework/mpi/a.cpp", "#include <tombolo/tombolo.hpp>"),
        ]:
            with self.subTest(path=path, line=line):
                self.assertEqual(len(list(complaints(Path(path), f"\n{line}\n"))), 1)

    def test_what_is_allowed_is_not_complained_about(self):
        for path, line in [
            ("models/a.cpp", "#include <tombolo/units.hpp>"),
            ("include/tombolo/command_line.hpp", "#include <CLI/CLI.hpp>"),
            ("include/tombolo/session.hpp", "#include <tombolo/collectives.hpp>"),
            ("include/tombolo/session.hpp", "#include <mpi.h>"),
            ("models/mpi/a.cpp", "#include <mpi.h>"),
            ("framework/mpi/a.cpp", "#include <tombolo/collectives/mpi/execute.hpp>"),
            ("framework/mpi/session/a.cpp", "#include <tombolo/framework/program/plan/costs.hpp>"),
            ("framework/mpi/program/tasks/a.cpp", "#include <tombolo/framework/mpi/session/same_call.hpp>"),
            ("framework/program/plan/a.cpp", "#include <tombolo/framework/program/declare/tasks/task_rules.hpp>"),
            ("tests/collectives/mpi/a.cpp", '#include "support/agree.hpp"'),
            ("tests/support/agree.hpp", "#include <mpi.h>"),
            ("tests/framework/twins/a.cpp", "#include <mpi.h>"),
            ("examples/a.cpp", "#include <tombolo/session.hpp>"),
            ("examples/a.cpp", "#include <tombolo/tombolo.hpp>"),
            ("include/tombolo/tombolo.hpp", "#include <tombolo/session.hpp>"),
            ("apps/a.cpp", "#include <mpi.h>"),
        ]:
            with self.subTest(path=path, line=line):
                self.assertEqual(list(complaints(Path(path), f"\n{line}\n")), [])
