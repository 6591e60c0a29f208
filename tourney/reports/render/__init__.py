"""How a report is shown: as aligned text, JSON, CSV, Markdown or a plot."""
