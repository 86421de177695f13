"""Examples to train the networks on.

For the network of the player `net`: positions after random turns of games, and how often play-outs from there are won. GROUP examples
are made together. They depend only on the seed and the number of the group.

For those of `sampler`: the positions after its turns in games, and what became of them.
"""

from libc.math cimport exp, log1p
from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t, uint64_t

from backtrick._arguments cimport check_span
from backtrick._bits cimport __builtin_popcountll
from backtrick._random cimport Stream, below, shuffle, stream_of
from backtrick.face_to_face._deal cimport MOST_TURNS, lowest
from backtrick.face_to_face._layout cimport HIGHEST
from backtrick.face_to_face._play cimport (
    FEATURES,
    FRUGAL,
    ROWS,
    TUNED,
    VALUES,
    WIDTH,
    Seat,
    Turns,
    cards_due,
    check_prices,
    check_weights,
    dealt,
    draw,
    cards_in,
    lay_turn,
    list_outcomes,
    make_outcome,
    network_value,
    play_on,
    play_turn,
    turn_of,
    value_outcomes,
    write_features,
)
from backtrick.face_to_face._players cimport SHARES, Sampler, score_of

cdef enum:
    CARDS = HIGHEST - 2
    GROUP = 32
    TURNS = 8                   # of one position
    STRETCH = 12                # fewer turns than this between two positions of a game
    ODD_TURN = 8                # one turn in ODD_TURN is random
    TRIES = 32                  # random turns that the network compares in games, which is quicker than all
    PLAYERS = 4                 # of a game: frugal, tuned, and two chances for the network

cdef struct Learner:
    int keep
    const int32_t *prices
    const int16_t *weights      # NULL: no network yet
    Turns found
    int playouts                # of a turn of `sampler`


cdef void start_learner(
    Learner *learner, const int32_t *prices, const int16_t *weights, uint32_t *turns, int32_t *values,
) noexcept nogil:
    learner.keep = 2
    learner.prices, learner.weights = prices, weights
    learner.found.turns, learner.found.values = turns, values


cdef void deal_seat(Seat *seat, uint8_t *cards, Stream *stream) noexcept nogil:
    cdef int card
    for card in range(CARDS):
        cards[card] = 2 + card
    shuffle(stream, cards, CARDS)
    seat[0] = dealt(cards, CARDS)


cdef void redeal(Seat *seat, bint hand_too, uint8_t *cards, Stream *stream) noexcept nogil:
    """The cards that cannot be seen in a new random order: the pile, or hand and pile."""
    cdef int held = __builtin_popcountll(seat.hand), count = 0
    cdef uint64_t rest = seat.unlaid if hand_too else seat.unlaid & ~seat.hand
    while rest:
        cards[count] = lowest(rest)
        rest &= rest - 1
        count += 1
    shuffle(stream, cards, count)
    seat.pile, seat.to_come = cards, count
    if hand_too:
        seat.hand = 0
        draw(seat, held)


cdef int best_of(Learner *learner, const Seat *own, const Seat *other, int tries, Stream *stream) noexcept nogil:
    """The place of the best of `tries` random turns, as the network values them."""
    cdef Seat next_own, next_other
    cdef uint8_t[FEATURES] features
    cdef int32_t value, most = 0
    cdef int best = -1, place, drawn
    for _ in range(tries):
        place = below(stream, learner.found.count)
        if tries == 1:
            return place
        next_own, next_other = own[0], other[0]
        drawn = make_outcome(&learner.found, learner.found.turns[place], &next_own, &next_other)
        if not next_own.unlaid:
            return place
        write_features(&next_own, &next_other, __builtin_popcountll(other.hand), drawn, features)
        value = network_value(features, learner.weights)
        if best < 0 or value > most:
            best, most = place, value
    return best


