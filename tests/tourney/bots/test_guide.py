"""The Python of the guide's page on bots runs as it is printed, and prints what the page shows."""

import sys
from pathlib import Path

import pytest

from tests.harness.pages.examples import GUIDE, fences, language_of
from tourney.text.i18n import speaking


@pytest.mark.parametrize("page", [GUIDE / "bots.md", GUIDE / "es" / "bots.md"], ids=["en", "es"])
def test_the_python_of_the_page_prints_what_is_shown(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    blocks = fences(page)
    for fence in blocks:
        if fence["file"]:
            (tmp_path / fence["file"]).write_text(fence["body"], encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    place = next(at for at, fence in enumerate(blocks) if fence["language"] == "python" and not fence["file"])
    assert blocks[place + 1]["language"] == "text"
    with speaking(language_of(page)):
        exec(compile(blocks[place]["body"], str(page), "exec"), {})
    assert capsys.readouterr().out == blocks[place + 1]["body"]
