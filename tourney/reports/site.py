"""Report on a static site that was written."""

from collections.abc import Mapping
from os.path import join

from tourney.reports.render.report import Report
from tourney.text.i18n import _, ngettext
from tourney.text.numbers import Number


def written(folder: str, files: Mapping[str, bytes]) -> Report:
    """Report the number and the size of the files, and which one to open."""
    size = sum(map(len, files.values()))
    text = ngettext("{folder}: {number} file", "{folder}: {number} files", len(files))
    line = _("{size} kB in all. Open {file} in a browser, or copy the whole folder to a web host.")
    return Report(
        text.format(folder=folder, number=len(files)),
        data={"folder": folder, "files": len(files), "bytes": size},
        lines=(line.format(size=f"{Number(size / 1000):.0f}", file=join(folder, "index.html")),),
    )