cdef bint network_plays(Learner *learner, Seat *own, Seat *other, int tries, Stream *stream) noexcept nogil:
    """Plays the best of `tries` random turns (0: of all turns); False if there is none."""
    cdef int best = -1
    list_outcomes(&learner.found, own, other, learner.keep)
    if not learner.found.count:
        return False
    if tries:
        best = best_of(learner, own, other, tries, stream)
    else:
        best = value_outcomes(&learner.found, own, other, __builtin_popcountll(other.hand), learner.weights)
    draw(own, make_outcome(&learner.found, learner.found.turns[best], own, other))
    return True


cdef bint random_plays(Learner *learner, Seat *own, Seat *other, Stream *stream) noexcept nogil:
    list_outcomes(&learner.found, own, other, learner.keep)
    if learner.found.count:
        draw(own, make_outcome(&learner.found, learner.found.turns[below(stream, learner.found.count)], own, other))
    return learner.found.count > 0


cdef bint policy_plays(Learner *learner, int policy, Seat *own, Seat *other) noexcept nogil:
    cdef uint64_t turn = turn_of(policy, own, other, learner.keep, learner.prices)
    if turn:
        play_turn(own, other, turn)
    return turn != 0


cdef int go_on(Learner *learner, Seat *seats, int mover, const uint64_t *players, Stream *stream) noexcept nogil:
    """Plays a random number of turns of a game between two players. Returns whose turn it is, or -1 if the game is over."""
    cdef bint played
    for _ in range(<int> below(stream, STRETCH)):
        if below(stream, ODD_TURN) == 0:
            played = random_plays(learner, &seats[mover], &seats[1 - mover], stream)
        elif learner.weights == NULL or players[mover] < 2:
            played = policy_plays(learner, FRUGAL if players[mover] == 0 else TUNED, &seats[mover], &seats[1 - mover])
        else:
            played = network_plays(learner, &seats[mover], &seats[1 - mover], TRIES, stream)
        if not played or not seats[mover].unlaid:
            return -1
        mover = 1 - mover
    return mover


cdef int play_out(Learner *learner, const Seat *from_own, const Seat *from_other, int drawn, int policy, Stream *stream) noexcept nogil:
    """1 if the player who has just made a turn wins a game in a random world, else 0."""
    cdef Seat[2] seats
    cdef uint8_t[2 * CARDS] cards
    cdef uint8_t[2] policies
    policies[0], policies[1] = TUNED, policy
    seats[0], seats[1] = from_own[0], from_other[0]
    redeal(&seats[0], False, cards, stream)
    redeal(&seats[1], True, cards + CARDS, stream)
    draw(&seats[0], drawn)
    return 1 - play_on(seats, 1, policies, learner.keep, learner.prices)


cdef void make_examples(Learner *learner, uint64_t seed, uint64_t number, int playouts, uint8_t *features, float *labels) noexcept nogil:
    """GROUP examples: now and then in games between random players, some random turns of one position."""
    cdef Stream stream = stream_of(seed, number)
    cdef Seat[2] seats
    cdef Seat own, other
    cdef uint8_t[2 * CARDS] cards
    cdef uint64_t[2] players
    cdef int mover = -1, drawn, won, place, made = 0, turns, i
    while made < GROUP:
        if mover < 0:
            deal_seat(&seats[0], cards, &stream)
            deal_seat(&seats[1], cards + CARDS, &stream)
            players[0], players[1] = below(&stream, PLAYERS), below(&stream, PLAYERS)
            mover = 0
        mover = go_on(learner, seats, mover, players, &stream)
        if mover < 0:
            continue
        list_outcomes(&learner.found, &seats[mover], &seats[1 - mover], learner.keep)
        for turns in range(TURNS if learner.found.count else 0):
            own, other = seats[mover], seats[1 - mover]
            # any turn, or the best of 4, 16 or 64 random ones
            place = best_of(learner, &own, &other, 1 << (2 * below(&stream, 4)) if learner.weights != NULL else 1, &stream)
            drawn = make_outcome(&learner.found, learner.found.turns[place], &own, &other)
            if not own.unlaid or made == GROUP:
                break
            write_features(&own, &other, __builtin_popcountll(other.hand), drawn, features + made * FEATURES)
            won = 0
            for i in range(playouts):
                won += play_out(learner, &own, &other, drawn, FRUGAL if i % 3 else TUNED, &stream)
            labels[made] = won / <float> playouts
            made += 1


