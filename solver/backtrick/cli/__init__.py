"""The command `backtrick`: arguments in, calls out. What it prints about a game comes from the game's console.

    main       the run as a whole: exit codes, errors, a closed pipe, Ctrl-C
    arguments  commands, options, help
    commands   the commands that answer questions, a function each
    files      the commands that write and examine files, a function each
    matches    the commands about whole games, a function each
    serve      the command of the HTTP API
    sources    where questions come from: arguments, lines and files, in portions
    questions  one question, as it is written in any of them
    reading    questions, parsed: as arrays or one by one
    writing    where answers go: standard output, or a file
    streams    standard input, output and error

How answers are written is in `backtrick.forms`.
"""

from backtrick.cli.main import main

__all__ = ["main"]
