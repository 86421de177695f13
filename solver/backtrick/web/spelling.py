"""Positions and turns in URLs: a spelling without any sign that must be escaped or that is lost when a link is copied.

    27^40v:17,18,45+2,33 13^50v:5,12      27a40vh17.18.45p2.33_13a50vh5.12
    18^ 17^ 45v 12^'                      18a_17a_45v_12ao
    12,33,49 21,94 34-41-98               12.33.49_21.94_34-41-98

A letter is a sign only behind a number, or behind the sign of a pile. Each sign has one other, so a column in an error message is
the same in both spellings. Both are read everywhere.
"""

from __future__ import annotations

import re

SIGNS = {" ": "_", ",": ".", "^": "a", ":": "h", "+": "p", "'": "o"}
"""The sign of the notation, and the one that takes its place."""

_SPELLED = str.maketrans(SIGNS)
_PLAIN = {other: sign for sign, other in SIGNS.items()}
_SIGNS = re.compile(r"[_.]|(?<=\d)[ap]|(?<=\d[av^])[ho]")  # words such as take have these letters too


def spelled(text: str) -> str:
    """A notation as it is spelled in URLs.

    >>> spelled("27^40v:17,18,45+2,33 13^50v:5,12"), spelled("take,41")
    ('27a40vh17.18.45p2.33_13a50vh5.12', 'take.41')
    """
    return text.translate(_SPELLED)


def plain(text: str) -> str:
    """The notation that a text means in either spelling.

    >>> plain("27a40vh17.18.45p2.33_13a50vh5.12"), plain("take.41"), plain("27^40v:17 13^50v:5")
    ('27^40v:17,18,45+2,33 13^50v:5,12', 'take,41', '27^40v:17 13^50v:5')
    """
    return _SIGNS.sub(lambda found: _PLAIN[found[0]], text)
