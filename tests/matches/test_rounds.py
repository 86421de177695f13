"""Games of two rounds (T13): the points of both are added, and the other player begins the second."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from backtrick import matches, take_that
from backtrick.errors import ArgumentError
from backtrick.matches.playing import Match, play_match
from backtrick.matches.record import Played, Record
from backtrick.matches.report import Report, of_two_rounds

ROUND = Record("take_that", 1, 0, ("eager", "tuned"), played=Played(("41",), 0, (-3, -5), "points"))


def test_the_points_of_both_rounds_are_added_by_hand():
    second = replace(ROUND, deal=1, players=("tuned", "eager"), played=Played(("12", "34"), 0, (2, -4), "points"))
    (game,) = of_two_rounds([replace(second, deal=7), replace(ROUND, deal=6)])
    assert (game.deal, game.players) == (3, ("eager", "tuned"))
    assert game.end == Played(("41", "12", "34"), 1, (-7, -3), "points")
    even = replace(second, played=Played((), 1, (-6, -8), "points"))
    assert of_two_rounds([ROUND, even])[0].end[1:3] == (None, (-11, -11))


@pytest.mark.parametrize("sentence", ["no answer in 10 s", ""])  # a record may say no more than the reason
@pytest.mark.parametrize(("loser", "winner"), [(0, 1), (1, 0)])
def test_who_forfeits_a_round_loses_the_game(loser, winner, sentence):
    lost = Played((), 1 - loser, (0, 0), "late", sentence)
    second = replace(ROUND, deal=1, players=ROUND.players[::-1])
    first_lost = of_two_rounds([replace(ROUND, played=lost), second])[0].end
    second_lost = of_two_rounds([ROUND, replace(second, played=replace_seat(lost))])[0].end
    for found in (first_lost, second_lost):
        assert (found.winner, found.reason, found.forfeit) == (winner, "late", sentence)


def replace_seat(played: Played) -> Played:
    """The same player loses from the other seat."""
    assert played.winner is not None
    return played._replace(winner=1 - played.winner)


@pytest.mark.parametrize("other", [replace(ROUND, deal=1), replace(ROUND, deal=2, players=("tuned", "eager"))])
def test_a_round_without_its_other_half_is_no_game(other):
    assert of_two_rounds([ROUND, other]) == []
    with pytest.raises(ArgumentError, match="no game of two rounds"):
        Report.of([ROUND, other], rounds=2)


def test_a_game_without_its_pair_is_counted_and_compares_nobody():
    report = Report.of([ROUND])
    assert (report.games, report.unpaired, report.pairings) == (1, 1, ())


def test_a_match_of_two_rounds_counts_as_counted_by_hand():
    wanted = Match(take_that.GAME, ("tuned", "eager", "careful"), 6, seed=4, rounds=2)
    records = play_match(wanted, processes=0, progress=False)
    assert len(records) == 3 * 6 * 2
    report = Report.of(records, rounds=2)
    assert (report.games, report.deals, report.unpaired) == (18, 3, 0) and "two rounds" in report.title
    left = Report.of(records[1:], rounds=2)  # two games of 17 are without their pair, of which three rounds are there
    assert left.unpaired == 3 and "17 games on 3 deals, 3 rounds without their pair" in left.text()
    points = {(one.deal, one.players): one.end.points for one in records}
    for pairing in report.pairings:
        scores = []
        for deal in (0, 2, 4):
            both = 0.0
            for seats in ((pairing.first, pairing.second), (pairing.second, pairing.first)):
                begun, then = points[deal, seats], points[deal + 1, seats[::-1]]
                totals = dict(zip(seats, (begun[0] + then[1], begun[1] + then[0]), strict=True))
                lead = totals[pairing.first] - totals[pairing.second]
                both += 1 if lead > 0 else 0.5 if lead == 0 else 0
            scores.append(both)
        assert [scores.count(place / 2) for place in range(5)] == list(pairing.score.counts)


def test_a_match_of_two_rounds_is_reported_by_them():
    report = matches.match("eager", "tuned", game="take_that", games=2, rounds=2, processes=0, progress=False)
    assert (report.rounds, report.games) == (2, 2)


def test_the_command_plays_and_reports_two_rounds(said):
    line = "match", "tuned", "eager", "--game", "take_that", "--games", "2", "--quiet", "--workers", "0"
    code, shown, _ = said(*line, "--rounds", "2", "--output", "rounds.jsonl")
    assert code == 0 and "Take That, games of two rounds\n2 games on 1 deals" in shown
    report = json.loads(said("report", "rounds.jsonl", "--rounds", "2", "--json")[1])
    assert report["games"] == 2 and report == json.loads(said(*line, "--rounds", "2", "--json", "--output", "rounds.jsonl")[1])
    assert "4 games on 2 deals" in said("report", "rounds.jsonl")[1]
