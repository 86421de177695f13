"""The examples of this game in `backtrick COMMAND --help`. A test runs every line that begins with $ and compares."""

EXAMPLES = {
    "odds": """\
$ backtrick odds "75,78,79,83,85,88,89,93,97 ?9 76-77-86 ?1 !$(seq 12 74 | grep -v 0 | paste -sd ,)" | tail -n +2 | head -5
  worlds  10 of 10, exact

  mean          turn
  12.000  = 12  88
  8.000   = 8   78
""",
    "solve": """\
$ backtrick solve "15,43,44 21,53 51-62-35"
15,43,44 21,53 51-62-35
  value  +6
  best   44   (1 of 4 outcomes)
  line   44 | 53x35 +2 | 43 | take -8

$ backtrick solve --all "15,43,44 21,53 51-62-35"
15,43,44 21,53 51-62-35
  value  +6
  best   44   (1 of 4 outcomes)
  line   44 | 53x35 +2 | 43 | take -8

  value  turn   points  next position, its mover first
  +6     44     0       21,53 15,43 51-62-35-44
  +4     43     0       21,53 15,44 51-62-35-43
  -1     15x51  +2      21,53 43,44 62-35
  -3     take   -3      the game is over

$ backtrick sample 3 --seed 1 --game take_that | backtrick solve -
12,14,15,64,65,72,79,83,88 13,21,22,56,66,67,89,93,97 57-49-54-62	-4	take
29,34,63,65,69,88,91,94,95 14,19,31,43,44,56,77,92,96 39-47-49	-3	take
14,15,23,38,41,55,58,64,95 32,33,46,51,59,71,83,85,91 57	6	55

$ backtrick solve "12,43,94 21 34-41-49 22,33"
12,43,94 21 34-41-49 22,33
  value  +10
  best   43
  line   43 | take,21 -4 | 22 | take -6

$ backtrick solve --nodes 500 "18,29,32,58,69,83,86,87,92 31,36,38,64,71,75,89,93,95 78-57-39-17-59-96-46-85-98-13-15-68-23-63-81"
18,29,32,58,69,83,86,87,92 31,36,38,64,71,75,89,93,95 78-57-39-17-59-96-46-85-98-13-15-68-23-63-81
  value  not solved within the limits, from -3 to 0: 500 nodes searched
""",
    "best": """\
$ backtrick best "15,43,44 21,53 51-62-35"
44

$ backtrick best --empty-line ends "12,44 98 -"
-
""",
    "turns": """\
$ backtrick turns "15,43,44 21,53 51-62-35"
43
44
15x51
take

$ backtrick turns --count "15,43,44 21,53 51-62-35"
4

$ backtrick turns --forced-only "45 46,47 41"
45
""",
    "grade": """\
$ backtrick grade "15,43,44 21,53 51-62-35" 15x51
gives 7 points away: -1; best 44: +6
""",
    "prove": """\
$ backtrick prove "12,43 21 34-41"
game take-that
claim =3 12,43 21 34-41
<=3 12,43 21 34-41 | take
<=-3 21 12 34-41-43
>=3 12,43 21 34-41 | 43
""",
    "draw": """\
$ cd "$(mktemp -d)"; backtrick draw "15,43,44 21,53 51-62-35" --svg table.svg; ls
table.svg
""",
    "export": """\
$ cd "$(mktemp -d)"; backtrick sample 500 --game take_that | backtrick export - --unique --format npy --output tt; ls -m tt
train	392	1286
validation	59	193
test	49	149
README.md, croissant.json, data, dataset.json
""",
    "sample": """\
$ backtrick sample 2 --seed 1 --game take_that
12,14,15,64,65,72,79,83,88 13,21,22,56,66,67,89,93,97 57-49-54-62
29,34,63,65,69,88,91,94,95 14,19,31,43,44,56,77,92,96 39-47-49

$ backtrick sample 1 --seed 1 --game take_that --piles 3
13,21,22,49,56,66,67,93,97 12,14,15,54,64,65,72,79,83 57 62,88,89

$ backtrick sample 1 --game take_that --source hard --seed 1
18,29,32,58,69,83,86,87,92 31,36,38,64,71,75,89,93,95 78-57-39-17-59-96-46-85-98-13-15-68-23-63-81
""",
    "match": """\
$ backtrick match careful eager --game take_that --games 20 --seed 1 --output "$(mktemp -d)/g" | grep -A 1 players
players          pairs  score   95 %            0, 1/2, 1, 3/2, 2  Elo               points
careful - eager  10     55.0 %  31.1 %..76.8 %  3 0 3 0 4          +35 (-139..+208)  +7.8 (-8.1..+23.7)
""",
    "report": """\
$ cd "$(mktemp -d)"; backtrick match careful eager --game take_that --games 4 --output g | wc -l; backtrick report g | tail -3
13
first mover  75.0 % 26.0 %..100.0 %
turns        64 in the median, 62..67
ended        points: 4
""",
    "replay": """\
$ cd "$(mktemp -d)"; backtrick match careful eager --game take_that --games 2 --output g | wc -l; backtrick replay g
13
g	ok	2 games
""",
}
