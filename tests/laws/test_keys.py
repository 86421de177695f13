"""Keys hold all parts: what differs in one part only is kept apart, and a report does not depend on how its games are numbered."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from backtrick.matches.record import Record, read_records
from backtrick.matches.score import wins_by_deal
from doors import GAMES

PLAYERS = {"face_to_face": ("frugal", "hasty", "tuned"), "take_that": ("careful", "eager", "tuned")}


@pytest.fixture
def records(said, tmp_path):
    """Plays games of a seed; the records."""

    def records(game: str, seed: int, *options: str) -> list[Record]:
        file = tmp_path / f"{game}-{seed}-{'-'.join(options)}"
        words = ["match", *PLAYERS[game], "--games", "2", "--game", game, "--seed", str(seed), "--workers", "0", "--quiet"]
        assert said(*words, "--output", str(file), *options)[0] == 0
        return read_records(file)

    return records


@pytest.mark.parametrize("options", [(), ("--rounds", "2")], ids=["", "rounds"])
@pytest.mark.parametrize("game", GAMES)
def test_a_report_does_not_depend_on_seeds_numbers_and_order(game, options, records, said):
    """The games of two seeds in any order; and, but for what turns were worth, which follows from the deal, the same games as later
    deals of one seed."""
    if options and game == "face_to_face":
        return
    first, second = (records(game, seed, *options) for seed in (1, 2))
    after = 1 + max(one.deal for one in first)
    later = [replace(one, seed=1, deal=one.deal + after) for one in second]
    named, mixed = first[:6], [*first[6:], *second]  # players come in the order in which they are first named
    random.Random(1).shuffle(mixed)
    mixed = named + mixed

    def report(games: list[Record], *more: str) -> str:
        Path("all").write_text("".join(f"{one.line()}\n" for one in games))
        code, shown, error = said("report", "all", *more, *options)
        assert code == 0, error
        return shown

    assert report([*first, *second], "--exact") == report(mixed, "--exact") != report(mixed)
    assert report([*first, *second]) == report([*first, *later]) == report(mixed)


def test_a_game_counts_for_its_two_players_and_its_deal(records):
    games = records("take_that", 1)
    won = wins_by_deal(games, PLAYERS["take_that"])
    deals = sorted({one.deal for one in games})
    for place, deal in enumerate(deals):
        for first, one in enumerate(PLAYERS["take_that"]):
            for second, other in enumerate(PLAYERS["take_that"]):
                met = sum({one, other} == {*game.players} for game in games if game.deal == deal)
                assert won[place, first, second] + won[place, second, first] == met


@pytest.mark.parametrize("game", GAMES)
def test_deals_of_another_seed_or_number_are_others(game, records):
    from backtrick.games import whole_game_of

    whole = whole_game_of(GAMES[game].GAME)
    dealt = {
        (seed, number): str(whole.deal(seed, number, GAMES[game].PUBLISHED).position()) for seed in range(8) for number in range(8)
    }
    assert len(set(dealt.values())) == len(dealt)


@pytest.mark.parametrize("name", GAMES)
def test_equal_objects_have_equal_keys_and_others_do_not(name):
    """Rules, positions, views and public states that differ in one part are not equal, and their texts differ."""
    game = GAMES[name]
    position = game.GAME.parse(game.GAME.example)
    turned = game.mirror(position) if name == "face_to_face" else game.Position(position.opponent, position.mover, position.line)
    assert position != turned and str(position) != str(turned) and game.GAME.parse(str(position)) == position
    views = [game.State.deal(deck, game.PUBLISHED).view(seat)
             for deck in decks(name) for seat in (0, 1)]  # fmt: skip
    assert len({str(view) for view in views}) == len(set(views)) == len(views)


def decks(name: str) -> list[list]:
    from backtrick.games import whole_game_of

    return list(whole_game_of(GAMES[name].GAME).decks_of(1, 0, 3).tolist())
