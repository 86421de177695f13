"""The examples of this game in `backtrick COMMAND --help`. A test runs every line that begins with $ and compares."""

EXAMPLES = {
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
16,32,33,59,64,75,81,86,89 23,42,54,61,65,66,73,78,85 25-15	-2	take
25,27,33,35,39,41,49,95,96 14,31,44,52,87,89,93,94,98 45-55-48-38-32-29	15	33
19,21,27,58,68,71,75,87,96 17,36,37,57,66,72,78,86,91 63	-1	take

$ backtrick solve --nodes 500 "18,29,32,58,69,83,86,87,92 31,36,38,64,71,75,89,93,95 78-57-39-17-59-96-46-85-98-13-15-68-23-63-81"
18,29,32,58,69,83,86,87,92 31,36,38,64,71,75,89,93,95 78-57-39-17-59-96-46-85-98-13-15-68-23-63-81
  value  not solved within the limits, from -15 to +16: 500 nodes searched
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
    "sample": """\
$ backtrick sample 2 --seed 1 --game take_that
16,32,33,59,64,75,81,86,89 23,42,54,61,65,66,73,78,85 25-15
25,27,33,35,39,41,49,95,96 14,31,44,52,87,89,93,94,98 45-55-48-38-32-29

$ backtrick sample 1 --game take_that --source hard --seed 1
18,29,32,58,69,83,86,87,92 31,36,38,64,71,75,89,93,95 78-57-39-17-59-96-46-85-98-13-15-68-23-63-81
""",
}
