"""What other libraries call things, and how to say it here. It is read when a name is not found, for the sentence of the error.

The names are those of python-chess, endplay, OpenSpiel and pandas.
"""

from __future__ import annotations

from abc import ABCMeta
from difflib import get_close_matches
from typing import Any

ADVICE = """
a position is Position.parse(text) of backtrick.face_to_face or backtrick.take_that
    Board board load_game Game Hands new_initial_state
Position, Turn, State, View and Rules are of a game: from backtrick.face_to_face import Position
    Position Turn State View Rules rules PUBLISHED Deal
position.mover.hand has the cards of a hand, turn.plays those of a turn; in Take That position.mover and turn.card
    hand hands cards card ascending descending tops pile
a side of the table is Side in backtrick.face_to_face, a hand is a tuple of cards
    Hand Player
a card is a whole number
    Card Suit Rank Denom
a turn is Turn.parse(text) of the game
    Move Action parse_san parse_uci push_san push_uci from_uci from_san string_to_action
str(position) is the notation, and Position.parse(text) reads it
    fen epd board_fen set_fen from_fen to_pbn from_pbn to_string serialize
str(turn) is the notation
    uci san lan variation_san action_to_string
legal_turns(position) of the game lists the turns
    legal_turns turns all_turns legal_moves generate_legal_moves legal_actions is_legal pseudo_legal_moves
after(position, turn) of the game is the position after a turn; positions do not change
    step push pop peek play unplay move_stack child undo_action
positions do not change, so none is copied
    copy clone root
State.play(turn) is the state after a turn; states do not change
    apply_action apply_actions
the mover comes first, position.mover
    turn to_move player_to_move to_play curplayer first
state.to_move is the seat that is to move
    current_player
legal_turns(position) of the game is empty when the game is over
    is_over is_game_over is_checkmate is_stalemate is_terminal game_over
mirror(position) of the game
    apply_mirror mirror transform
a position is always well-formed, else PositionError is raised
    status is_valid
solve(position) of the game gives value, best turn and line
    solve value analyse analyze analysis evaluate eval engine solve_board par calc_dd_table
solve_many(array) of the game solves many positions
    solve_all_boards calc_all_tables solve_all batch_solve solve_batch apply
grade(position, turn) of the game says what a turn was worth
    analyse_play analyse_plays blunder accuracy
grade.before and grade.after are the values before and with the turn, and grade.verdict says in words what it gave away
    loss cost regret given given_away delta
grade.optimal is True if no turn was better
    is_optimal is_best is_mistake
answer.outcome is 'win' or 'loss' in Face to Face, whose answer.value is odd for a win
    won lost win wins is_win is_won winner
answer.value is the remoteness in Face to Face, and the difference of points in Take That
    remoteness distance points margin
answer.value is the value, answer.text in words
    score wdl dtz dtm dtw values returns rewards white relative result
best_turn(position) of the game is the best turn, and so are answer.best and grade.answer.best
    best best_turn bestmove best_move move best_action get_best_move suggest
answer.line is the principal line
    line pv principal_variation
answer.record() is a dict for JSON; backtrick solve --input positions.csv --output answers.csv writes files
    to_dict to_json to_csv to_records asdict json to_frame to_parquet
outcomes(position) of the game says what every turn is worth
    multipv outcome moves analyse_start solve_all_moves action_values
samples of the game has positions: selfplay(count), uniform(count) or hard(count), and arrays of them
    generate_deal generate_deals random_position random sample generate
pandas reads files, and solve_many(frame["position"]) takes a column
    read_csv read_parquet read_json DataFrame Series
open_tablebase(directory) of the game opens tables
    Tablebase tablebase load open load_tablebase syzygy gaviota open_tablebases
tablebase.probe(position) is the value, and get(position, default)
    probe_wdl probe_dtz get_wdl get_dtz probe_dtm get_dtm wdl_table
backtrick draw POSITION --svg FILE draws a position, and a notebook shows it; position.board() draws it as text
    svg draw plot show render pprint print unicode display
match(player, other, game=...) of backtrick.matches plays games
    play_match tournament Engine Arena arena
grade_game(file) grades a game that was written down or recorded, and backtrick.matches.read_records reads many
    read_game pgn read_pgn parse_pgn review
prove(game, position) of backtrick.proofs writes a proof
    prove proof proofs
import backtrick.learn.gymnasium, and then gymnasium.make knows its environments, such as backtrick/FaceToFace-v0
    gym env make Env FaceToFaceEnv TakeThatEnv FaceToFace TakeThat
state.view(seat) is what a player sees
    information_state_string information_state_tensor observation_string observation_tensor information_state
chance is dealt with the state, State.start(decks)
    chance_outcomes is_chance_node
backtrick.games.GAMES has the names of the games
    registered_names registered_games
backtrick.learn.openspiel registers the games in OpenSpiel
    num_distinct_actions max_utility get_type get_parameters num_players
"""
"""What to say, and below it, indented, the names for which it is said."""


