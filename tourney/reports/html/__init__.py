"""Reports as HTML, for a screen and for paper: one set of templates, one stylesheet."""
