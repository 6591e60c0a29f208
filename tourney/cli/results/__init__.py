"""Commands about results, rulings and standings."""