def advice(name: str) -> str | None:
    """What to write in place of a name of another library; None if it is not known.

    >>> advice("legal_moves")
    'legal_turns(position) of the game lists the turns'
    """
    sentence = ""
    for line in ADVICE.strip().splitlines():
        if not line.startswith(" "):
            sentence = line
        elif name in line.split():
            return sentence
    return None


def missing(owner: str, name: str, thing: Any) -> AttributeError:
    """The error for a name that is not found. owner: what has no such name, in words; thing: the object itself.

    >>> from backtrick import face_to_face
    >>> print(missing("module 'backtrick.face_to_face'", "solve_mny", face_to_face))
    module 'backtrick.face_to_face' has no attribute 'solve_mny'; did you mean 'solve_many'?
    """
    found = advice(name) if not name.startswith("_") else None
    if found is None and not name.startswith("_"):
        close = get_close_matches(name, [one for one in dir(thing) if not one.startswith("_")], 1, 0.75)
        found = f"did you mean {close[0]!r}?" if close else None
    return AttributeError(f"{owner} has no attribute {name!r}{f'; {found}' if found else ''}")


class _Advice:
    """A name of another library on a class: to read it raises the error that says how to write it. `__getattr__` would make every
    attribute slower."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, one: object, owner: type) -> Any:
        raise missing(f"{owner.__name__!r} object" if one is not None else f"type object {owner.__name__!r}", self._name, owner)


class Advising(type):
    """The metaclass of classes that answer the names of other libraries, as far as they do not have them, with advice. `dir` and
    `help` do not list them. A width in an f-string is that of the text of an object."""

    def __init__(cls, name: str, bases: tuple[type, ...], given: dict[str, Any]) -> None:
        super().__init__(name, bases, given)
        own = {*type.__dir__(cls), *given.get("__annotations__", ())}
        for other in " ".join(line for line in ADVICE.splitlines() if line.startswith(" ")).split():
            if other not in own:
                setattr(cls, other, _Advice(other))
        if cls.__format__ == object.__format__:  # type: ignore[comparison-overlap]
            cls.__dir__ = _names_of  # type: ignore[assignment, method-assign]
            cls.__format__ = _aligned  # type: ignore[assignment, method-assign]

    def __dir__(cls) -> list[str]:
        places = [vars(base) for base in cls.__mro__]
        return [
            name
            for name in super().__dir__()
            if not isinstance(next((place[name] for place in places if name in place), None), _Advice)
        ]


class AbstractAdvising(Advising, ABCMeta):
    """The same for classes with abstract methods."""


def _names_of(one: Any) -> list[str]:
    return sorted({*dir(type(one)), *getattr(one, "__dict__", ())})


def _aligned(one: Any, how: str) -> str:
    return format(str(one), how)
