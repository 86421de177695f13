from backtrick.learn.judging import Mistake as Mistake
from backtrick.learn.judging import Regret as Regret
from backtrick.learn.judging import judge as judge
from backtrick.learn.judging import regret as regret
from backtrick.learn.values import ActionValues as ActionValues
from backtrick.learn.values import TurnValues as TurnValues
from backtrick.learn.values import action_values as action_values
from backtrick.learn.values import turn_values as turn_values
