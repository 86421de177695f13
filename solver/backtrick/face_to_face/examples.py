"""The examples of this game in `backtrick COMMAND --help`. A test runs every line that begins with $ and compares."""

EXAMPLES = {
    "odds": """\
$ backtrick odds "45^17v:18,33,50+?9,44,47 43^20v:?2:4,5,9,12"
45^17v:18,33,50+?9,44,47 43^20v:?2:4,5,9,12
  worlds  18 of 18, exact

  share         turn
  0.500  = 1/2  33^' 50^
  0.500  = 1/2  33v' 50^
  0.000  = 0    18^' 50^

$ backtrick odds --samples 40 "54^54v:5,11,19,55,56,57+?15,18,41,42,51 23^35v:?6:6,8,11,14,37,38,46,52,53,58,59" | head -6
54^54v:5,11,19,55,56,57+?15,18,41,42,51 23^35v:?6:6,8,11,14,37,38,46,52,53,58,59
  worlds  40 of 1,663,200, drawn with seed 0, ended by samples

  share                   turn
  0.425         +- 0.082  11^' 55^ 56^
  0.425         +- 0.082  11^' 55^ 56^ 57^

$ echo "45^17v:18,33,50+?9,44,47 43^20v:?2:4,5,9,12" | backtrick odds -
45^17v:18,33,50+?9,44,47 43^20v:?2:4,5,9,12	33^' 50^	1/2	exact	0
45^17v:18,33,50+?9,44,47 43^20v:?2:4,5,9,12	33v' 50^	1/2	exact	0
45^17v:18,33,50+?9,44,47 43^20v:?2:4,5,9,12	18^' 50^	0	exact	0
""",
    "solve": """\
$ backtrick solve "52^6v:16,18,19,57 53^15v:4,7,29,44"
52^6v:16,18,19,57 53^15v:4,7,29,44
  value  win in 3
  best   16v 18v'   (1 of 16 outcomes)
  line   16v 18v' | 4v 7^' | 19^ 57^

$ backtrick solve --all "27^40v:17,18,45 13^50v:5,12"
27^40v:17,18,45 13^50v:5,12
  value  win in 1
  best   17^ 18^ 45^   (3 of 9 outcomes)
  line   17^ 18^ 45^

  value      turn         ways  next position, its mover first
  win in 1   17^ 18^ 45^     1  13^50v:5,12 45^40v:
  win in 1   17^ 18v 45^     3  13^50v:5,12 45^18v:
  win in 1   18v 17v 45^     3  13^50v:5,12 45^17v:
  loss in 2  17^ 18^         1  13^50v:5,12 18^40v:45
  loss in 2  17^ 18v         2  13^50v:5,12 17^18v:45
  loss in 2  17^ 45^         1  13^50v:5,12 45^40v:18
  loss in 2  17v 45^         2  13^50v:5,12 45^17v:18
  loss in 2  18v 17v         1  13^50v:5,12 27^17v:45
  loss in 2  18v 45^         2  13^50v:5,12 45^18v:17

$ backtrick sample 3 --seed 1 | backtrick solve -
40^4v:15,33,54,56 3^41v:8,16,19,27	loss	2	54^ 56^
45^36v:10,28,29,34,52,54 57^24v:13,21,29,39,44,48	win	1	10^' 34v 29v 28v 52^ 54^
41^7v:24,25,34,54 56^53v:2,4,34,43,57	loss	2	24^' 54^

$ backtrick sample 1000 --source clustered | backtrick solve - | cut -f 2,3 | sort | uniq -c
      5 loss	0
     32 loss	2
      2 loss	4
    961 win	1

$ backtrick solve --lone-card "27^40v:28 13^50v:5,12"
27^40v:28 13^50v:5,12
  value  win in 1
  best   28^   (2 of 2 outcomes)
  line   28^

$ backtrick solve "27^40v:17,18,45+20,33,50 43^20v:5,12+4,9"
27^40v:17,18,45+20,33,50 43^20v:5,12+4,9
  value  win
  best   17^ 45v'
  line   17^ 45v' | 5v 12^' | 18^ 20^ 33^ 50^

$ backtrick sample 2 --seed 1 --piles 4 | backtrick solve --seconds 60 -
29^14v:45,52,53,58 41^4v:8,25,43,45,54,57+27,11,49	win	?	45^ 52^
47^12v:4,40,41,50,56+15,33,54 19^44v:3,8,19,23,40,42+13,16,27	loss	?	4v 50^ 40^ 56v'

$ backtrick solve --nodes 1 "22^7v:7,15,24,36,52,53+21,13,19,20 59^24v:3,9,31,32,35,48+29,2,21,27,58,42,26"
22^7v:7,15,24,36,52,53+21,13,19,20 59^24v:3,9,31,32,35,48+29,2,21,27,58,42,26
  value  not solved within the limits: 1 nodes searched
""",
    "best": """\
$ backtrick best "52^6v:16,18,19,57 53^15v:4,7,29,44"
16v 18v'

$ backtrick best --json "27^40v:17,18,45 13^50v:5,12"
{"game": "face_to_face", "position": "27^40v:17,18,45 13^50v:5,12", "best": "17^ 18^ 45^", "source": "search"}
""",
    "turns": """\
$ backtrick turns "27^40v:17,18 13^50v:5,12"
17^ 18^
17^ 18v
18v 17^
18v 17v

$ backtrick turns --count "20^52v:2,4,37,52,54 56^16v:8,15,30,40,41,51"
1432

$ backtrick turns --json "27^40v:17,18 13^50v:5"
{"game": "face_to_face", "position": "27^40v:17,18 13^50v:5", "count": 4, "turns": ["17^ 18^", "17^ 18v", "18v 17^", "18v 17v"]}
""",
    "grade": """\
$ backtrick grade "52^6v:16,18,19,57 53^15v:4,7,29,44" "16v 18v'"
optimal: win in 3

$ backtrick grade "27^40v:17,18,45 13^50v:5,12" "17^ 18^"
throws the win away: loss in 2; best 17^ 18^ 45^: win in 1

$ backtrick grade "27^40v:17,18,45+20,33,50 43^20v:5,12+4,9" "17v 45v'"
throws the win away: loss; best 17^ 45v': win

$ backtrick sample 3 --seed 1 | backtrick best - | backtrick grade - | cut -f 2-
54^ 56^	optimal	2	2
10^' 34v 29v 28v 52^ 54^	optimal	1	1
24^' 54^	optimal	2	2

$ cd "$(mktemp -d)"; backtrick match frugal hasty --games 4 --output g | wc -l; backtrick grade --game g --piles 2 | grep away
13
2	51	hasty	2	36^21v:3,35,43,53,54,58+52,25 49^14v:2,5,31,51,53,58+4	43^' 53^	solved	throws the win away
4	55	hasty	0	25^5v:23,33,44,47 55^13v:11,38	47^' 33^	exact	throws the win away
""",
    "prove": """\
$ backtrick prove "27^40v:17,18,45+20,33,50 43^20v:5,12+4,9"
game face-to-face
claim win 27^40v:17,18,45+20,33,50 43^20v:5,12+4,9
win 27^40v:17,18,45+20,33,50 43^20v:5,12+4,9 | 17^ 45v'/18^ 20^ 33^ 50v
""",
    "draw": """\
$ backtrick draw "27^40v:17,18,45 13^50v:5,12" | head -c 63; echo
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 440 480" w
""",
    "export": """\
$ cd "$(mktemp -d)"; backtrick export --positions 1000 --seed 1 --format npy --output set; ls set/data/test | paste -s -d " "
train	806	162286
validation	104	23315
test	90	14578
best.npy class.npy offsets.npy payoff.npy position.npy remoteness.npy turn_payoffs.npy turn_remoteness.npy turns.npy

$ cd "$(mktemp -d)"; backtrick export "27^40v:17,18 13^50v:5,12" --format jsonl --output one; fold -w 117 one/data/train-*
train	1	3
validation	0	0
test	0	0
{"position": "27^40v:17,18 13^50v:5,12", "payoff": 1, "remoteness": 1, "best": "17^ 18^", "class": 131765948624022670
1, "turns": ["17^ 18^", "17^ 18v", "18v 17v"], "turn_payoffs": [1, 1, 1], "turn_remoteness": [1, 1, 1]}
""",
    "sample": """\
$ backtrick sample 2 --seed 1
40^4v:15,33,54,56 3^41v:8,16,19,27
45^36v:10,28,29,34,52,54 57^24v:13,21,29,39,44,48

$ backtrick sample 2 --seed 1 --piles 5
32^14v:34,41,45,52,58+53 16^4v:29,41,43,45,54,57+8,25,27,11,49
30^10v:32,41,47,50,56,57+40,4,15,33,54 19^58v:3,12,19,40,42,44+23,8,13,16,27

$ backtrick sample 1 --source tight --seed 1
56^22v:17,23,27,33,41,51 53^14v:7,16,17,26,39,49

$ backtrick sample 1 --seed 2 --policies frugal hasty --json
{"game": "face_to_face", "position": "23^21v:11,12,47,50,58,59 8^55v:33,42,53,55,59"}

$ backtrick sample 2 --source uniform --hands 3 2 --seed 1
15^19v:28,31,45 53^26v:10,49
54^49v:20,23,31 29^2v:30,31
""",
    "generate": """\
$ backtrick generate --cards 4 --list
1v1
1v2
2v1
1v3
2v2
3v1

$ backtrick generate 3v2 --tables "$(mktemp -d)" | cut -f 1
2v1
3v2
""",
    "check": """\
$ cd "$(mktemp -d)"; backtrick generate 3v2 | wc -l; backtrick check | cut -f 1,2
2
tablebases/2v1.h5	ok
tablebases/3v2.h5	ok

$ cd "$(mktemp -d)"; backtrick generate 2v1 | wc -l; printf x >> tablebases/2v1.h5; backtrick check 2>&1 | cut -d : -f 2,3
1
 tablebases/2v1.h5: it is cut short or damaged
""",
    "verify": """\
$ cd "$(mktemp -d)"; backtrick generate 3v2 | wc -l; backtrick verify
2
tablebases/2v1.h5	verified	12894 slots by search
tablebases/3v2.h5	verified	2344190 slots by search

$ cd "$(mktemp -d)"; backtrick generate 4v1 --by search --tables here | wc -l; backtrick verify here/4v1.h5
3
here/4v1.h5	verified	981575 slots by rows

$ cd "$(mktemp -d)"; backtrick generate 1v5 | wc -l; backtrick verify --by both --share 10%
1
tablebases/1v5.h5	verified	4194304 of 6887260 slots by rows
tablebases/1v5.h5	verified	4194304 of 6887260 slots by search
""",
    "info": """\
$ cd "$(mktemp -d)"; backtrick generate 3v2 | wc -l; backtrick info tablebases/3v2.h5 | tail -5
2
  remoteness  classes    share
  loss in 0   98,640     2.4601%
  win in 1    3,689,659  92.0196%
  loss in 2   221,347    5.5204%
  all         4,009,646

$ cd "$(mktemp -d)"; backtrick generate 2v1 | wc -l; backtrick info --full tablebases/2v1.h5 | tail -8
1
  remoteness  share in classes  share in positions  positions
  loss in 0   5.4051%           10.8266%            124,736,700,886
  win in 1    94.5949%          89.1734%            1,027,393,432,292
  wins        94.5949%          89.1734%            1,027,393,432,292

  helpful card (F4)           share of wins in classes  share of wins in positions  positions
  won only by a helpful card  8.6980%                   13.8313%                    142,101,861,478
  won fastest only by one     8.6980%                   13.8313%                    142,101,861,478

$ cd "$(mktemp -d)"; backtrick generate 1v1 | wc -l; backtrick info --json tablebases/1v1.h5 | grep -o '"classes": [0-9]*'
1
"classes": 1329
""",
    "match": """\
$ backtrick match frugal hasty --games 20 --seed 1
The Game: Face to Face
20 games on 10 deals

players         pairs  score   95 %            0, 1/2, 1, 3/2, 2  Elo
frugal - hasty  10     85.0 %  66.2 %..94.3 %  0 0 3 0 7          +301 (+117..+486)

rating, Elo        95 %
frugal       +140  +70..+323
hasty        -140  -323..-70

first mover  65.0 % 50.0 %..80.0 %
turns        51 in the median, 38..57
ended        all cards laid: 14, stuck: 6

$ backtrick match frugal tuned --games 20 --seed 1 --adjudicate --piles 12 | tail -1
ended        solved deal: 14, stuck: 6
""",
    "report": """\
$ cd "$(mktemp -d)"; backtrick match frugal hasty random --games 20 --output g | wc -l; backtrick report g --sprt 0 50 | head -7
16
The Game: Face to Face
60 games on 10 deals

players          pairs  score    95 %             0, 1/2, 1, 3/2, 2  Elo                LLR
frugal - hasty   10     85.0 %   66.2 %..94.3 %   0 0 3 0 7          +301 (+117..+486)  1.51  not decided yet
frugal - random  10     100.0 %  72.2 %..100.0 %  0 0 0 0 10         +inf (+166..+inf)  1.82  not decided yet
hasty - random   10     100.0 %  72.2 %..100.0 %  0 0 0 0 10         +inf (+166..+inf)  1.82  not decided yet

$ cd "$(mktemp -d)"; backtrick match frugal hasty --games 4 --seed 1 --output g | wc -l; backtrick report --piles 8 g | tail -6
13
with open cards, R cards in the larger draw pile
R 0     frugal  1 turns in 1 games, optimal: 1
R 1..4  frugal  4 turns in 2 games, optimal: 4
R 1..4  hasty   3 turns in 2 games, optimal: 3
R 5..8  frugal  4 turns in 2 games, optimal: 3, throws the win away: 1
R 5..8  hasty   4 turns in 2 games, optimal: 2, throws the win away: 2
""",
    "replay": """\
$ cd "$(mktemp -d)"; backtrick match frugal hasty --games 20 --seed 1 --output g | wc -l; backtrick replay g
13
g	ok	20 games
""",
}
