"""Tables of a TOML file, whose values are asked for one by one; what nobody has asked for is an error."""

import math
import re
import sys
import tomllib

from files import read_whole
from ending import Refused
from places import GRID, MANUAL

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
LONGEST = 40
MISSING = object()


def read_toml(path):
    try:
        return Table(path, "", tomllib.loads(read_whole(path).decode()))
    except OSError as error:
        raise Refused(f"cannot read {path}: {error.strerror}", "give the path of a description, or a name of "
                      f"`{GRID} list`") from None
    except RecursionError:
        raise Refused(f"{path}: its values stand too deep inside each other", f"see {MANUAL} for the format") from None
    except ValueError as error:  # also of bytes that are no UTF-8, and of numbers of thousands of digits
        raise Refused(f"{path} is not TOML: {error}", f"see {MANUAL} for the format") from None


class Table:
    def __init__(self, path, place, values):
        self.path, self.place, self.values = path, place, values
        self.asked = set()

    def wrong(self, cause, remedy):
        where = f"{self.path}, {self.place}" if self.place else str(self.path)
        return Refused(f"{where}: {cause}", remedy)

    def get(self, key, default=MISSING):
        self.asked.add(key)
        if key not in self.values and default is MISSING:
            raise self.wrong(f"there is no {key}", f"add it; see {MANUAL}")
        return self.values.get(key, default)

    def number(self, key, default=MISSING, least=0, above=None, most=math.inf):
        """A finite number, at least `least` or greater than `above`, and at most `most`; a default is taken as it
        is."""
        value = self.get(key, default)
        if key not in self.values:
            return value
        good = isinstance(value, (int, float)) and not isinstance(value, bool) and \
            abs(value) <= sys.float_info.max
        if not good or not least <= value <= most or (above is not None and value <= above):
            bound = f"of at least {least:g}" if above is None else f"above {above:g}"
            bound += "" if most == math.inf else f" and at most {most:g}"
            raise self.wrong(f"{key} = {shown(value)}", f"give a number {bound}")
        return value

    def integer(self, key, least, most, default=MISSING):
        value = self.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise self.wrong(f"{key} = {shown(value)}", f"give a whole number from {least} to {most}")
        return value

    def text(self, key):
        value = self.get(key)
        if not isinstance(value, str):
            raise self.wrong(f"{key} = {shown(value)}", "give a name in quotes")
        return value

    def name(self, key):
        value = self.text(key)
        if not NAME.fullmatch(value) or len(value) > LONGEST:
            raise self.wrong(f"{key} = {shown(value)}",
                             f"use small letters, digits and single hyphens, a letter first, {LONGEST} at most")
        return value

    def texts(self, key, count):
        """A list of so many names; empty where there is none."""
        value = self.get(key, [])
        good = isinstance(value, list) and all(isinstance(each, str) for each in value)
        if not good or (key in self.values and len(value) != count):
            raise self.wrong(f"{key} = {shown(value)}", f"give {count} names in quotes, in brackets")
        return value

    def table(self, key):
        value = self.get(key, {})
        if not isinstance(value, dict):
            raise self.wrong(f"{key} = {shown(value)}", f"make it a table: [{key}]")
        return Table(self.path, f"{self.place}, {key}" if self.place else f"[{key}]", value)

    def tables(self, key):
        value = self.get(key, [])
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            raise self.wrong(f"{key} is no list of tables", f"write each as [[{key}]]")
        return [Table(self.path, f"{key} {number} of {len(value)}", each) for number, each in enumerate(value, 1)]

    def end(self):
        for key in self.values:
            if key not in self.asked:
                raise self.wrong(f"{key} is not known here", f"known are {', '.join(sorted(self.asked))}")


def shown(value):
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # thousands of digits or brackets
        return "too much to show"
    return text if len(text) <= 60 else text[:57] + "..."
