"""The command `backtrick`: arguments in, calls out. What it prints about a game comes from the game's console.

    main       the run as a whole: exit codes, errors, a closed pipe, Ctrl-C
    arguments  commands, options, help
    commands   one function a command: questions and answers
    files      one function a command: tables
    questions  what is asked, read from arguments, lines and files
    forms      how answers read, a class a command
    writing    where answers go: standard output, or a file
    formats    the formats of files
    streams    standard input, output and error
"""

from solver.cli.main import main

__all__ = ["main"]
