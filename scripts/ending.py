"""How a script ends: with a status and, where something went wrong, one line on stderr."""

import argparse
import os
import sys


class Refused(Exception):
    """What a user is told in one line: what is wrong, with which value, and what to do."""

    def __init__(self, cause, remedy=None):
        super().__init__(f"{cause}; {remedy}" if remedy else cause)


class Parser(argparse.ArgumentParser):
    """Keeps the lines of its help as they are, and refuses what is wrong in one line."""

    def __init__(self, *arguments, **more):
        super().__init__(*arguments, formatter_class=argparse.RawDescriptionHelpFormatter, **more)

    def error(self, message):
        raise Refused(message, f"see {self.prog} --help")


def end_with(name, main, remedy="send it to a place that has room"):
    """Calls main(), and exits with what it returns or what it exits with: a status, or the line to say. What is refused is
    one line; what the system refuses, the output not least, too, with the remedy. Nothing is said to who reads no more."""
    if sys.stdout is None or sys.stderr is None:  # a file that is opened would stand in its place
        sys.exit(f"{name}: the standard output or error is closed; send it to /dev/null")
    try:
        try:
            status = main()
        except SystemExit as ended:
            status = ended.code
        except Refused as why:
            status = f"{name}: {why}"
        sys.stdout.flush()
    except KeyboardInterrupt:
        status = 130
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or it would be said again at the end
        cause = f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error)
        status = 1 if isinstance(error, BrokenPipeError) else f"{name}: {cause}; {remedy}"
    sys.exit(status)
