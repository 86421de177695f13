"""The games as other libraries play them. Each module needs a library that Backtrick does without otherwise."""
