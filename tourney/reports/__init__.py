"""Domain values as reports: a title, columns, rows and notes, and their form as CSV, JSON and Markdown."""
