from backtrick.matches.playing import Match as Match
from backtrick.matches.playing import match as match
from backtrick.matches.playing import play_match as play_match
from backtrick.matches.record import Record as Record
from backtrick.matches.record import check_replay as check_replay
from backtrick.matches.record import read_records as read_records
from backtrick.matches.report import Report as Report
from backtrick.matches.report import reports as reports
