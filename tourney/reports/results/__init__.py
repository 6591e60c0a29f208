"""Results, standings and rulings as reports."""
