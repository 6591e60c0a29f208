"""Provide probes that a busy machine does not hurry."""

import pytest

from tourney.league.probing import probes, program_probes


@pytest.fixture
def patient_probes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Probe a bot to the end, and wait for its own: only a hang reaches these limits."""
    monkeypatch.setattr(probes, "MOST_SECONDS", 3600.0)
    monkeypatch.setattr(program_probes, "LEAVE_SECONDS", 60.0)
    monkeypatch.setattr(program_probes, "PATIENT_SECONDS", 600)
