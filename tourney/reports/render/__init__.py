"""Show a report as aligned text, JSON, CSV, Markdown or a plot."""
