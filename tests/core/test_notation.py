"""Laws of the notation of both games: parse undoes format, blanks around numbers change nothing, any other text is one sentence.

What is parsed is a value like any other.
"""

from __future__ import annotations

import copy
import pickle
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import strategies
import take_that_samples
from backtrick import face_to_face, take_that
from backtrick.errors import BacktrickError, NotationError, PositionError
from backtrick.take_that.rule_options import DECK

OPENINGS = [take_that.Turn(opening=card) for card in DECK]
TURNS = [take_that.TAKE, *map(take_that.Turn, DECK), take_that.Turn(94, 49), *OPENINGS]
KINDS = {
    "position": (face_to_face.Position, strategies.positions(), "27^40v:17,18,45 13^50v:5,12"),
    "deal": (face_to_face.Position, strategies.deals(), "27^40v:17,18,45+2,33,50 13^50v:5,12+4,9"),
    "turn": (face_to_face.Turn, strategies.turns(), "18^ 17^ 45v 12^'"),
    "line": (take_that.Position, take_that_samples.positions(line=61), "12,33 21,94 34-41-49"),
    "deal of a line": (take_that.Position, take_that_samples.deals(), "12,33 21,94 34-41-49 55,63"),
    "turn of a line": (take_that.Turn, st.sampled_from(TURNS), "94x49"),
}
"""By what is written: its class, all of them, and an example."""

kinds = pytest.mark.parametrize(("cls", "values", "text"), KINDS.values(), ids=KINDS)


@kinds
@given(data=st.data())
def test_parse_undoes_format_and_blanks_change_nothing(cls, values, text, data):
    value = data.draw(values)
    assert cls.parse(str(value)) == value
    loose = data.draw(strategies.loose_text(value))
    assert cls.parse(loose) == value, loose


ALL_BUT_TWO = ",".join(str(card) for card in DECK if card not in (12, 13))
EMPTY = [
    (take_that.Position, "- - -"), (take_that.View, f"12 ?1 - ?0 !{ALL_BUT_TWO}"), (take_that.View, f"- ?1 12 ?0 !{ALL_BUT_TWO}"),
    (take_that.PublicState, f"?1 ?1 - ?0 !{ALL_BUT_TWO}"), (face_to_face.View, "1^60v:5 1^60v:?0:"),
    (face_to_face.PublicState, "45^17v:?1:50 43^20v:?1:4"),
]  # fmt: skip
"""As little as there can be: no hand, no line, no pile."""


@pytest.mark.parametrize(("cls", "text"), [*((cls, text) for cls, _, text in KINDS.values()), *EMPTY])
def test_an_example_is_its_own_format(cls, text):
    assert str(cls.parse(text)) == text


NUMBERS = re.compile(r"\d+(?:,\d+)*")


def parts_of(text):
    """What stands around the numbers of a text, blanks apart, and the numbers, those with commas between them together."""
    joined = re.sub(r"[ \t]*,[ \t]*", ",", text)
    return re.sub(r"[ \t]", "", NUMBERS.sub("#", joined)), NUMBERS.findall(joined)


@kinds
@given(data=st.data())
@example(data=None)
def test_any_other_text_is_one_sentence(cls, values, text, data):
    for given_text in [data.draw(strategies.texts(values))] if data else ["27^40v:17,18 13^50v:٥", "1^60v:2,3,4,5,6,7,8 1^60v:"]:
        try:
            value = cls.parse(given_text)
        except (NotationError, PositionError) as error:
            assert isinstance(error, BacktrickError) and error.exit_code == 2
            assert str(error) and "\n" not in str(error), given_text
            if isinstance(error, NotationError):
                assert 1 <= error.column <= len(given_text) + 1 and error.text == given_text, given_text
        else:
            assert cls.parse(str(value)) == value, given_text
            # what was taken differs from the format in blanks and in the order of a hand only
            (signs, written), (given_signs, cards) = parts_of(str(value)), parts_of(given_text)
            assert signs == given_signs and len(written) == len(cards), given_text
            for one, taken in zip(written, cards, strict=True):
                assert one in (taken, ",".join(sorted(taken.split(","), key=int))), given_text


@kinds
def test_only_ascii_digits_are_digits(cls, values, text):
    for place in [place for place, symbol in enumerate(text) if symbol.isdigit()]:
        for digit in strategies.ODD_DIGITS:
            with pytest.raises(NotationError) as caught:
                cls.parse(text[:place] + digit + text[place + 1 :])
            assert caught.value.column <= place + 1  # earlier if the number cut short breaks the order of a hand


@kinds
def test_it_is_parsed_from_text_only(cls, values, text):
    for other in (text.encode(), None, 27, cls.parse(text)):
        with pytest.raises(TypeError, match="is parsed from a str"):
            cls.parse(other)


@kinds
@given(data=st.data())
def test_a_value_like_any_other(cls, values, text, data):
    value = data.draw(values)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(value, protocol))
        assert again == value and hash(again) == hash(value) and type(again) is type(value)
    assert copy.copy(value) == copy.deepcopy(value) == value
    other = data.draw(values)
    assert (value == other) == (str(value) == str(other))
    if cls is not take_that.Turn:  # has no order
        assert (value != other) == ((value < other) or (other < value))
        assert repr(value) == f"<{type(value).__name__} {value}>"
