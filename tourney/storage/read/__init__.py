"""Read the database as domain values: one class, built up noun by noun, of which `reader` has the whole."""
