"""Each claim of a search has one number in its game: in its function, on the page, and in the test that asks it."""

import re

import pytest

from command import ROOT


@pytest.mark.parametrize(
    ("game", "letter", "parts", "tests", "least"),
    [
        ("face_to_face", "E", "_solve*.px[di]", "questions", 9),
        ("face_to_face", "B", "_deal*.px[di]", "deal_bounds", 16),
        ("take_that", "E", "_bounds.pxd", "bounds", 6),
        ("take_that", "B", "_deal*.pxi", "deal_bounds", 7),
    ],
)
def test_each_claim_has_one_number_in_the_kernel_on_the_page_and_in_a_test(game, letter, parts, tests, least):
    ext, page = ROOT / f"ext/backtrick/{game}", (ROOT / f"docs/{game}.md").read_text(encoding="utf-8")
    begins = re.compile(rf'(\w+)\([^()]*\) noexcept nogil:\n    """({letter}\d+)\. ')
    kernel = {number: name for path in ext.glob(parts) for name, number in begins.findall(path.read_text(encoding="utf-8"))}
    told = {number: name for name, number in re.findall(rf"`(\w+)(?:\([\w, ]*\))?`,? \(({letter}\d+)\)", page)}
    tested = (ROOT / f"tests/{game}/test_{game}_{tests}.py").read_text(encoding="utf-8")
    asked = dict.fromkeys(re.findall(rf"\b{letter}\d+\b", " ".join(re.findall(r'"""(.*?)"""', tested, re.DOTALL))))
    assert kernel.keys() == told.keys() == asked.keys() == {f"{letter}{number}" for number in range(1, len(kernel) + 1)}
    assert kernel == told and len(kernel) >= least
