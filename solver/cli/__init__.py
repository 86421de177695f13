"""The command `backtrick`: arguments in, calls out. What it prints about a game comes from the game's console.

    main       the run as a whole: exit codes, errors, a closed pipe, Ctrl-C
    arguments  commands, options, help
    commands   the commands that answer questions, a function each
    files      the commands that write and examine files, a function each
    sources    where questions come from: arguments, lines and files, in portions
    questions  one question, as it is written in any of them
    reading    questions, parsed: as arrays or one by one
    forms      how answers are written, a class for each command
    columns    the same for answers in columns
    writing    where answers go: standard output, or a file
    formats    the formats of files
    streams    standard input, output and error
"""

from solver.cli.main import main

__all__ = ["main"]
