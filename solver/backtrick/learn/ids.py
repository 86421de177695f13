"""The environments by their ids, for Gymnasium. Nothing heavy is imported, since the entry point makes Gymnasium call this."""

from __future__ import annotations

IDS = {"backtrick/FaceToFace-v0": "face_to_face", "backtrick/TakeThat-v0": "take_that"}
"""The ids, and the games."""


def register() -> None:
    """Registers the ids that Gymnasium does not know yet. Versions of it with plug-ins call this by themselves."""
    from gymnasium.envs import registration

    for name, game in IDS.items():
        if name not in registration.registry:
            registration.register(
                name,
                entry_point="backtrick.learn.gymnasium:Environment",
                vector_entry_point="backtrick.learn.vector:VectorEnv",
                kwargs={"game": game},
            )
