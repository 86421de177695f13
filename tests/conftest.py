"""What all tests share: one profile for hypothesis, the same examples in every run."""

from hypothesis import settings

# Derandomised, so that a check that passes here passes everywhere; random examples are for `--hypothesis-profile=search`.
settings.register_profile("repeatable", max_examples=60, derandomize=True, deadline=None, database=None)
settings.register_profile("search", deadline=None, max_examples=2000)
settings.load_profile("repeatable")
