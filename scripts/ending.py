"""How a script ends: with a status and, where something went wrong, one line on stderr."""

import os
import sys


def end_with(name, main, remedy="send it to a place that has room"):
    """Calls main(), and exits with what it returns or what it exits with: a status, or the line to say. What the system
    refuses meanwhile, the output not least, is one line, too, with the remedy; nothing is said to who reads no more."""
    if sys.stdout is None or sys.stderr is None:  # a file that is opened would stand in its place
        sys.exit(f"{name}: the standard output or error is closed; send it to /dev/null")
    try:
        try:
            status = main()
        except SystemExit as ended:
            status = ended.code
        sys.stdout.flush()
    except KeyboardInterrupt:
        status = 130
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or it would be said again at the end
        cause = f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error)
        status = 1 if isinstance(error, BrokenPipeError) else f"{name}: {cause}; {remedy}"
    sys.exit(status)
