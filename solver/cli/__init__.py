"""The command `backtrick`: arguments in, calls out. What it prints about a game comes from the game's console.

    main       the run as a whole: exit codes, errors, a closed pipe, Ctrl-C
    arguments  commands, options, help
    commands   the commands that answer questions, a function each
    files      the commands that write and examine files, a function each
    questions  what is asked, read from arguments, lines and files
    forms      how answers are written, a class for each command
    writing    where answers go: standard output, or a file
    formats    the formats of files
    streams    standard input, output and error
"""

from solver.cli.main import main

__all__ = ["main"]
