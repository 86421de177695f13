"""The environments by their ids, for Gymnasium. It knows them once one of their modules was imported."""

from __future__ import annotations

IDS = {"backtrick/FaceToFace-v0": "face_to_face", "backtrick/TakeThat-v0": "take_that"}
"""The ids, and the games."""


def register() -> None:
    """Registers the ids that Gymnasium does not know yet."""
    from gymnasium.envs import registration

    for name, game in IDS.items():
        if name not in registration.registry:
            registration.register(
                name,
                entry_point="backtrick.learn.gymnasium:Environment",
                vector_entry_point="backtrick.learn.vector:VectorEnv",
                kwargs={"game": game},
            )