def match_range(const uint8_t[:, :, ::1] decks not None, uint8_t[::1] winners not None, Py_ssize_t start, Py_ssize_t stop,
                int seat, int policy, const int32_t[:, ::1] prices not None, const int16_t[:, ::1] weights not None):
    """Plays games start..stop-1 of the network, in `seat`, against a policy as in `_play.play_range`: the winner's seat of each.

    decks[i, seat]: the cards in the order drawn. Returns -1, or the place of a game whose decks are not the number cards (F1).
    """
    cdef Learner learner
    cdef uint32_t[MOST_TURNS] turns
    cdef int32_t[MOST_TURNS] values
    cdef Seat[2] seats
    cdef Py_ssize_t i
    cdef int mover, policies = check_prices(prices).count
    cdef uint64_t turn
    check_span(start, stop, min(decks.shape[0], winners.shape[0]))
    if decks.shape[1] != 2 or decks.shape[2] != CARDS or not 0 <= seat <= 1 or not 0 <= policy < policies:
        raise ValueError(f"decks (n, {decks.shape[1]}, {decks.shape[2]}), seat {seat} or policy {policy} is out of range")
    start_learner(&learner, check_prices(prices).prices, check_weights(weights), turns, values)
    with nogil:
        for i in range(start, stop):
            if not (cards_in(&decks[i, 0, 0], CARDS) and cards_in(&decks[i, 1, 0], CARDS)):
                break
            seats[0], seats[1] = dealt(&decks[i, 0, 0], CARDS), dealt(&decks[i, 1, 0], CARDS)
            mover = 0
            while True:
                if mover == seat:
                    turn = network_plays(&learner, &seats[mover], &seats[1 - mover], 0, NULL)
                else:
                    turn = turn_of(policy, &seats[mover], &seats[1 - mover], learner.keep, learner.prices)
                    if turn:
                        play_turn(&seats[mover], &seats[1 - mover], turn)
                if not turn or not seats[mover].unlaid:
                    winners[i] = mover if turn else 1 - mover
                    break
                mover = 1 - mover
        else:
            i = -1
    return i


