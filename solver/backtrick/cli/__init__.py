"""The command `backtrick`: arguments in, calls out.

    main       the run as a whole: exit codes, errors, a closed pipe, Ctrl-C
    arguments  commands, options, help
    input      questions about positions, from arguments, lines or files, and how they are parsed
    output     how answers are written, and where they go: standard output, or a file
    commands   the commands that answer questions about positions, a function each
    matches    the commands about whole games, a function each
    files      the commands that write and examine files, a function each
    streams    standard input, output and error
"""

from backtrick.cli.main import main

__all__ = ["main"]
