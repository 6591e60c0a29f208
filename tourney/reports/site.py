"""Report on a static site that was written."""

from collections.abc import Mapping
from os.path import join

from tourney.reports.render.report import Report
from tourney.text.i18n import _, ngettext
from tourney.text.numbers import Number


def written(folder: str, files: Mapping[str, bytes]) -> Report:
    """Report the number and the size of the files, and which one to open."""
    size = sum(map(len, files.values()))
    text = ngettext("{folder}: {number} file, {size} kB", "{folder}: {number} files, {size} kB", len(files))
    title = text.format(folder=folder, number=len(files), size=f"{Number(size / 1000):.0f}")
    line = _("Open {file} in a browser, or copy the whole folder to a web host.")
    data = {"folder": folder, "files": len(files), "bytes": size}
    return Report(title, data=data, lines=(line.format(file=join(folder, "index.html")),))