def examples_range(uint8_t[:, ::1] features not None, float[::1] labels not None, Py_ssize_t start, Py_ssize_t stop, uint64_t seed,
                   const int32_t[:, ::1] prices not None, const int16_t[:, ::1] weights, int playouts):
    """Fills in groups start..stop-1 of examples of a seed: features, uint8, shape (GROUP n, FEATURES), and the share of play-outs
    that is won.

    weights: None, or the tables of the network that chooses turns of the games.
    """
    cdef Learner learner
    cdef uint32_t[MOST_TURNS] turns
    cdef int32_t[MOST_TURNS] values
    cdef Py_ssize_t i
    check_span(start, stop, min(features.shape[0], labels.shape[0]) // GROUP)
    if features.shape[1] != FEATURES:
        raise ValueError(f"there must be {FEATURES} features, not {features.shape[1]}")
    if prices.shape[0] != 1 or playouts < 1:
        raise ValueError(f"{prices.shape[0]} rows of prices, {playouts} play-outs")
    start_learner(
        &learner, check_prices(prices).prices, check_weights(weights) if weights is not None else NULL, turns, values)
    with nogil:
        for i in range(start, stop):
            make_examples(&learner, seed, i, playouts, &features[i * GROUP, 0], &labels[i * GROUP])


# Games of `sampler`, which knows what kind of opponent it has. One turn in ODD_TURN is any candidate, so that it sees worse positions.
#
# The label of a position is what became of it: the result of the game, mixed with the sampler's own estimates at its later turns, the
# nearer the more (the lambda return of temporal differences). What followed an odd turn says nothing about the positions before it.

cdef enum:
    MOST_OWN_TURNS = CARDS // 2
    CANDIDATES = 16
    WORK = 4                    # as in `players.py`

cdef float TRUST = 0.9          # in what follows, against the estimate at the next turn


cdef uint64_t sampled_turn(Sampler sampler, const Seat *own, const Seat *other, int playouts, int frugal_shares, float *estimate,
                           int *candidates) noexcept nogil:
    """The turn that the sampler chooses (0: there is none), its chance to win by it, and how many candidates there were."""
    cdef int rounds = 0, worlds
    sampler.sight.own, sampler.sight.other = own[0], other[0]
    sampler.sight.other.hand = 0
    sampler.sight.other_held = __builtin_popcountll(other.hand)
    sampler.count, sampler.frugal_shares = 0, frugal_shares
    sampler._choose(CANDIDATES)
    candidates[0] = sampler.count
    if not sampler.count:
        return 0
    while (1 << rounds) < sampler.count:
        rounds += 1
    while sampler.count > 1:
        worlds = playouts // (WORK * rounds) // sampler.count
        for _ in range(max(worlds, 1)):
            sampler._play_world()
        sampler._halve()
    estimate[0] = <float> score_of(&sampler.candidates[0])
    return sampler.candidates[0].turn


cdef void label_turns(float *labels, const float *estimates, const bint *odd, int count, float result) noexcept nogil:
    cdef int i
    for i in range(count - 1, -1, -1):
        labels[i] = result
        result = estimates[i] if odd[i] else (1 - TRUST) * estimates[i] + TRUST * result


cdef bint sampler_plays(Sampler sampler, Learner *learner, bint against_frugal, uint64_t seed, uint64_t number, uint8_t *features,
                        float *labels) noexcept nogil:
    """Plays a game: features of the positions after the sampler's turns, and their labels; True if it won.

    Strong opponents are, one game after the other, the network and the sampler itself.
    """
    cdef Stream stream = stream_of(seed, 2 * number)
    cdef Seat[2] seats
    cdef Seat own, other
    cdef uint8_t[2 * CARDS] cards
    cdef float[MOST_OWN_TURNS] estimates
    cdef bint[MOST_OWN_TURNS] odd
    cdef float ignored
    cdef uint64_t turn
    cdef int seat = (number >> 1) & 1, mover, count = 0, candidates, due, winner
    cdef int shares = SHARES if against_frugal else 0
    sampler.stream = stream_of(seed, 2 * number + 1)
    for mover in range(2):
        deal_seat(&seats[mover], cards + mover * CARDS, &stream)
    mover = 0
    while True:
        own, other = seats[mover], seats[1 - mover]
        if mover == seat:
            turn = sampled_turn(sampler, &own, &other, learner.playouts, shares, &estimates[count], &candidates)
            odd[count] = turn and below(&stream, ODD_TURN) == 0
            if odd[count]:
                turn = sampler.candidates[below(&stream, candidates)].turn
        elif against_frugal:
            turn = turn_of(FRUGAL, &own, &other, learner.keep, learner.prices)
        elif number & 1:
            turn = sampled_turn(sampler, &own, &other, learner.playouts, shares, &ignored, &candidates)
        else:
            turn = network_plays(learner, &seats[mover], &seats[1 - mover], 0, NULL)
        if not turn:
            winner = 1 - mover                      # F13
            break
        if mover == seat:
            due = cards_due(&own, lay_turn(&own, &other, turn))
            if own.unlaid:
                write_features(&own, &other, __builtin_popcountll(other.hand), min(due, own.to_come),
                               features + count * FEATURES)
                count += 1
        if mover == seat or against_frugal or number & 1:
            play_turn(&seats[mover], &seats[1 - mover], turn)
        if not seats[mover].unlaid:
            winner = mover                          # F12
            break
        mover = 1 - mover
    label_turns(labels, estimates, odd, count, winner == seat)
    return winner == seat


def sampler_games(uint8_t[:, :, ::1] features not None, float[:, ::1] labels not None, uint8_t[::1] won not None, Py_ssize_t start,
                  Py_ssize_t stop, uint64_t seed, const int32_t[:, ::1] prices not None, const int16_t[:, ::1] weights not None,
                  Sampler sampler not None, int playouts, bint against_frugal):
    """Plays games start..stop-1 of a seed: fills in the features of the positions after the turns of `sampler`, shape
    (n, MOST_OWN_TURNS, FEATURES), their labels, and whether the game was won. Labels that no turn has stay as they are.

    weights: the tables of the network that is the opponent of every other game unless all are against `frugal`.
    """
    cdef Learner learner
    cdef uint32_t[MOST_TURNS] turns
    cdef int32_t[MOST_TURNS] values
    cdef Py_ssize_t i
    check_span(start, stop, min(features.shape[0], labels.shape[0], won.shape[0]))
    if features.shape[1] != MOST_OWN_TURNS or labels.shape[1] != MOST_OWN_TURNS or features.shape[2] != FEATURES:
        raise ValueError(f"there must be {FEATURES} features and a label of {MOST_OWN_TURNS} turns a game")
    if playouts < 1:
        raise ValueError(f"{playouts} play-outs")
    start_learner(&learner, check_prices(prices).prices, check_weights(weights), turns, values)
    learner.playouts = playouts
    with nogil:
        for i in range(start, stop):
            won[i] = sampler_plays(sampler, &learner, against_frugal, seed, i, &features[i, 0, 0], &labels[i, 0])


def slope_of(const uint8_t[:, ::1] features not None, const float[::1] labels not None, const float[:, ::1] weights not None,
             float[:, ::1] slopes not None):
    """Adds to `slopes` the slope of the logarithmic loss of these examples, and returns the loss: both sums. Weights and slopes
    have the shape (ROWS, WIDTH) of a network, as float32."""
    cdef Py_ssize_t i, feature, n = features.shape[0]
    cdef double loss = 0
    if features.shape[1] != FEATURES or labels.shape[0] != n:
        raise ValueError(f"{n} rows of {features.shape[1]} features, {labels.shape[0]} labels")
    if weights.shape[0] != ROWS or slopes.shape[0] != ROWS or weights.shape[1] != WIDTH or slopes.shape[1] != WIDTH:
        raise ValueError(f"a network must have the shape ({ROWS}, {WIDTH})")
    with nogil:
        for i in range(n):
            for feature in range(FEATURES):
                if features[i, feature] >= VALUES:
                    raise ValueError(f"feature {feature} of example {i} must be at most {VALUES - 1}, not {features[i, feature]}")
            loss += add_slope(&features[i, 0], labels[i], &weights[0, 0], &slopes[0, 0])
    return loss


cdef double add_slope(const uint8_t *features, float label, const float *weights, float *slopes) noexcept nogil:
    cdef float[WIDTH] sums
    cdef float[WIDTH] back
    cdef const float *row
    cdef float *slope
    cdef const float *out = weights + VALUES * FEATURES * WIDTH
    cdef float value, error
    cdef int feature, unit
    for unit in range(WIDTH):
        sums[unit] = 0
    for feature in range(FEATURES):
        row = weights + (VALUES * feature + features[feature]) * WIDTH
        for unit in range(WIDTH):
            sums[unit] += row[unit]
    value = sums[WIDTH - 1]
    for unit in range(WIDTH - 1):
        if sums[unit] > 0:
            value += sums[unit] * out[unit]
    error = <float> (1 / (1 + exp(-value))) - label
    slope = slopes + VALUES * FEATURES * WIDTH
    for unit in range(WIDTH - 1):
        back[unit] = error * out[unit] if sums[unit] > 0 else 0
        slope[unit] += error * (sums[unit] if sums[unit] > 0 else 0)
    back[WIDTH - 1] = error
    for feature in range(FEATURES):
        slope = slopes + (VALUES * feature + features[feature]) * WIDTH
        for unit in range(WIDTH):
            slope[unit] += back[unit]
    return (value if value > 0 else 0) + log1p(exp(-value if value > 0 else value)) - label * value
