"""Results: a table's sheet entered, corrected or voided, and an arbiter's rulings."""
