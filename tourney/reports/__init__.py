"""Domain values as reports: a title, columns, rows and notes, and their form as CSV, JSON and Markdown."""

from tourney.reports.report import Cell, Column, Report, Section, cell_text

__all__ = ["Cell", "Column", "Report", "Section", "cell_text"]
